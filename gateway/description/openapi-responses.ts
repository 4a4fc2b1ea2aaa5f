import { z } from 'zod';
import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { metaSchema } from '../../contract/schemas/envelope.ts';
import { byStatus, codesOf } from './codes.ts';

function header(description: string, type: 'string' | 'integer' = 'string'): oas31.HeaderObject {
  return { description, schema: { type } };
}

/** Response headers, by their name; a component has the name without its dashes. */
export const RESPONSE_HEADERS = {
  'X-Correlation-Id': header('Id of this request, also in the log; quote it when you report a fault.'),
  'RateLimit-Limit': header('Requests that the bucket allows in its window.', 'integer'),
  'RateLimit-Remaining': header('Requests left in the window.', 'integer'),
  'RateLimit-Reset': header('Seconds until the window rolls over.', 'integer'),
  'RateLimit-Policy': header('The bucket, its quota and its window, in the form of the newer draft.'),
  RateLimit: header('The bucket, what is left and the seconds to its reset, in the form of the newer draft.'),
  ETag: header('Strong validator of this answer, for If-None-Match.'),
  'Cache-Control': header('How long a cache may keep the answer.'),
  'Idempotency-Replayed': header('`true` if this answer was given before to the same Idempotency-Key.'),
  'Content-Range': header('Which bytes of the whole file these are.'),
  'Repr-Digest': header('SHA-256 of the whole file, as RFC 9530 writes it.'),
  'Retry-After': header('Seconds to wait before the same request can succeed.', 'integer'),
} as const;
type HeaderName = keyof typeof RESPONSE_HEADERS;

const RATE_HEADERS: readonly HeaderName[] = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
];

/** Name of the component of a response header. */
export function headerComponent(name: string): string {
  return name.replaceAll('-', '');
}

/** References to the components of response headers. */
export function headerRefs(names: readonly HeaderName[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${headerComponent(name)}` }]));
}

/** Headers of every answer, by whether requests are counted. */
export function commonHeaders(counted: boolean): HeaderName[] {
  return ['X-Correlation-Id', ...(counted ? RATE_HEADERS : [])];
}

const MEANING: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  206: 'The part of the file that Range asked for.',
  400: 'The request is wrong; an identical one fails the same way.',
  401: 'A credential is needed, or the one that was sent is not live.',
  403: 'The request is not allowed; the code says why.',
  404: 'What was asked for does not exist.',
  409: 'The state of the object does not allow it.',
  412: 'The file has another ETag than If-Match asks for; there is no body.',
  416: 'The range lies beyond the end of the file; there is no body.',
  413: 'The body is too large.',
  422: 'The structure of the submission failed; `issues` lists every problem.',
  429: 'Too many requests; wait as long as Retry-After says.',
  500: 'A fault of the service.',
  503: 'The service failed; wait as long as Retry-After says.',
};

/** Everything that a call of the operation can be answered with. */
export function responsesOf(operation: Operation): ZodOpenApiResponsesObject {
  const successes = Object.fromEntries(
    (operation.statuses ?? [200]).map((status) => [status, success(operation, status)]),
  );
  const unchanged = operation.cache === undefined ? {} : { 304: { $ref: '#/components/responses/NotModified' } };
  return { ...successes, ...unchanged, ...errorResponses(codesOf(operation), operation.bucket !== 'none') };
}

export const NOT_MODIFIED: ZodOpenApiResponseObject = {
  description: 'The answer that you hold is still current; there is no body.',
  headers: headerRefs([...commonHeaders(true), 'ETag', 'Cache-Control']),
};

/**
 * The refusals and failures of a set of codes, each status with its own codes only. Where requests are counted, the
 * answer of a status is a component that `nameOf` names.
 */
export function errorResponses(codes: readonly ErrorCode[], counted: boolean): ZodOpenApiResponsesObject {
  const entries = byStatus(codes).map(([status, own]) => {
    return [status, counted ? { $ref: `#/components/responses/${nameOf(own)}` } : errorResponse(status, own, false)];
  });
  return Object.fromEntries(entries);
}

/** Components that `errorResponses` refers to for these sets of codes. */
export function errorComponents(sets: readonly (readonly ErrorCode[])[]): Record<string, ZodOpenApiResponseObject> {
  const byName = new Map(
    sets.flatMap(byStatus).map(([status, codes]) => [nameOf(codes), errorResponse(status, codes, true)]),
  );
  return Object.fromEntries([...byName].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Joins the codes. One that another code differs from in case only is marked, since generators fold case. */
function nameOf(codes: readonly ErrorCode[]): string {
  return codes
    .map((code) => (code !== code.toUpperCase() && code.toUpperCase() in ERRORS ? `lower_${code}` : code))
    .join('-');
}

function errorResponse(status: number, codes: readonly ErrorCode[], counted: boolean): ZodOpenApiResponseObject {
  const waits = codes.some((code) => ERRORS[code].family === 'availability' || ERRORS[code].family === 'rate_limit');
  const headers = [...commonHeaders(counted), ...(waits ? (['Retry-After'] as const) : [])];
  const causes = codes.map((code) => `- \`${code}\`: ${ERRORS[code].cause}`);
  return {
    description: `${MEANING[status]}\n\n${causes.join('\n')}`,
    headers: headerRefs(headers),
    content: {
      'application/json': { schema: errorAnswer(codes) },
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}

/** `{error}` whose code is one of these. */
function errorAnswer(codes: readonly ErrorCode[]): oas31.SchemaObject {
  const code: oas31.SchemaObject = {
    type: 'object',
    properties: { code: { type: 'string', enum: [...new Set(codes)] } },
  };
  const error = { allOf: [{ $ref: '#/components/schemas/Error' }, code] };
  return { type: 'object', properties: { error }, required: ['error'] };
}

type SuccessStatus = NonNullable<Operation['statuses']>[number];

function success(operation: Operation, status: SuccessStatus): ZodOpenApiResponseObject {
  const replays = operation.errors.includes('INVALID_IDEMPOTENCY_KEY') && (status === 200 || status === 201);
  const headers: HeaderName[] = [
    ...commonHeaders(operation.bucket !== 'none'),
    ...(operation.cache === undefined ? [] : (['ETag', 'Cache-Control'] as const)),
    ...(replays ? (['Idempotency-Replayed'] as const) : []),
    ...(isInParts(operation) ? partHeaders(status) : []),
  ];
  if (status === 412 || status === 416)
    return { description: meaning(operation, status), headers: headerRefs(headers) };
  return { description: meaning(operation, status), headers: headerRefs(headers), content: content(operation) };
}

function isInParts({ statuses }: Operation): boolean {
  return statuses?.includes(206) ?? false;
}

function partHeaders(status: SuccessStatus): readonly HeaderName[] {
  if (status === 206) return ['Content-Range', 'Repr-Digest'];
  if (status === 412) return [];
  return status === 416 ? ['Content-Range'] : ['Repr-Digest'];
}

function meaning({ statuses, envelope }: Operation, status: SuccessStatus): string {
  if (status === 200 && statuses?.includes(201)) return 'It was there already.';
  if (status === 503 && envelope === false) return 'The same body, while the service is not ready.';
  return MEANING[status]!;
}

function content({ output, envelope, streams = [] }: Operation): NonNullable<ZodOpenApiResponseObject['content']> {
  // A JSON file may hold any value; everything else that is streamed is text.
  const schemaOf = (type: string): oas31.SchemaObject => (type === 'application/json' ? {} : { type: 'string' });
  const stream = Object.fromEntries(
    streams.map((type) => [type, { schema: { ...schemaOf(type), description: 'sent as it is made' } }]),
  );
  if (envelope === false && streams.length > 0) return stream;
  const schema = envelope === false ? output : z.object({ data: output, _meta: metaSchema });
  return { 'application/json': { schema }, ...stream };
}
