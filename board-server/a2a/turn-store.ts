import { sql } from 'kysely';
import type { Beside } from '../kit/beside.ts';
import { DATABASE_CLOCK } from '../store/instants.ts';

export interface Turn {
  turn: string;
  holder: string;
}

/** The time by which turns end: that of the database where several boards share one. */
function clock(db: Beside, now: number) {
  return db.dialect === 'postgres' ? sql<number>`${sql.raw(DATABASE_CLOCK)}` : sql<number>`${now}`;
}

/** Takes a turn for so long, unless another one holds it. Primary key. */
export async function takeTurn(db: Beside, { turn, holder }: Turn, micros: number, now: number): Promise<boolean> {
  const at = clock(db, now);
  const taken = await db
    .insertInto('a2a_turns')
    .values({ turn, holder, until: sql<number>`${at} + ${sql.lit(micros)}` })
    .onConflict((conflict) =>
      conflict
        .column('turn')
        .doUpdateSet(({ ref }) => ({ holder: ref('excluded.holder'), until: ref('excluded.until') }))
        .where(({ eb, ref, or }) =>
          or([eb('a2a_turns.until', '<=', at), eb('a2a_turns.holder', '=', ref('excluded.holder'))]),
        ),
    )
    .returning('turn')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Primary key. */
export async function endTurn(db: Beside, { turn, holder }: Turn): Promise<void> {
  await db.deleteFrom('a2a_turns').where('turn', '=', turn).where('holder', '=', holder).execute();
}

/** Removes what gateways that died left; walks over the turns that are held. */
export async function removeEnded(db: Beside, now: number): Promise<void> {
  await db.deleteFrom('a2a_turns').where('until', '<=', clock(db, now)).execute();
}
