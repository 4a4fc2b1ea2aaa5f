import { DATABASE_CLOCK as CLOCK } from '../store/instants.ts';
import type { Session } from '../store/session.ts';

/** Statements of PostgreSQL. */

/**
 * Takes the lease of a subscription that nobody else holds, or renews one's own, and gives the fence number, which is a
 * new one unless the lease was renewed in time. Null for a lease that another one holds, and where the row is being
 * written to: nobody waits for a lock here, so that no two can wait for each other. A lease that lasts longer than any
 * was given for is of another clock, as after a failover to a server that is behind, and free. Primary key.
 */
export async function takeLease(
  session: Session,
  { id, holder, leaseMs }: { id: string; holder: string; leaseMs: number },
): Promise<number | null> {
  const { rows } = await session.send(
    `WITH free AS (
       SELECT id AS free_id, (lease_holder IS NOT DISTINCT FROM $2 AND lease_until > ${CLOCK}) AS is_own
       FROM webhooks WHERE id = $1
         AND (lease_holder IS NOT DISTINCT FROM $2 OR lease_until <= ${CLOCK} OR lease_until > ${CLOCK} + 2 * $3::bigint)
       FOR UPDATE SKIP LOCKED)
     UPDATE webhooks SET lease_holder = $2, lease_until = ${CLOCK} + $3::bigint,
       fence = fence + CASE WHEN is_own THEN 0 ELSE 1 END
     FROM free WHERE id = free_id RETURNING fence`,
    [id, holder, leaseMs * 1000],
  );
  return (rows as { fence: number }[])[0]?.fence ?? null;
}

/** Milliseconds until a lease ends, 0 or less for one that nobody holds. Primary key. */
export async function leftOfLease(session: Session, id: string): Promise<number> {
  const { rows } = await session.send(`SELECT (lease_until - ${CLOCK}) / 1000 AS left_ms FROM webhooks WHERE id = $1`, [
    id,
  ]);
  return (rows as { left_ms: number }[])[0]?.left_ms ?? 0;
}

/** Ends all leases of a holder; walks over the subscriptions, at most WEBHOOK_MAX_TOTAL. */
export async function freeLeases(session: Session, holder: string): Promise<void> {
  await session.send(
    `UPDATE webhooks SET lease_until = 0 WHERE id IN (
       SELECT id FROM webhooks WHERE lease_holder = $1 AND lease_until > 0 FOR UPDATE SKIP LOCKED)`,
    [holder],
  );
}
