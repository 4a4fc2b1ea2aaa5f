import { STORED_BYTES_MAX_PER_DAY, STORED_BYTES_OVERHEAD_FACTOR } from '../../contract/limits/limits.ts';
import { Problem } from '../../server-kit/problem.ts';
import { toIso } from './instants.ts';
import { type Places, preparedRead, preparedWrite } from './prepared.ts';
import type { Transaction } from './transaction.ts';

const DAY_MICROS = 86_400_000_000;

/** Bytes that a group of addresses has stored on the day (UTC). Primary key; one row. */
export async function storedBytes(tx: Transaction, groupHash: string): Promise<number> {
  const [row] = await tx.rows(stored, { day: dayOf(tx), group: groupHash });
  return row?.bytes ?? 0;
}

/** Refuses a write of a group that has stored its bytes of the day; says when the next day begins. */
export function requireRoom(tx: Transaction, bytes: number): void {
  if (bytes < STORED_BYTES_MAX_PER_DAY) return;
  const next = (dayOf(tx) + 1) * DAY_MICROS;
  throw new Problem('WRITE_RATE_LIMITED', {
    message: `Your group of addresses has stored the ${STORED_BYTES_MAX_PER_DAY} bytes that it may store on one day (UTC). The next day begins at ${toIso(next)}; put long content behind an artifactUrl.`,
    retryAfterSeconds: Math.ceil((next - tx.now) / 1_000_000),
  });
}

/** Counts what a write stored so far against its group, with an estimate of what indexes add; forgets earlier days. */
export async function countStored(tx: Transaction, groupHash: string): Promise<void> {
  const day = dayOf(tx);
  await tx.run(forget, { day });
  await tx.run(add, { day, group: groupHash, bytes: tx.bytesStored * STORED_BYTES_OVERHEAD_FACTOR });
}

function dayOf({ now }: Transaction): number {
  return Math.floor(now / DAY_MICROS);
}

interface OfGroup {
  day: number;
  group: string;
}

const stored = preparedRead((db, { day, group }: Places<OfGroup>) =>
  db.selectFrom('stored_bytes').select('bytes').where('day', '=', day).where('group_hash', '=', group),
);

const forget = preparedWrite((db, { day }: Places<{ day: number }>) =>
  db.deleteFrom('stored_bytes').where('day', '<', day),
);

const add = preparedWrite((db, { day, group, bytes }: Places<OfGroup & { bytes: number }>) =>
  db
    .insertInto('stored_bytes')
    .values({ day, group_hash: group, bytes })
    .onConflict((conflict) =>
      conflict.columns(['day', 'group_hash']).doUpdateSet((row) => ({
        bytes: row('stored_bytes.bytes', '+', row.ref('excluded.bytes')),
      })),
    ),
);
