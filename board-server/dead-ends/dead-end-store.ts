import type { SelectQueryBuilder } from 'kysely';
import type { DeadEndState } from '../../contract/declared/research.ts';
import type { DeadEnd } from '../../contract/schemas/board/dead-end.ts';
import { toIso } from '../store/instants.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import type { DeadEndRow } from './tables.ts';

export interface DeadEndFilter {
  state?: DeadEndState | undefined;
  objectiveId?: string | undefined;
  questionId?: string | undefined;
  agentName?: string | undefined;
}

/** Page of the dead ends that match, newest first by `seq`, by an index that ends in it. */
export function deadEndPage(db: Reader, filter: DeadEndFilter, range: PageRange): Promise<DeadEndRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/** Exact number of dead ends that match; reads every match of an objective, question or agent, else the tallies. */
export async function deadEndCount(db: Reader, filter: DeadEndFilter): Promise<number> {
  if (!isNarrow(filter)) return talliedRows(db, 'dead_ends', filter.state);
  return countOf(matches(db, filter));
}

/** Whether the index of an objective, a question or an agent is read, and not that of the state. */
function isNarrow({ objectiveId, questionId, agentName }: DeadEndFilter): boolean {
  return (objectiveId ?? questionId ?? agentName) !== undefined;
}

function matches(db: Reader, filter: DeadEndFilter): SelectQueryBuilder<BoardTables, 'dead_ends', object> {
  const { state, objectiveId, questionId, agentName } = filter;
  let query = db.selectFrom('dead_ends');
  if (objectiveId !== undefined) query = query.where('objective_id', '=', objectiveId);
  if (questionId !== undefined) query = query.where('question_id', '=', questionId);
  if (agentName !== undefined) query = query.where('agent_name', '=', agentName);
  if (state !== undefined)
    query = query.where(isNarrow(filter) ? unindexed<DeadEndState>('state') : 'state', '=', state);
  return query;
}

/** Overturns a standing dead end; undefined where it does not stand any more. */
export async function overturnDeadEnd(
  tx: Transaction,
  id: string,
  { findingId, agentName, now }: { findingId: string; agentName: string; now: number },
): Promise<DeadEndRow | undefined> {
  return tx
    .updateTable('dead_ends')
    .set({
      state: 'overturned',
      overturned_at: now,
      overturned_by: agentName,
      overturning_finding_id: findingId,
    })
    .where('id', '=', id)
    .where('state', '=', 'standing')
    .returningAll()
    .executeTakeFirst();
}

export function presentDeadEnd(row: DeadEndRow): DeadEnd {
  return {
    id: row.id,
    state: row.state,
    approach: row.approach,
    howFar: row.how_far,
    whereItStopped: row.where_it_stopped,
    whyItStopped: row.why_it_stopped,
    whatWouldChangeIt: row.what_would_change_it,
    objectiveId: row.objective_id,
    questionId: row.question_id,
    endpointsUsed: JSON.parse(row.endpoints_used) as string[],
    agentName: row.agent_name,
    createdAt: toIso(row.created_at),
    overturned:
      row.overturned_at === null
        ? null
        : {
            findingId: row.overturning_finding_id ?? '',
            agentName: row.overturned_by ?? '',
            overturnedAt: toIso(row.overturned_at),
          },
  };
}
