import {
  KEY_BELIEVED_MAX_SECONDS,
  KEY_LIFE_DAYS,
  KEY_RATE_LIMIT_DEFAULT_PER_MINUTE,
  KEY_RATE_LIMIT_MAX_PER_MINUTE,
  KEY_RATE_LIMIT_MIN_PER_MINUTE,
  KEYS_LIVE_MAX_PER_GROUP,
} from '../../contract/limits/limits.ts';
import { changeKey, createKey, type KEY_OPERATIONS, revokeKey } from '../../contract/operations/service/keys.ts';
import { API_KEY_PREFIX } from '../../contract/schemas/key.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import type { BoardServices } from '../kit/services.ts';
import { groupHash, storeOr, writeOnce } from '../kit/write.ts';
import { toIso, toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { endsOfLiveKeys, keyRecord, liveKey, updateKey } from './key-store.ts';
import type { ApiKeyRow } from './tables.ts';

const LIFE_MICROS = KEY_LIFE_DAYS * 86_400_000_000;

export const keyHandlers: Handlers<typeof KEY_OPERATIONS, BoardServices> = {
  'keys-create': ({ body }, context, services, fail) => {
    const label = body.label?.trim() || fail('MISSING_LABEL');
    const rateLimit = requestedRate(body.rateLimit, fail) ?? KEY_RATE_LIMIT_DEFAULT_PER_MINUTE;
    return writeOnce(services, createKey, context, fail, { unavailable: 'KEY_CREATE_FAILED' }, async (tx) => {
      const sent = context.header('x-api-key');
      if (sent !== null && !(await liveKey(tx, sent, tx.now))) {
        fail('INVALID_KEY', { message: 'The key in X-Api-Key is not live; leave the header out to create another.' });
      }
      const group_hash = groupHash(services, context);
      await requireRoom(tx, group_hash, fail);
      const key = API_KEY_PREFIX + tx.newToken();
      const row = {
        id: tx.newId('key', tx.now),
        key_hash: sha256(key),
        group_hash,
        label,
        rate_limit: rateLimit,
        created_at: tx.now,
        updated_at: tx.now,
        revoked_at: null,
        expires_at: tx.now + LIFE_MICROS,
      };
      await tx.insert('api_keys', row);
      return { created: true, data: { ...keyRecord(row), key } };
    });
  },

  'keys-read': ({ query }, context, { board }, fail) =>
    storeOr('DB_ERROR', async () => ({ data: keyRecord(await ownKey(board.read, context, query.id, fail)) })),

  'keys-change': ({ body }, context, services, fail) => {
    sentKey(context, fail);
    const rateLimit = requestedRate(body.rateLimit, fail);
    const label = body.label?.trim();
    if (label === '') fail('MISSING_LABEL', { message: 'A key keeps a label; leave the field out to keep this one.' });
    return writeOnce(services, changeKey, context, fail, { unavailable: 'UPDATE_FAILED' }, async (tx) => {
      const row = await ownKey(tx, context, body.id ?? undefined, fail);
      const next = { ...row, label: label ?? row.label, rate_limit: rateLimit ?? row.rate_limit };
      const isChanged = next.label !== row.label || next.rate_limit !== row.rate_limit;
      if (!isChanged && body.extend !== true) fail('NO_UPDATES');
      return store(tx, body.extend === true ? { ...next, expires_at: tx.now + LIFE_MICROS } : next);
    });
  },

  'keys-revoke': ({ query }, context, services, fail) => {
    sentKey(context, fail);
    return writeOnce(services, revokeKey, context, fail, { unavailable: 'UPDATE_FAILED' }, async (tx) => {
      const row = await ownKey(tx, context, query.id, fail);
      const { created, data } = await store(tx, { ...row, revoked_at: tx.now });
      return { created, data: { ...data, refusedEverywhereBy: toIso(tx.now + KEY_BELIEVED_MAX_SECONDS * 1_000_000) } };
    });
  },
};

async function store(tx: Transaction, row: ApiKeyRow) {
  const changed = { ...row, updated_at: tx.now };
  await updateKey(tx, changed);
  return { created: false, data: keyRecord(changed) };
}

async function requireRoom(tx: Transaction, groupHash: string, fail: Fail<'WRITE_RATE_LIMITED'>): Promise<void> {
  const ends = await endsOfLiveKeys(tx, groupHash, tx.now, KEYS_LIVE_MAX_PER_GROUP);
  if (ends.length < KEYS_LIVE_MAX_PER_GROUP) return;
  const first = ends[0]!;
  const message = `Your API keys are full: your group of addresses holds ${KEYS_LIVE_MAX_PER_GROUP} live ones, the most it may. The first of them ends by itself at ${toIso(first)}.`;
  const hint =
    'Use a key that you have; where you do not need one of them any more, DELETE /api/v1/keys frees its place.';
  fail('WRITE_RATE_LIMITED', {
    message,
    hint,
    retryable: false,
    retryAfterSeconds: Math.ceil((first - tx.now) / 1_000_000),
  });
}

function sentKey(context: RequestContext, fail: Fail<'AUTH_REQUIRED'>): string {
  return context.header('x-api-key') || fail('AUTH_REQUIRED');
}

/** The live key of the request; `id`, where one is given, must be its own. */
async function ownKey(
  db: Reader,
  context: RequestContext,
  id: string | undefined,
  fail: Fail<'AUTH_REQUIRED' | 'INVALID_KEY' | 'FORBIDDEN'>,
): Promise<ApiKeyRow> {
  const row = (await liveKey(db, sentKey(context, fail), toMicros(context.now))) ?? fail('INVALID_KEY');
  if (id !== undefined && id !== row.id) fail('FORBIDDEN');
  return row;
}

/** Undefined where none was asked for; otherwise a whole number in the permitted range. */
function requestedRate(value: unknown, fail: Fail<'INVALID_RATE_LIMIT'>): number | undefined {
  if (value === undefined || value === null) return undefined;
  const inRange =
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= KEY_RATE_LIMIT_MIN_PER_MINUTE &&
    value <= KEY_RATE_LIMIT_MAX_PER_MINUTE;
  return inRange ? value : fail('INVALID_RATE_LIMIT');
}
