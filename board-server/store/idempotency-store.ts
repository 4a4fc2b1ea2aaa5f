import { sql } from 'kysely';
import { type Places, preparedRead, preparedWrite } from './prepared.ts';
import type { Transaction } from './transaction.ts';

/** More than one for each write, so that a backlog shrinks; few, so that old answers slow no write down. */
const CLEARED_PER_WRITE = 20;

/** The answer kept under a scope. Primary key; one row. */
export const keptUnder = preparedRead((db, { hash }: Places<{ hash: string }>) =>
  db.selectFrom('idempotency').selectAll().where('scope_hash', '=', hash),
);

/** Removes the oldest answers kept since `until` or before. Oldest first; idempotency_age; at most 20 rows. */
export function clearIdempotency(tx: Transaction, until: number): Promise<void> {
  return tx.run(clearOldest, { until });
}

const clearOldest = preparedWrite((db, { until }: Places<{ until: number }>) =>
  db
    .deleteFrom('idempotency')
    .where('scope_hash', 'in', (old) =>
      old
        .selectFrom('idempotency')
        .select('scope_hash')
        .where('created_at', '<=', until)
        .orderBy('created_at')
        .limit(sql.lit(CLEARED_PER_WRITE)),
    ),
);
