import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { H3 } from 'h3';
import { inject } from 'vitest';
import type { oas31 } from 'zod-openapi';

/**
 * Checks every answer that a test gets against the OpenAPI document: status, media type and a JSON body. An
 * undocumented field fails like a missing one: the document allows future fields, but every field sent today must be in
 * it.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** File with the document of the current contract. */
    openApiFile: string;
  }
}

interface Call {
  method: string;
  path: string;
  operation: oas31.OperationObject;
  pattern: RegExp;
}

/** An answer that the document does not describe. */
export class UndocumentedAnswer extends Error {
  constructor(call: string, status: number, fault: string) {
    super(`${call} answered ${status} against the OpenAPI document: ${fault}`);
    this.name = 'UndocumentedAnswer';
  }
}

let loaded: { document: oas31.OpenAPIObject; calls: Call[]; ajv: Ajv2020 } | undefined;
const validators = new Map<string, ValidateFunction>();
const found: UndocumentedAnswer[] = [];
let unchecked = 0;
/** Fetch functions that already check answers: one process runs several test files in turn. */
const checking = new WeakSet<typeof globalThis.fetch>();

/** Faults found since the last call, including those whose exception was swallowed. */
export function takeUndocumented(): UndocumentedAnswer[] {
  return found.splice(0);
}

/** Stops checking until disposed, for tests that talk to another server than this service's. */
export function leaveUnchecked(): Disposable {
  unchecked += 1;
  return {
    [Symbol.dispose]() {
      unchecked -= 1;
    },
  };
}

/** Checks one answer; throws UndocumentedAnswer. Answers of undocumented paths pass. */
export async function checkAnswer(method: string, address: string, response: Response): Promise<void> {
  // The schema is that of the whole answer; a view leaves members out.
  if (/[?&](detail=concise|fields=)/.test(address)) return;
  if (unchecked > 0) return;
  const call = callOf(method, address);
  if (call === undefined || method === 'HEAD') return;
  const fault = await faultOf(call, response);
  if (fault === null) return;
  const name = `${call.operation.operationId} (${method} ${new URL(address).pathname})`;
  const error = new UndocumentedAnswer(name, response.status, fault);
  found.push(error);
  throw error;
}

/** Checks every answer of the app's `fetch`; answers over a socket are checked by the receiver. */
export function checkedApp<App extends Pick<H3, 'fetch'>>(app: App): App {
  const fetch = app.fetch.bind(app);
  app.fetch = async (request) => {
    const response = await fetch(request);
    if (!('runtime' in request)) await checkAnswer(request.method, request.url, response);
    return response;
  };
  return app;
}

/** A fetch whose answers from this machine are checked. */
export function checkedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  if (checking.has(fetch)) return fetch;
  const checked: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const address = input instanceof Request ? input.url : String(input);
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    if (/^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):/.test(address)) await checkAnswer(method, address, response);
    return response;
  };
  checking.add(checked);
  return checked;
}

function documents(): NonNullable<typeof loaded> {
  if (loaded) return loaded;
  const document = JSON.parse(readFileSync(inject('openApiFile'), 'utf8')) as oas31.OpenAPIObject;
  // The linters check the document against its meta-schema; skipping that here saves each process the compilation.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', components: closed(document.components) });
  const calls = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    (['get', 'post', 'patch', 'delete'] as const).flatMap((method): Call[] => {
      const operation = item[method];
      return operation ? [{ method: method.toUpperCase(), path, operation, pattern: patternOf(path) }] : [];
    }),
  );
  // A literal path goes before one with a parameter in its place, as in the router.
  calls.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
  loaded = { document, calls, ajv };
  return loaded;
}

function patternOf(path: string): RegExp {
  const literal = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function callOf(method: string, address: string): Call | undefined {
  const { pathname } = new URL(address);
  const wanted = method === 'HEAD' ? 'GET' : method;
  return documents().calls.find((call) => call.method === wanted && call.pattern.test(pathname));
}

async function faultOf(call: Call, response: Response): Promise<string | null> {
  const { status } = response;
  const documented = responseOf(call, status);
  if (documented === undefined) return `this status is not documented: ${(await textOf(response)).slice(0, 400)}`;
  if (status === 204 || status === 304 || documented.content === undefined) return null;
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? '';
  const media = documented.content[type] as oas31.MediaTypeObject | undefined;
  if (media === undefined) return `the media type ${type || '(none)'} is not documented`;
  // A part of a JSON file is no JSON text.
  if (status === 206 || !/^application\/(problem\+)?json$/.test(type)) return null;
  const text = await textOf(response);
  return bodyFault(`${call.method} ${call.path} ${status} ${type}`, media.schema, text);
}

/** The body without compression: an app's answer is compressed, a fetch over HTTP has decompressed it. */
async function textOf(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  const isPacked = response.headers.get('content-encoding') === 'gzip' && bytes.readUInt16BE(0) === 0x1f8b;
  return (isPacked ? gunzipSync(bytes) : bytes).toString('utf8');
}

function responseOf(call: Call, status: number): oas31.ResponseObject | undefined {
  const responses = call.operation.responses ?? {};
  const response = (responses[status] ?? responses[`${Math.floor(status / 100)}XX`]) as
    | oas31.ResponseObject
    | oas31.ReferenceObject
    | undefined;
  if (response === undefined || !('$ref' in response)) return response as oas31.ResponseObject | undefined;
  const name = response.$ref?.split('/').at(-1) ?? '';
  return documents().document.components?.responses?.[name] as oas31.ResponseObject | undefined;
}

function bodyFault(key: string, schema: unknown, text: string): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `the body is not JSON: ${text.slice(0, 200)}`;
  }
  const validate = validators.get(key) ?? documents().ajv.compile(closed(schema) as object);
  validators.set(key, validate);
  return validate(body) ? null : (validate.errors ?? []).map(words).join('; ');
}

function words({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}

/**
 * The schema with closed objects: an object that names its fields allows no others, unless it says that it does.
 * References point to `openapi`.
 */
function closed(schema: unknown, inAllOf = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => closed(part, inAllOf));
  if (schema === null || typeof schema !== 'object') return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (key === '$ref') return [key, String(value).replace(/^#/, 'openapi#')];
    // The names in `properties` are field names, so a field called `example` is closed too.
    if (key === 'properties') return [key, closedFields(value as Record<string, unknown>)];
    return key === 'enum' || key === 'example' || key === 'const'
      ? [key, value]
      : [key, closed(value, key === 'allOf')];
  });
  const copy = Object.fromEntries(entries);
  const names = typeof copy.properties === 'object' && copy.type === 'object';
  if (names && !inAllOf && !('additionalProperties' in copy)) copy.additionalProperties = false;
  return copy;
}

function closedFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, closed(field)]));
}
