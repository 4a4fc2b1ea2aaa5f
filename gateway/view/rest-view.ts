import { H3Event, type HTTPResponse } from 'h3';
import { withNextCalls } from '../../contract/interfaces/next-calls.ts';
import { VIEW_PARAMETER_NAMES } from '../../contract/interfaces/view.ts';
import type { Operation } from '../../contract/operation.ts';
import { Answer } from '../../server-kit/answer/answer.ts';
import { receivedBytes } from '../../server-kit/body.ts';
import { answerWithCaching } from '../../server-kit/conditional.ts';
import { correlationIdOf, failureCodeOf, noteFailure } from '../../server-kit/mount.ts';
import { queryPairs } from '../../server-kit/parameters.ts';
import type { Envelope } from '../envelope.ts';
import { type View, viewInQuery } from './asked-view.ts';
import { isObject, type JsonObject, objectOf } from './json.ts';
import { viewed } from './viewed.ts';

/**
 * `detail` and `fields` over REST. A request without them never comes here: its answer, its finished bytes and its ETag are
 * those of the operation. With them, the operation answers the same request without them, and that answer is viewed; so that no
 * operation, in this process or another, knows of views.
 */

/** Whether a query may hold a parameter of the view; a cheap test, since every request passes it. */
export function mayAskForView({ url: { search } }: H3Event): boolean {
  return search !== '' && (search.includes('detail') || search.includes('fields'));
}

/** Fields of a request that ask for a part or a certain version of the whole answer. */
const OF_THE_WHOLE = ['if-none-match', 'if-range', 'range', 'accept-encoding'];
/** Fields of an answer that describe its bytes. */
const OF_THE_BYTES: ReadonlySet<string> = new Set([
  ...['etag', 'content-length', 'content-encoding', 'content-digest', 'repr-digest', 'accept-ranges'],
]);

/** The viewed answer; undefined where the request asks for no view. Throws a Problem. */
export async function viewAnswer(event: H3Event, operation: Operation | undefined): Promise<HTTPResponse | undefined> {
  const { method } = event.req;
  if (operation === undefined || (method !== 'HEAD' && method !== operation.method)) return undefined;
  const asked = viewInQuery(operation, queryPairs(event.url.search));
  if (asked === null) return undefined;
  const inner = innerEvent(
    event,
    method === 'POST' ? new Uint8Array(await receivedBytes(event, operation.bodyMaxBytes ?? 0)) : null,
  );
  const answered = (await event.context.matchedRoute!.handler(inner)) as HTTPResponse;
  const headers = Object.fromEntries(answered.headers as Iterable<[string, string]>);
  const failure = failureCodeOf(inner);
  if (failure !== null) noteFailure(event, failure);
  const { status = 200, body } = answered;
  // A stream, or a refusal.
  if (headers['content-type']?.startsWith('application/json') !== true) {
    return new Answer(event, body as BodyInit | null, { status, headers });
  }
  const text = await new Response(body as BodyInit | null).text();
  const value: unknown = JSON.parse(text);
  if (!isEnvelope(value)) return new Answer(event, text, { status, headers });
  const shown = viewed(operation, { ...value, _meta: withView(value._meta, asked.view) }, asked.view);
  const own = Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_BYTES.has(name)));
  const { detail, fields } = asked.view;
  const kept = { detail, fields: fields?.join(',') };
  const led = withNextCalls(value, shown, { concise: detail === 'concise', fields, kept, path: inner.url.pathname });
  const viewedAnswer = { body: Buffer.from(JSON.stringify(led)), validator: headers.etag, status };
  return answerWithCaching(event, operation, viewedAnswer, own, correlationIdOf(event));
}

/** A request for the whole answer. */
function innerEvent(event: H3Event, body: Uint8Array<ArrayBuffer> | null): H3Event {
  const url = new URL(event.req.url);
  url.search = url.search
    .slice(1)
    .split('&')
    .filter((pair) => !VIEW_PARAMETER_NAMES.includes(queryPairs(pair)[0]?.name ?? ''))
    .join('&');
  const headers = new Headers(event.req.headers);
  for (const name of OF_THE_WHOLE) headers.delete(name);
  headers.set('x-correlation-id', correlationIdOf(event));
  const { signal } = event.req;
  const request = new Request(url, { headers, signal, ...(body !== null && { method: 'POST', body }) });
  // The client's address is not a header: h3's runtime keeps it beside the request.
  Object.defineProperty(request, 'ip', { value: event.req.ip });
  const { matchedRoute, params } = event.context;
  return new H3Event(request, { ...(matchedRoute && { matchedRoute }), ...(params && { params }) });
}

/** Addresses of other pages keep the view. */
function withView(meta: JsonObject, { detail, fields }: View): JsonObject {
  const added = new URLSearchParams({ detail, ...(fields && { fields: fields.join(',') }) });
  const extended = (address: unknown): unknown => (typeof address === 'string' ? `${address}&${added}` : address);
  const { pagination, links } = meta;
  return {
    ...meta,
    ...(isObject(pagination) && 'nextUrl' in pagination
      ? { pagination: { ...pagination, nextUrl: extended(pagination.nextUrl) } }
      : {}),
    ...(isObject(links) && {
      links: Object.fromEntries(Object.entries(objectOf(links)).map(([name, to]) => [name, extended(to)])),
    }),
  };
}

function isEnvelope(value: unknown): value is Envelope {
  return isObject(value) && 'data' in value && isObject(value._meta);
}
