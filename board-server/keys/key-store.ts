import type { KeyRecord } from '../../contract/schemas/key.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import type { ApiKeyRow } from './tables.ts';

/** The key with this hash that is live at `now`, by the unique index on key_hash; at most one row. */
export async function liveKeyByHash(db: Reader, keyHash: string, now: number): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** The live key itself, which is stored as its SHA-256 only. */
export function liveKey(db: Reader, key: string, now: number): Promise<ApiKeyRow | undefined> {
  return liveKeyByHash(db, sha256(key), now);
}

/** When the live keys of a group end, soonest first, by the index on group and end date; at most `limit`. */
export async function endsOfLiveKeys(db: Reader, groupHash: string, now: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('expires_at')
    .where('group_hash', '=', groupHash)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map(({ expires_at }) => expires_at);
}

/** Sets label, rate limit, end date and the times of change of one key, by primary key; runs inside a write. */
export async function updateKey(tx: Transaction, row: ApiKeyRow): Promise<void> {
  const { label, rate_limit, updated_at, revoked_at, expires_at } = row;
  await tx
    .updateTable('api_keys')
    .set({ label, rate_limit, updated_at, revoked_at, expires_at })
    .where('id', '=', row.id)
    .execute();
}

/** What its holder sees of a row. */
export function keyRecord(row: ApiKeyRow): KeyRecord {
  return {
    id: row.id,
    label: row.label,
    rateLimit: row.rate_limit,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
    expiresAt: toIso(row.expires_at),
    revokedAt: row.revoked_at === null ? null : toIso(row.revoked_at),
  };
}
