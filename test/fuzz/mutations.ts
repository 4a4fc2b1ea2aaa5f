import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { FuzzedRequest } from './fuzzed-request.ts';
import type { Planted } from './planted.ts';
import { hostileText } from './values.ts';

/** Ways to make a request invalid. */

export type Mutation = (request: FuzzedRequest) => FuzzedRequest;

/** Node itself refuses a longer head, so that it never reaches the service. */
const PATH_MAX_CHARACTERS = 8_000;

/** Applies one to three changes in turn. */
export function mutationsOf(planted: Planted): fc.Arbitrary<Mutation> {
  return fc
    .array(fc.oneof(addressMutation, methodMutation, headerMutation(planted), bodyMutation), {
      minLength: 1,
      maxLength: 3,
    })
    .map((all) => (request) => {
      const changed = all.reduce((current, change) => change(current), request);
      return { ...changed, path: changed.path.slice(0, PATH_MAX_CHARACTERS) };
    });
}

const withQuery = (path: string, more: string): string => `${path}${path.includes('?') ? '&' : '?'}${more}`;

const addressMutation: fc.Arbitrary<Mutation> = fc.oneof(
  // Gives a parameter twice.
  fc.constant<Mutation>((request) => {
    const [first] = request.path.split('?')[1]?.split('&') ?? [];
    return first === undefined ? request : { ...request, path: withQuery(request.path, first) };
  }),
  fc
    .constantFrom(
      '%',
      '%zz',
      '%ff',
      '%c0%af',
      '%ed%a0%80',
      '%00',
      '&&&=',
      '=',
      '?',
      '#',
      '+',
      ';',
      '[]=1',
      'q[]=1',
      'q[$ne]=1',
    )
    .map<Mutation>((bad) => (request) => ({ ...request, path: withQuery(request.path, `q=${bad}`) })),
  fc
    .constantFrom('/', '//', '/.', '/..', '/%2e%2e', '%2f', '%5c..', ';v=1', '%', '%ff', '%00', '.json', '/extra')
    .map<Mutation>((tail) => (request) => {
      const [path, query] = request.path.split('?');
      return { ...request, path: `${path}${tail}${query === undefined ? '' : `?${query}`}` };
    }),
  fc.constant<Mutation>((request) => ({ ...request, path: request.path.toUpperCase() })),
  fc.constant<Mutation>((request) => ({ ...request, path: `/${request.path}` })),
);

const methodMutation: fc.Arbitrary<Mutation> = fc
  .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY')
  .map((method) => (request) => ({ ...request, method }));

const MEDIA = [
  ...['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json; charset=utf-16'],
  ...['application/json;', ''],
];
const ACCEPTED = ['text/event-stream', 'text/html', '*/*;q=0', 'application/json, text/event-stream', 'image/*', ','];
const TAGS = ['*', '""', 'W/"x"', '"a", "b"', '"', ','];
const NAMES = [
  ...['accept', 'accept-encoding', 'accept-language', 'access-control-request-method', 'authorization'],
  ...['content-encoding', 'content-type', 'cookie', 'idempotency-key', 'if-match', 'if-modified-since'],
  ...['if-none-match', 'last-event-id', 'mcp-protocol-version', 'origin', 'range', 'referer', 'user-agent'],
  ...['x-api-key', 'x-correlation-id', 'x-forwarded-for', 'x-forwarded-host', 'x-http-method-override'],
  ...['x-prediction-token', 'x-release-token', 'x-webhook-secret', 'x-withdraw-token'],
] as const;

function headerMutation(planted: Planted): fc.Arbitrary<Mutation> {
  const set =
    (name: string, value: string): Mutation =>
    (request) => ({ ...request, headers: { ...request.headers, [name]: headerText(value) } });
  const known = (name: string, values: readonly string[]) =>
    fc.constantFrom(...values).map((value) => set(name, value));
  return fc.oneof(
    fc.tuple(fc.constantFrom(...NAMES), hostileText).map(([name, value]) => set(name, value)),
    known('content-type', MEDIA),
    known('accept', ACCEPTED),
    known('if-none-match', TAGS),
    known('accept-encoding', ['gzip', 'br', 'gzip;q=0', '*', 'identity;q=0', 'x'.repeat(2_000)]),
    known('content-encoding', ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'identity', 'GZIP']),
    known('x-api-key', [...planted.apiKeys, 'tbk_', `tbk_${'A'.repeat(43)}`, '']),
    known('idempotency-key', [...(planted.byName.idempotencyKey ?? []), 'short', '"', 'k'.repeat(201), '']),
    known('last-event-id', [...(planted.byName.since ?? []), '-1', 'x']),
    fc.constant<Mutation>((request) => ({ ...request, headers: {} })),
  );
}

const BODIES: readonly (string | Buffer)[] = [
  '',
  ' ',
  'null',
  '[]',
  '12',
  '"text"',
  '{',
  '{"a":',
  '{"a":1}{"b":2}',
  '{"a":1,}',
  "{'a':1}",
  'a=b&c=d',
  '\u0000',
  '{"a":1e999,"b":-1e999}',
  '{"a":0.1e-999}',
  `{"a":${'9'.repeat(400)}}`,
  `{"__proto__":{"objectiveId":"map-one-disease"},"constructor":{"prototype":{}}}`,
  `{"scope":"\\ud800","intent":"\\u0000${'x'.repeat(50)}","agentName":"\\udfff","objectiveId":"map-one-disease"}`,
  `${'['.repeat(3_900)}${']'.repeat(3_900)}`,
  `${'{"a":'.repeat(1_300)}1${'}'.repeat(1_300)}`,
  `{"x":"${'y'.repeat(7_992)}"}`,
  `{"x":"${'y'.repeat(30_000)}"}`,
  Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"label":"bom"}')]),
  Buffer.from('{"label":"wide"}', 'utf16le'),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
];

const bodyMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constantFrom(...BODIES).map<Mutation>((text) => (request) => ({ ...request, body: Buffer.from(text) })),
  fc.uint8Array({ maxLength: 60 }).map<Mutation>((bytes) => (request) => ({ ...request, body: Buffer.from(bytes) })),
  // Cuts the body off.
  fc.nat(200).map<Mutation>((at) => (request) => ({ ...request, body: request.body?.subarray(0, at) ?? null })),
  // Gives every key twice.
  fc.constant<Mutation>((request) => {
    const text = request.body?.toString('utf8') ?? '';
    return text.length > 2 ? { ...request, body: Buffer.from(`${text.slice(0, -1)},${text.slice(1)}`) } : request;
  }),
  fc
    .constantFrom<[string, (bytes: Buffer) => Buffer]>(
      ['gzip', (bytes) => gzipSync(bytes)],
      ['deflate', (bytes) => deflateSync(bytes)],
      ['br', (bytes) => brotliCompressSync(bytes)],
      ['gzip', () => gzipSync(Buffer.alloc(2_000_000, 32))],
      ['gzip', (bytes) => gzipSync(bytes).subarray(0, -9)],
    )
    .map<Mutation>(([encoding, pack]) => (request) => ({
      ...request,
      headers: { ...request.headers, 'content-encoding': encoding },
      body: pack(request.body ?? Buffer.from('{}')),
    })),
);

/** The text reduced to what a header can carry. */
export function headerText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 4_000);
}
