import type { ErrorCode } from '../../contract/errors.ts';
import {
  IDEMPOTENCY_KEPT_HOURS,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MIN_CHARACTERS,
} from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { Fail, Reply, RequestContext } from '../../server-kit/mount.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { Board } from '../store/board.ts';
import { clearIdempotency } from '../store/idempotency-store.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { BoardServices } from './services.ts';

/** Result of a write: created (201), or the stored object with the same content hash (200). */
export interface WriteOutcome<Data> {
  created: boolean;
  data: Data;
}

type WriteErrors = 'INVALID_IDEMPOTENCY_KEY' | 'IDEMPOTENCY_KEY_REUSED';

const KEPT_MICROS = IDEMPOTENCY_KEPT_HOURS * 3_600_000_000;

/**
 * Runs a write once, however often it is retried. The same Idempotency-Key and body within 24 hours get the first
 * answer again (200, `Idempotency-Replayed: true`); the same key with another body is IDEMPOTENCY_KEY_REUSED. Key, body
 * hash and answer are stored in the transaction of the write itself. `unavailable` is the operation's 503: it replaces
 * whatever the store throws, and then nothing was written.
 */
export async function writeOnce<Data>(
  services: BoardServices,
  operation: Pick<Operation, 'id' | 'method'>,
  context: RequestContext,
  fail: Fail<WriteErrors>,
  unavailable: ErrorCode,
  work: (tx: Transaction) => Promise<WriteOutcome<Data>>,
): Promise<Reply<Data>> {
  const key = idempotencyKey(context, fail);
  const scope = key === null ? null : scopeHash(operation, context, key);
  return storeOr(unavailable, () =>
    services.board.write(async (tx) => {
      const replayed = scope === null ? null : await replay<Data>(tx, scope, context, fail);
      if (replayed) return replayed;
      const { created, data } = await work(tx);
      const status = created ? 201 : 200;
      if (scope !== null) {
        await clearIdempotency(tx, tx.now - KEPT_MICROS);
        await remember(tx, scope, context, status, data);
      }
      return { data, status };
    }),
  );
}

/**
 * The first answer to a request under an Idempotency-Key, or null. Writes that call another service first ask here, so
 * that a replay makes no such call; the write itself still goes through `writeOnce`.
 */
export async function answeredBefore<Data>(
  services: BoardServices,
  operation: Pick<Operation, 'id' | 'method'>,
  context: RequestContext,
  fail: Fail<WriteErrors>,
): Promise<Reply<Data> | null> {
  const key = idempotencyKey(context, fail);
  if (key === null) return null;
  const row = await idempotencyRow(services.board.read, scopeHash(operation, context, key));
  if (!row || row.created_at <= context.now.getTime() * 1000 - KEPT_MICROS) return null;
  return replayOf<Data>(row, context, fail);
}

/** Turns whatever the store throws into the operation's 503. */
export async function storeOr<T>(unavailable: ErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(unavailable, { cause: error });
  }
}

/** Reads in one transaction, so that the parts of an answer agree. */
export function readTogether<T>(board: Board, unavailable: ErrorCode, work: (db: Reader) => Promise<T>): Promise<T> {
  return storeOr(unavailable, () => board.snapshot(work));
}

/** The hash under which an address is counted, never shown. */
export function addressHash(services: BoardServices, context: RequestContext): string {
  return sha256(`${services.addressSalt}\n${context.address}`);
}

/** The key bare or as a structured-field string, without its quotes. */
function idempotencyKey(context: RequestContext, fail: Fail<WriteErrors>): string | null {
  const sent = context.header('idempotency-key')?.trim();
  if (sent === undefined) return null;
  const key = /^"(.*)"$/.exec(sent)?.[1] ?? sent;
  if (key.length < IDEMPOTENCY_KEY_MIN_CHARACTERS || key.length > IDEMPOTENCY_KEY_MAX_CHARACTERS) {
    fail('INVALID_IDEMPOTENCY_KEY');
  }
  return key;
}

function scopeHash(operation: Pick<Operation, 'method'>, context: RequestContext, key: string): string {
  return sha256([operation.method, context.path, context.header('x-api-key') ?? '', key].join('\n'));
}

/** Tokens sent as headers are part of the request. */
function bodyHash(context: RequestContext): string {
  const tokens = [
    context.header('x-release-token'),
    context.header('x-withdraw-token'),
    context.header('x-webhook-secret'),
    context.header('x-prediction-token'),
  ].map((token) => token ?? '');
  return sha256([context.bodySha256 ?? '', ...tokens].join('\n'));
}

async function replay<Data>(
  tx: Transaction,
  scope: string,
  context: RequestContext,
  fail: Fail<WriteErrors>,
): Promise<Reply<Data> | null> {
  const row = await idempotencyRow(tx, scope);
  if (!row) return null;
  if (row.created_at <= tx.now - KEPT_MICROS) {
    await tx.deleteFrom('idempotency').where('scope_hash', '=', scope).execute();
    return null;
  }
  return replayOf<Data>(row, context, fail);
}

function idempotencyRow(db: Reader, scope: string) {
  return db.selectFrom('idempotency').selectAll().where('scope_hash', '=', scope).executeTakeFirst();
}

function replayOf<Data>(
  row: { body_hash: string; response: string },
  context: RequestContext,
  fail: Fail<WriteErrors>,
): Reply<Data> {
  if (row.body_hash !== bodyHash(context)) fail('IDEMPOTENCY_KEY_REUSED');
  return {
    data: JSON.parse(row.response) as Data,
    status: 200,
    headers: { 'idempotency-replayed': 'true' },
    meta: { idempotencyReplayed: true },
  };
}

async function remember(
  tx: Transaction,
  scope: string,
  context: RequestContext,
  status: number,
  data: unknown,
): Promise<void> {
  await tx
    .insertInto('idempotency')
    .values({
      scope_hash: scope,
      body_hash: bodyHash(context),
      response: JSON.stringify(data),
      status,
      created_at: tx.now,
    })
    .execute();
}
