import {
  KEY_RATE_LIMIT_DEFAULT_PER_MINUTE,
  KEY_RATE_LIMIT_MAX_PER_MINUTE,
  KEY_RATE_LIMIT_MIN_PER_MINUTE,
} from '../../contract/limits.ts';
import { changeKey, createKey, type KEY_OPERATIONS, revokeKey } from '../../contract/operations/keys.ts';
import { API_KEY_PREFIX } from '../../contract/schemas/key.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import type { BoardServices } from '../kit/services.ts';
import { storeOr, writeOnce } from '../kit/write.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { insertKey, keyRecord, liveKey, updateKey } from './key-store.ts';
import type { ApiKeyRow } from './tables.ts';

export const keyHandlers: Handlers<typeof KEY_OPERATIONS, BoardServices> = {
  'keys-create': ({ body }, context, services, fail) => {
    const label = body.label?.trim() || fail('MISSING_LABEL');
    const rateLimit = requestedRate(body.rateLimit, fail) ?? KEY_RATE_LIMIT_DEFAULT_PER_MINUTE;
    return writeOnce(services, createKey, context, fail, 'KEY_CREATE_FAILED', async (tx) => {
      const sent = context.header('x-api-key');
      if (sent !== null && !(await liveKey(tx, sent))) {
        fail('INVALID_KEY', { message: 'The key in X-Api-Key is not live; leave the header out to create another.' });
      }
      const key = API_KEY_PREFIX + tx.newToken();
      const row = {
        id: tx.newId('key', tx.now),
        key_hash: sha256(key),
        label,
        rate_limit: rateLimit,
        created_at: tx.now,
        updated_at: tx.now,
        revoked_at: null,
      };
      await insertKey(tx, row);
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
    return writeOnce(services, changeKey, context, fail, 'UPDATE_FAILED', async (tx) => {
      const row = await ownKey(tx, context, body.id ?? undefined, fail);
      const next = { ...row, label: label ?? row.label, rate_limit: rateLimit ?? row.rate_limit };
      if (next.label === row.label && next.rate_limit === row.rate_limit) fail('NO_UPDATES');
      return store(tx, next);
    });
  },

  'keys-revoke': ({ query }, context, services, fail) => {
    sentKey(context, fail);
    return writeOnce(services, revokeKey, context, fail, 'UPDATE_FAILED', async (tx) => {
      const row = await ownKey(tx, context, query.id, fail);
      return store(tx, { ...row, revoked_at: tx.now });
    });
  },
};

async function store(tx: Transaction, row: ApiKeyRow) {
  const changed = { ...row, updated_at: tx.now };
  await updateKey(tx, changed);
  return { created: false, data: keyRecord(changed) };
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
  const row = (await liveKey(db, sentKey(context, fail))) ?? fail('INVALID_KEY');
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
