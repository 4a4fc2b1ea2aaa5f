import type { AssignmentKind } from '../../contract/ids.ts';
import type { Reader } from './reader.ts';
import type { TallyRow } from './tables.ts';

export interface TallySubject {
  kind: AssignmentKind;
  id: string;
}

/** Rows of a list by state, in all or of one objective or question. Primary key, a row for each state. */
export async function tallyOf(
  db: Reader,
  list: TallyRow['list'],
  of?: TallySubject,
): Promise<ReadonlyMap<string, number>> {
  const subject = of === undefined ? '' : `${of.kind} ${of.id}`;
  const rows = await tallies(db, list).where('subject', '=', subject).execute();
  return new Map(rows.map(({ state, count }) => [state, count]));
}

/** Number of rows of a list in one state, or in all states; reads the rows that `tallyOf` reads. */
export async function talliedRows(db: Reader, list: TallyRow['list'], state?: string): Promise<number> {
  const counts = await tallyOf(db, list);
  if (state !== undefined) return counts.get(state) ?? 0;
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Rows of a list by subject and state. A range of the primary key; a row for each state of a subject. */
export async function tallyBySubject(
  db: Reader,
  list: TallyRow['list'],
): Promise<(TallySubject & Pick<TallyRow, 'state' | 'count'>)[]> {
  const rows = await tallies(db, list).where('subject', '>', '').execute();
  return rows.map(({ subject, state, count }) => {
    const [kind, id] = subject.split(' ', 2) as [AssignmentKind, string];
    return { kind, id, state, count };
  });
}

function tallies(db: Reader, list: TallyRow['list']) {
  return db.selectFrom('tallies').select(['subject', 'state', 'count']).where('list', '=', list);
}
