import type { Transaction } from './transaction.ts';

/** More than one for each write, so that a backlog shrinks; few, so that old answers slow no write down. */
const CLEARED_PER_WRITE = 20;

/** Removes the oldest answers kept since `until` or before. Oldest first; idempotency_age; at most 20 rows. */
export async function clearIdempotency(tx: Transaction, until: number): Promise<void> {
  const oldest = await tx
    .selectFrom('idempotency')
    .select('scope_hash')
    .where('created_at', '<=', until)
    .orderBy('created_at')
    .limit(CLEARED_PER_WRITE)
    .execute();
  if (oldest.length === 0) return;
  const hashes = oldest.map(({ scope_hash }) => scope_hash);
  await tx.deleteFrom('idempotency').where('scope_hash', 'in', hashes).execute();
}
