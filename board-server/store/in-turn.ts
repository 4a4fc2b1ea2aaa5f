import type { BoardEffects } from './effects.ts';
import type { Session } from './session.ts';
import { type Position, Transaction } from './transaction.ts';

type Work = (tx: Transaction) => Promise<unknown>;

/** What became of one write: its value or why it failed, and the events that it leaves. */
export interface Ran {
  value?: unknown;
  error?: unknown;
  announced: Transaction['announced'];
}

/**
 * Runs writes one after the other, each in a savepoint: one that fails leaves nothing, and the others stand. A write begins
 * before the store has said that the one before it has ended, and so shares its way there. Where that one failed after
 * all, the store refuses whatever came behind it, and those writes run again from their beginning.
 */
export async function runInTurn(
  session: Session,
  works: readonly Work[],
  head: Position,
  effects: BoardEffects,
): Promise<Ran[]> {
  const ran: Ran[] = [];
  const starts: Position[] = [];
  /** Ends of the last of `ran` that the store has not confirmed. */
  let ends: Promise<unknown>[] = [];
  for (;;) {
    const work = works[ran.length];
    starts[ran.length] = { ...head };
    const tx = new Transaction(session, head, effects);
    if (work !== undefined) session.sendLater('SAVEPOINT one_write');
    try {
      if (work === undefined) {
        await Promise.all(ends);
        return ran;
      }
      const value = await work(tx);
      const end = session.send('RELEASE one_write');
      if (end instanceof Promise) ends.push(heard(end));
      Object.assign(head, tx.position);
      ran.push({ value, announced: tx.announced });
    } catch (error) {
      const failed = await firstFailed(ends);
      const place = failed === null ? ran.length : ran.length - ends.length + failed.place;
      const cause = failed === null ? error : failed.error;
      // After some faults (a full disk, a lost connection) everything is rolled back, the earlier writes too.
      if (!session.inTransaction) throw cause;
      await session.send('ROLLBACK TO one_write');
      await session.send('RELEASE one_write');
      Object.assign(head, starts[place]);
      ran.splice(place, ran.length, { error: cause, announced: [] });
      ends = [];
    }
  }
}

/** For a promise that is waited for later. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

async function firstFailed(ends: readonly Promise<unknown>[]): Promise<{ place: number; error: unknown } | null> {
  for (const [place, end] of (await Promise.allSettled(ends)).entries()) {
    if (end.status === 'rejected') return { place, error: end.reason };
  }
  return null;
}
