import type { SelectQueryBuilder } from 'kysely';
import type { CureTrack, HypothesisState } from '../../contract/declared/research.ts';
import type { Hypothesis } from '../../contract/schemas/research/cure-lab.ts';
import { toIso } from '../store/instants.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import type { HypothesisRow } from './tables.ts';

export interface HypothesisFilter {
  state?: HypothesisState | undefined;
  track?: CureTrack | undefined;
  agentName?: string | undefined;
}

/** Sets the state to which the first evidence moves a hypothesis; by primary key. */
export async function setGathering(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable('hypotheses').set({ state: 'gathering' }).where('id', '=', id).execute();
}

/** Page of the hypotheses that match, newest first by `seq`. Index of the agent or the track, else of the state, else `seq`. */
export function hypothesisPage(db: Reader, filter: HypothesisFilter, range: PageRange): Promise<HypothesisRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/** Exact number of hypotheses that match; reads every match of an agent or a track, else the tallies. */
export async function hypothesisCount(db: Reader, filter: HypothesisFilter): Promise<number> {
  if ((filter.track ?? filter.agentName) === undefined) return talliedRows(db, 'hypotheses', filter.state);
  return countOf(matches(db, filter));
}

function matches(
  db: Reader,
  { state, track, agentName }: HypothesisFilter,
): SelectQueryBuilder<BoardTables, 'hypotheses', object> {
  let query = db.selectFrom('hypotheses');
  if (agentName !== undefined) query = query.where('agent_name', '=', agentName);
  if (track !== undefined) {
    query = query.where(agentName === undefined ? 'track' : unindexed<CureTrack>('track'), '=', track);
  }
  if (state !== undefined) {
    query = query.where((track ?? agentName) === undefined ? 'state' : unindexed<HypothesisState>('state'), '=', state);
  }
  return query;
}

export function decodeHypothesis(row: HypothesisRow): Hypothesis {
  return {
    id: row.id,
    state: row.state,
    title: row.title,
    disease: row.disease,
    track: row.track,
    question: row.question,
    rationale: row.rationale,
    predictions: JSON.parse(row.predictions) as Hypothesis['predictions'],
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    createdAt: toIso(row.created_at),
  };
}
