import { httpInput } from '../../../contract/interfaces/arguments.ts';
import type { Operation } from '../../../contract/operation.ts';
import type { TestOrigin } from '../../support/origin.ts';
import type { Answered, Envelope, Failure, Given } from '../case.ts';

/** A door: one protocol through which operations are called. */
export interface DoorKind {
  readonly name: string;
  /** Whose words the service's own texts are in, where they are not REST's. Its answers are asked for whole. */
  readonly words?: 'mcp' | 'a2a';
  offers(operation: Operation): boolean;
  open(): Promise<Door>;
}

/** An open door with its own origin, and so its own board. */
export interface Door extends AsyncDisposable {
  readonly kind: DoorKind;
  readonly origin: TestOrigin;
  call(operation: Operation, given: Given, apiKey?: string): Promise<Answered>;
}

/** Sends the arguments as a REST request and reads the answer. */
export async function overHttp(
  send: (path: string, init: RequestInit) => Promise<Response>,
  operation: Operation,
  given: Given,
  apiKey?: string,
): Promise<Answered> {
  const { path, headers, body } = httpInput(operation, given);
  const response = await send(path, {
    method: operation.method,
    headers: {
      ...headers,
      ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answeredBy(response.status, await parsed(response), operation);
}

/** A JSON value, a list of one value for each line, or the text of a file. */
async function parsed(response: Response): Promise<unknown> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('application/x-ndjson')) return linesOf(text);
  return type.startsWith('application/json') ? JSON.parse(text) : text;
}

function linesOf(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

function answeredBy(status: number, body: unknown, operation: Operation): Answered {
  if (body !== null && typeof body === 'object' && 'error' in body) {
    return { ok: false, status, error: body.error as Failure };
  }
  const envelope = operation.envelope === false ? { data: body, _meta: null } : (body as Envelope);
  return { ok: true, status, envelope };
}
