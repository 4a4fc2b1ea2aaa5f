import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { COORDINATION_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';

/**
 * The table of errors: for each operation and each code that it declares, a request that provokes the code. Rows are
 * plain data. `{name}` in a path, header or body stands for a value that places.ts prepares.
 */

/** Where a request is sent: the service as it is by default, or one that a part is missing from. */
export type Place =
  | 'usual'
  | 'closed board'
  | 'board without a snapshot'
  | 'index without a snapshot'
  | 'index without Parquet files'
  | 'index of damaged files';

export interface Sent {
  path?: string;
  /** An object is sent as JSON, a text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request that is refused. What it leaves out is as in the usual request of its operation. */
export interface Refused extends Sent {
  on?: Place;
  /** Requests of the same operation that are sent first, each of which succeeds. */
  after?: readonly Sent[];
  /** The parameter that the refusal names. */
  parameter?: string;
  /** The paths of all its issues, in order. */
  issues?: readonly string[];
}

/** The requests of one operation, by the code that each provokes. */
export interface OperationErrors extends Partial<Record<ErrorCode, Refused | readonly Refused[]>> {
  /** A request that would succeed. The codes that all operations of a kind share are provoked with it. */
  usual?: Sent;
}

export type ErrorTable = Readonly<Record<string, OperationErrors>>;

export interface Row extends Refused {
  operation: Operation;
  code: ErrorCode;
  path: string;
}

/** Every row of the table: those that are written out, and those that follow from the usual request. */
export function rowsOf(table: ErrorTable): Row[] {
  return Object.entries(table).flatMap(([id, { usual = {}, ...codes }]) => {
    const operation = OPERATIONS.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`the table has errors of ${id}, which is no operation`);
    const implied = operation.errors
      .filter((code) => !(code in codes))
      .flatMap((code) =>
        [impliedBy(operation, code, { path: operation.path, ...usual })].flat().map((row) => [code, row]),
      );
    const written = Object.entries(codes).flatMap(([code, rows]) => [rows].flat().map((row) => [code, row]));
    return ([...implied, ...written] as [ErrorCode, Refused][]).map(([code, row]) => ({
      ...{ path: operation.path, ...usual, ...row },
      ...{ operation, code },
    }));
  });
}

/** The row of a code that operations share, or none. */
function impliedBy(operation: Operation, code: ErrorCode, usual: Sent): Refused[] {
  const { body, headers = {}, path = '' } = usual;
  const under = (key: string): Sent => ({ ...usual, headers: { ...headers, 'idempotency-key': key } });
  if (code === 'INVALID_BODY') return [{ body: '{"half":' }, { body: '[]' }];
  if (code === 'BODY_TOO_LARGE') return [{ body: padded(body, operation.bodyMaxBytes ?? COORDINATION_BODY_MAX_BYTES) }];
  if (code === 'INVALID_IDEMPOTENCY_KEY') return [under('short')];
  if (code === 'IDEMPOTENCY_KEY_REUSED') {
    const first = under(`reused-${operation.id}`);
    const other = body === undefined ? { headers: { ...first.headers, 'x-release-token': 'another' } } : {};
    return [{ ...first, ...other, after: [first], ...(body === undefined ? {} : { body: { ...body, more: 1 } }) }];
  }
  if (ERRORS[code].family === 'availability') {
    return [{ on: operation.server === 'board' ? 'closed board' : 'index without a snapshot' }];
  }
  if (code === 'INVALID_PARAM' && operation.params !== undefined) {
    return [{ path: path.replace(/\{\w+\}/, '%00') }];
  }
  return [];
}

/** The body with a member more that makes it one byte too long. */
function padded(body: unknown, ceiling: number): unknown {
  const rest = ceiling + 1 - JSON.stringify({ ...(body as object), more: '' }).length;
  return { ...(body as object), more: 'x'.repeat(rest) };
}

/** Puts a value in each place of a row that names it. */
export function filled<Value>(value: Value, names: Readonly<Record<string, string>>): Value {
  if (typeof value === 'string') {
    return value.replaceAll(/\{(\w+)\}/g, (all, name: string) => names[name] ?? all) as Value;
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, names)) as Value;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part, names)])) as Value;
}
