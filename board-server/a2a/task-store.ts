import type { Beside } from '../kit/beside.ts';
import type { Reader } from '../store/reader.ts';
import type { A2aTaskRow } from './tables.ts';

export interface TaskBounds {
  tasksPerAddress: number;
  bytesPerAddress: number;
  bytesTotal: number;
}

/** Tasks that one statement removes. */
const REMOVED_AT_ONCE = 500;

type Found = Pick<A2aTaskRow, 'id' | 'body'>;

/** The task with this id of this caller, if it changed after a time. Primary key. */
export function taskById(
  db: Reader,
  { id, callerHash, after }: { id: string; callerHash: string; after: number },
): Promise<Found | undefined> {
  return db
    .selectFrom('a2a_tasks')
    .select(['id', 'body'])
    .where('id', '=', id)
    .where('caller_hash', '=', callerHash)
    .where('changed_at', '>', after)
    .executeTakeFirst();
}

/** The newest task that the message with this hash began, if it changed after a time. a2a_tasks_by_request. */
export function taskByRequest(
  db: Reader,
  { request, after }: { request: string; after: number },
): Promise<Found | undefined> {
  return db
    .selectFrom('a2a_tasks')
    .select(['id', 'body'])
    .where('request', '=', request)
    .where('changed_at', '>', after)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Stores a task; one that is there keeps its address, its caller and the hash of its first message. Gives the address. */
export async function putTask(db: Beside, row: A2aTaskRow): Promise<string> {
  const stored = await db
    .insertInto('a2a_tasks')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(({ ref }) => ({
        changed_at: ref('excluded.changed_at'),
        bytes: ref('excluded.bytes'),
        body: ref('excluded.body'),
      })),
    )
    .returning('address_hash')
    .executeTakeFirstOrThrow();
  return stored.address_hash;
}

/** Removes the oldest tasks of an address until it is within its bounds. One put adds one task, so that few go at a time. */
export async function keepWithinShare(db: Beside, addressHash: string, bounds: TaskBounds): Promise<void> {
  for (;;) {
    const held = await db
      .selectFrom('a2a_holdings')
      .select(['tasks', 'bytes'])
      .where('address_hash', '=', addressHash)
      .executeTakeFirst();
    if (held === undefined || (held.tasks <= bounds.tasksPerAddress && held.bytes <= bounds.bytesPerAddress)) return;
    const removed = await db
      .deleteFrom('a2a_tasks')
      .where('id', 'in', (eb) => {
        // a2a_tasks_by_address
        const oldest = eb.selectFrom('a2a_tasks').select('id').where('address_hash', '=', addressHash);
        return unlocked(db, oldest.orderBy('changed_at').orderBy('id').limit(1));
      })
      .executeTakeFirst();
    if (Number(removed.numDeletedRows) === 0) return;
  }
}

/** Removes tasks that did not change after a time, the oldest first, some at a time. a2a_tasks_by_age. */
export async function removeExpired(db: Beside, until: number): Promise<void> {
  await db
    .deleteFrom('a2a_tasks')
    .where('id', 'in', (eb) => {
      const expired = eb.selectFrom('a2a_tasks').select('id').where('changed_at', '<=', until);
      return unlocked(db, expired.orderBy('changed_at').orderBy('id').limit(REMOVED_AT_ONCE));
    })
    .execute();
}

/** Removes the oldest of all tasks until they are within their bound. Adds up the holdings of all addresses once. */
export async function keepWithinTotal(db: Beside, { bytesTotal }: TaskBounds): Promise<void> {
  const all = await db
    .selectFrom('a2a_holdings')
    .select(({ fn }) => fn.sum<number | null>('bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  let over = (all.bytes ?? 0) - bytesTotal;
  while (over > 0) {
    const oldest = await db
      .selectFrom('a2a_tasks')
      .select(['id', 'bytes'])
      .orderBy('changed_at')
      .orderBy('id')
      .limit(REMOVED_AT_ONCE)
      .execute();
    const ids: string[] = [];
    for (const { id, bytes } of oldest) {
      if (over <= 0) break;
      ids.push(id);
      over -= bytes;
    }
    if (ids.length === 0) return;
    await db.deleteFrom('a2a_tasks').where('id', 'in', ids).execute();
  }
}

/** Leaves out rows that another board is just removing: no two then wait for each other. A file has one writer. */
function unlocked<Query extends { forUpdate(): Query; skipLocked(): Query }>(db: Beside, query: Query): Query {
  return db.dialect === 'postgres' ? query.forUpdate().skipLocked() : query;
}
