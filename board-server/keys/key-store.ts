import type { KeyRecord } from '../../contract/schemas/key.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import { storable } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { ApiKeyRow } from './tables.ts';

/** The live key with this hash, by the unique index on key_hash; at most one row. */
export async function liveKeyByHash(db: Reader, keyHash: string): Promise<ApiKeyRow | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** The live key itself, which is stored as its SHA-256 only. */
export function liveKey(db: Reader, key: string): Promise<ApiKeyRow | undefined> {
  return liveKeyByHash(db, sha256(key));
}

/** Adds a key; runs inside a write. */
export async function insertKey(tx: Transaction, row: ApiKeyRow): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({ ...row, label: storable(row.label) })
    .execute();
}

/** Sets label, rate limit and the times of change of one key, by primary key; runs inside a write. */
export async function updateKey(tx: Transaction, row: ApiKeyRow): Promise<void> {
  const { label, rate_limit, updated_at, revoked_at } = row;
  await tx
    .updateTable('api_keys')
    .set({ label: storable(label), rate_limit, updated_at, revoked_at })
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
    revokedAt: row.revoked_at === null ? null : toIso(row.revoked_at),
  };
}
