import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

/**
 * Both registries' APIs on 127.0.0.1, over records and with faults that a test gives. A fault of the list, which may change while the
 * server runs, applies to `times` requests (1 by default) of its endpoint from number `at` on; number 1 is the first, retries count.
 */
export interface FakeRegistryOptions {
  /** Study objects, served in this order. */
  studies?: object[];
  /** `fullTrial` elements with the time that `lastEdited` filters on. */
  trials?: FakeTrial[];
  /** The answer of `/version`; by default `2026-11-20T09:00:05`. */
  dataTimestamp?: string;
  zip?: Buffer;
  faults?: Fault[];
}

export interface FakeTrial {
  xml: string;
  /** ISO 8601. */
  lastUpdated: string;
}

export type Endpoint = 'version' | 'studies' | 'download' | 'isrctn';

export type Fault = { endpoint: Endpoint; at: number; times?: number } & (
  | { kind: 'status'; status: number; headers?: Record<string, string> }
  /** Cuts the connection after `bytes` of the body (half of it by default), with the full Content-Length announced. */
  | { kind: 'cut'; bytes?: number }
  /** Ends the body after `bytes` (half of it by default) as if it were complete. */
  | { kind: 'truncated'; bytes?: number }
  /** Answers a web page with status 200. */
  | { kind: 'html' }
  /** Answers this body with status 200. */
  | { kind: 'body'; body: string; type?: string }
  /** Answers a page without studies, whose next token skips none. */
  | { kind: 'empty-page' }
  /** Answers this next token, whatever was asked. */
  | { kind: 'token'; token: string }
  /** Always names a further page, under a token never seen before. */
  | { kind: 'endless' }
  /** Answers 400, as for a token that the registry no longer knows. */
  | { kind: 'invalid-token' }
  /** Answers this `totalCount`. */
  | { kind: 'total'; total: number }
  /** Changes `dataTimestamp` to this from now on. */
  | { kind: 'data-moves'; dataTimestamp: string }
  /** Closes the socket without an answer, as when the registry is down. */
  | { kind: 'down' }
);

export interface FakeRegistry extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Requests seen by endpoint. */
  counts: Record<Endpoint, number>;
  /** Path and query of every request, decoded, in order. */
  requests: string[];
  /** User agents seen. */
  agents: Set<string>;
  faults: Fault[];
  studies: object[];
  trials: FakeTrial[];
  dataTimestamp: string;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Starts a fake registry on a free port. */
export async function startFakeRegistry(options: FakeRegistryOptions = {}): Promise<FakeRegistry> {
  const server = createServer((request, response) => answer(fake, options, request, response));
  const fake: FakeRegistry = {
    url: '',
    counts: { version: 0, studies: 0, download: 0, isrctn: 0 },
    requests: [],
    agents: new Set(),
    faults: options.faults ?? [],
    studies: options.studies ?? [],
    trials: options.trials ?? [],
    dataTimestamp: options.dataTimestamp ?? '2026-11-20T09:00:05',
    close: () => close(),
    [Symbol.asyncDispose]: () => fake.close(),
  };
  const { url, close } = await listening(server);
  fake.url = url;
  return fake;
}

const PATHS: Record<string, Endpoint> = {
  '/api/v2/version': 'version',
  '/api/v2/studies': 'studies',
  '/api/v2/studies/download': 'download',
  '/api/query/format/default': 'isrctn',
};

function answer(
  fake: FakeRegistry,
  options: FakeRegistryOptions,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', fake.url);
  fake.requests.push(decodeURIComponent(request.url ?? '/'));
  fake.agents.add(request.headers['user-agent'] ?? '');
  const endpoint = PATHS[url.pathname];
  if (!endpoint) {
    send(response, text(404, 'no such path'));
    return;
  }
  const number = ++fake.counts[endpoint];
  const faults = fake.faults.filter(
    (fault) => fault.endpoint === endpoint && number >= fault.at && number < fault.at + (fault.times ?? 1),
  );
  for (const fault of faults) if (fault.kind === 'data-moves') fake.dataTimestamp = fault.dataTimestamp;
  const replaced = faults.map((fault) => replacement(fault)).find((reply) => reply !== null);
  if (faults.some((fault) => fault.kind === 'down')) {
    request.socket.destroy();
    return;
  }
  deliver(response, replaced ?? regular(fake, options, endpoint, url.searchParams, faults), faults);
}

function replacement(fault: Fault): Reply | null {
  switch (fault.kind) {
    case 'status':
      return {
        ...text(fault.status, `status ${fault.status}`),
        headers: { 'content-type': 'text/plain', ...fault.headers },
      };
    case 'html':
      return typed(200, 'text/html', '<!DOCTYPE html>\n<html><body><h1>Scheduled maintenance</h1></body></html>');
    case 'body':
      return typed(200, fault.type ?? 'application/json', fault.body);
    case 'invalid-token':
      return text(400, 'Incorrect page token');
    default:
      return null;
  }
}

function regular(
  fake: FakeRegistry,
  options: FakeRegistryOptions,
  endpoint: Endpoint,
  query: URLSearchParams,
  faults: Fault[],
): Reply {
  switch (endpoint) {
    case 'version':
      return typed(200, 'application/json', JSON.stringify({ apiVersion: '2.0.5', dataTimestamp: fake.dataTimestamp }));
    case 'studies':
      return studiesPage(fake, query, faults);
    case 'isrctn':
      return trialList(fake, query, faults);
    case 'download':
      return options.zip
        ? { status: 200, headers: { 'content-type': 'application/zip' }, body: options.zip }
        : text(404, 'no zip was given');
  }
}

function studiesPage(fake: FakeRegistry, query: URLSearchParams, faults: Fault[]): Reply {
  const size = Math.min(1000, Number(query.get('pageSize') ?? 10));
  const token = query.get('pageToken');
  const start =
    token === null ? 0 : Number(/^tok_(\d+)$/.exec(token)?.[1] ?? /^endless_(\d+)_/.exec(token)?.[1] ?? Number.NaN);
  if (Number.isNaN(start)) return text(400, 'Incorrect page token');
  const hits = matching(fake.studies, query.get('query.term'));
  const total = faults.find((fault) => fault.kind === 'total')?.total ?? hits.length;
  const studies = faults.some((fault) => fault.kind === 'empty-page') ? [] : hits.slice(start, start + size);
  const next = start + (studies.length === 0 && start < hits.length ? 0 : size);
  const nextToken =
    faults.find((fault) => fault.kind === 'token')?.token ??
    (faults.some((fault) => fault.kind === 'endless') ? `endless_${hits.length}_${fake.counts.studies}` : null) ??
    (next < hits.length ? emptyAwareToken(next, start) : null);
  const page = {
    ...(token === null && query.get('countTotal') === 'true' && { totalCount: total }),
    studies,
    ...(nextToken !== null && { nextPageToken: nextToken }),
  };
  return typed(200, 'application/json', JSON.stringify(page));
}

/** The token after an empty page leads to the same place but is another text: it has a leading zero. */
function emptyAwareToken(next: number, start: number): string {
  return next === start ? `tok_0${next}` : `tok_${next}`;
}

function matching(studies: object[], term: string | null): object[] {
  const from = /^AREA\[LastUpdatePostDate\]RANGE\[(\d{4}-\d{2}-\d{2}),MAX\]$/.exec(term ?? '')?.[1];
  return from === undefined ? studies : studies.filter((study) => updateDay(study) >= from);
}

function updateDay(study: object): string {
  const text = JSON.stringify(study);
  return /"lastUpdatePostDateStruct":\{[^}]*"date":"([^"]+)"/.exec(text)?.[1] ?? '';
}

function trialList(fake: FakeRegistry, query: URLSearchParams, faults: Fault[]): Reply {
  const q = query.get('q') ?? '';
  const window = /^lastEdited GE (\S+) AND lastEdited LT (\S+)$/.exec(q);
  if (!window && q !== '') return text(400, 'the query is not understood');
  const [from, to] = window
    ? [Date.parse(`${window[1]}Z`), Date.parse(`${window[2]}Z`)]
    : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const hits = fake.trials.filter((trial) => {
    const time = Date.parse(trial.lastUpdated);
    return time >= from && time < to;
  });
  const total = faults.find((fault) => fault.kind === 'total')?.total ?? hits.length;
  const shown = hits.slice(0, Number(query.get('limit') ?? 10)).map((trial) => trial.xml);
  const body = `<allTrials totalCount="${total}" xmlns="http://www.67bricks.com/isrctn">${shown.join('')}</allTrials>`;
  return typed(200, 'application/xml', body);
}

function deliver(response: ServerResponse, reply: Reply, faults: Fault[]): void {
  const broken = faults.find((fault) => fault.kind === 'cut' || fault.kind === 'truncated');
  if (broken === undefined) {
    send(response, reply);
    return;
  }
  const part = reply.body.subarray(0, broken.bytes ?? Math.floor(reply.body.length / 2));
  if (broken.kind === 'truncated') send(response, { ...reply, body: part });
  else {
    response.writeHead(reply.status, { ...reply.headers, 'content-length': String(reply.body.length) });
    response.write(part, () => response.destroy());
  }
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
}

function typed(status: number, type: string, body: string): Reply {
  return { status, headers: { 'content-type': type }, body: Buffer.from(body) };
}

function text(status: number, body: string): Reply {
  return typed(status, 'text/plain', body);
}
