import type { ErrorCode } from '../../contract/errors/errors.ts';
import {
  IDEMPOTENCY_KEPT_HOURS,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MIN_CHARACTERS,
} from '../../contract/limits/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { addressGroup } from '../../server-kit/limits/address.ts';
import type { Fail, Reply, RequestContext } from '../../server-kit/mount.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { Board } from '../store/board.ts';
import { NotStored, OutcomeUnknown } from '../store/engine.ts';
import { clearIdempotency, keptUnder } from '../store/idempotency-store.ts';
import type { Reader } from '../store/reader.ts';
import { countStored, requireRoom, storedBytes } from '../store/storage-quota.ts';
import type { IdempotencyRow } from '../store/tables.ts';
import type { Transaction } from '../store/transaction.ts';
import { BoardReadOnly } from '../store/write-health.ts';
import { keptAnswer, shownAgain } from './kept-answer.ts';
import type { BoardServices } from './services.ts';

/** Result of a write: created (201), or the stored object with the same content hash (200). */
export interface WriteOutcome<Data> {
  created: boolean;
  data: Data;
}

/** What a write answers beside its data. */
interface WriteTerms {
  /** The operation's 503: it replaces whatever the store throws, and then nothing was written. */
  unavailable: ErrorCode;
  /** `_meta.honesty` of the answer, first or replayed. */
  honesty?: readonly string[];
}

type WriteErrors = 'INVALID_IDEMPOTENCY_KEY' | 'IDEMPOTENCY_KEY_REUSED';

const KEPT_MICROS = IDEMPOTENCY_KEPT_HOURS * 3_600_000_000;

/** An Idempotency-Key of one caller: `hash` is what it is stored under. */
interface Scope {
  key: string;
  hash: string;
}

/**
 * Runs a write once, however often its caller retries it. The same Idempotency-Key and body within 24 hours get the
 * first answer and its status again (`Idempotency-Replayed: true`); the same key with another body is
 * IDEMPOTENCY_KEY_REUSED. Key, body hash and answer are stored in the transaction of the write itself.
 */
export async function writeOnce<Data>(
  services: BoardServices,
  operation: Pick<Operation, 'id' | 'method'>,
  context: RequestContext,
  fail: Fail<WriteErrors>,
  terms: WriteTerms,
  work: (tx: Transaction) => Promise<WriteOutcome<Data>>,
): Promise<Reply<Data>> {
  const scope = scopeOf(services, operation, context, fail);
  const reply = await storeOr(terms.unavailable, () =>
    services.board.write(async (tx): Promise<Reply<Data>> => {
      const group = services.boundsStorage ? groupHash(services, context) : null;
      const [kept, stored] = await Promise.all([
        scope === null ? undefined : idempotencyRow(tx, scope),
        group === null ? 0 : storedBytes(tx, group),
      ]);
      const replayed = kept && scope ? await replay<Data>(services, tx, scope, kept, context, fail) : null;
      if (replayed) return replayed;
      if (group !== null) requireRoom(tx, stored);
      const { created, data } = await work(tx);
      const status = created ? 201 : 200;
      if (scope !== null) {
        await clearIdempotency(tx, tx.now - KEPT_MICROS);
        await remember(services, tx, scope, context, status, data);
      }
      if (group !== null) await countStored(tx, group);
      return { data, status };
    }),
  );
  return withHonesty(reply, terms);
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
  terms: WriteTerms,
): Promise<Reply<Data> | null> {
  const scope = scopeOf(services, operation, context, fail);
  if (scope === null) return null;
  const row = await storeOr(terms.unavailable, () => idempotencyRow(services.board.read, scope));
  if (!row || row.created_at <= context.now.getTime() * 1000 - KEPT_MICROS) return null;
  return withHonesty(replayOf<Data>(services, scope, row, context, fail), terms);
}

function withHonesty<Data>(reply: Reply<Data>, { honesty }: WriteTerms): Reply<Data> {
  return honesty === undefined ? reply : { ...reply, meta: { ...reply.meta, honesty } };
}

/** Turns whatever the store throws into the operation's 503. */
export async function storeOr<T>(unavailable: ErrorCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem(unavailable, { cause: error, ...saidOf(error) });
  }
}

/** What is known of a write that failed, where that is more than its code says. */
function saidOf(error: unknown): { message?: string; hint?: string } {
  if (error instanceof BoardReadOnly) return { message: `Nothing was carried out: ${error.message}.` };
  if (error instanceof NotStored) return { message: 'Nothing was carried out: the database could not store it.' };
  if (!(error instanceof OutcomeUnknown)) return {};
  return {
    message: `It may have been stored: ${error.message}.`,
    hint: 'Send the same request with the same Idempotency-Key again: it is carried out once, and answered as the first time if it was stored. Without a key, look first whether it is there.',
  };
}

/** Reads in one transaction, so that the parts of an answer agree. */
export function readTogether<T>(board: Board, unavailable: ErrorCode, work: (db: Reader) => Promise<T>): Promise<T> {
  return storeOr(unavailable, () => board.snapshot(work));
}

/** Where a write came from, hashed. */
export interface Caller {
  address: string;
  group: string;
}

/** The hash under which an address is counted, never shown. */
export function addressHash(services: BoardServices, context: RequestContext): string {
  return sha256(`${services.addressSalt}\n${context.address}`);
}

/** The hash of the caller's group of addresses (/24 or /48), never shown: voices from one group count as one. */
export function groupHash(services: BoardServices, context: RequestContext): string {
  return sha256(`${services.addressSalt}\n${addressGroup(context.address)}`);
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

/** A key belongs to its caller, the API key that was sent or else the group of addresses: strangers share none. */
function scopeOf(
  services: BoardServices,
  { method }: Pick<Operation, 'method'>,
  context: RequestContext,
  fail: Fail<WriteErrors>,
): Scope | null {
  const key = idempotencyKey(context, fail);
  if (key === null) return null;
  const apiKey = context.header('x-api-key');
  const caller = apiKey === null ? `group ${groupHash(services, context)}` : `key ${apiKey}`;
  return { key, hash: sha256([method, context.path, caller, key].join('\n')) };
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
  services: BoardServices,
  tx: Transaction,
  scope: Scope,
  row: IdempotencyRow,
  context: RequestContext,
  fail: Fail<WriteErrors>,
): Promise<Reply<Data> | null> {
  if (row.created_at <= tx.now - KEPT_MICROS) {
    await tx.deleteFrom('idempotency').where('scope_hash', '=', scope.hash).execute();
    return null;
  }
  return replayOf<Data>(services, scope, row, context, fail);
}

async function idempotencyRow(db: Reader, { hash }: Scope): Promise<IdempotencyRow | undefined> {
  return (await db.rows(keptUnder, { hash }))[0];
}

function replayOf<Data>(
  { board }: BoardServices,
  { hash }: Scope,
  row: IdempotencyRow,
  context: RequestContext,
  fail: Fail<WriteErrors>,
): Reply<Data> {
  if (row.body_hash !== bodyHash(context)) fail('IDEMPOTENCY_KEY_REUSED');
  const { data, withheld } = shownAgain(board.sealer, hash, row);
  return {
    data: data as Data,
    status: row.status,
    headers: { 'idempotency-replayed': 'true' },
    meta: { idempotencyReplayed: true, ...(withheld === null ? {} : { withheld }) },
  };
}

async function remember(
  { board }: BoardServices,
  tx: Transaction,
  { key, hash }: Scope,
  context: RequestContext,
  status: number,
  data: unknown,
): Promise<void> {
  const kept = keptAnswer(board.sealer, hash, key, data);
  const row = { scope_hash: hash, body_hash: bodyHash(context), ...kept, status, created_at: tx.now };
  await tx.insert('idempotency', row);
}
