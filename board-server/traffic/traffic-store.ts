import type { Beside } from '../kit/beside.ts';
import type { Reader } from '../store/reader.ts';
import type { GatewayTrafficRow } from './tables.ts';

/** Adds counts, and removes those before a slot. Primary key. */
export async function addTraffic(db: Beside, counted: readonly GatewayTrafficRow[], oldest: number): Promise<void> {
  if (counted.length > 0) {
    await db
      .insertInto('gateway_traffic')
      // In one order for all gateways, so that no two wait for each other's rows.
      .values(counted.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)))
      .onConflict((conflict) =>
        conflict.columns(['slot', 'door', 'status']).doUpdateSet((row) => ({
          requests: row('gateway_traffic.requests', '+', row.ref('excluded.requests')),
        })),
      )
      .execute();
  }
  await db.deleteFrom('gateway_traffic').where('slot', '<', oldest).execute();
}

/** The counts since a slot by door and status, each with its first slot. Walks over one day at most. */
export function trafficSince(
  db: Reader,
  oldest: number,
): Promise<{ door: string; status: string; requests: number; first: number }[]> {
  return db
    .selectFrom('gateway_traffic')
    .select(({ fn }) => ['door', 'status', fn.sum<number>('requests').as('requests'), fn.min('slot').as('first')])
    .where('slot', '>=', oldest)
    .groupBy(['door', 'status'])
    .orderBy('door')
    .orderBy('status')
    .execute();
}

function nameOf({ slot, door, status }: GatewayTrafficRow): string {
  return `${slot} ${door} ${status}`;
}
