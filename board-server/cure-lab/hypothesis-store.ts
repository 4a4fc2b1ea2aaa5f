import type { SelectQueryBuilder } from 'kysely';
import type { CureTrack, HypothesisState } from '../../contract/research.ts';
import type { Hypothesis } from '../../contract/schemas/cure-lab.ts';
import { toIso } from '../store/instants.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import { storable, storableOrNull } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { HypothesisRow } from './tables.ts';

export interface HypothesisFilter {
  state?: HypothesisState | undefined;
  track?: CureTrack | undefined;
}

/** Stores a hypothesis; the unique index on its content hash refuses an identical one. */
export async function insertHypothesis(tx: Transaction, row: HypothesisRow): Promise<void> {
  const stored = {
    ...row,
    title: storable(row.title),
    question: storable(row.question),
    rationale: storable(row.rationale),
    predictions: storable(row.predictions),
    agent_name: storable(row.agent_name),
    agent_contact: storableOrNull(row.agent_contact),
  };
  await tx.insertInto('hypotheses').values(stored).execute();
}

/** One hypothesis by primary key. */
export function hypothesisById(db: Reader, id: string): Promise<HypothesisRow | undefined> {
  return db.selectFrom('hypotheses').selectAll().where('id', '=', storable(id)).executeTakeFirst();
}

/** The hypothesis that says exactly this; one row of the unique index on the content hash. */
export function hypothesisByContent(db: Reader, contentHash: string): Promise<HypothesisRow | undefined> {
  return db.selectFrom('hypotheses').selectAll().where('content_hash', '=', contentHash).executeTakeFirst();
}

/** Sets the state that the first evidence brings about, by primary key. */
export async function setGathering(tx: Transaction, id: string): Promise<void> {
  await tx.updateTable('hypotheses').set({ state: 'gathering' }).where('id', '=', id).execute();
}

/** Page of the hypotheses that match, newest first by `seq`. Index of the track, else of the state, else `seq`. */
export function hypothesisPage(db: Reader, filter: HypothesisFilter, range: PageRange): Promise<HypothesisRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/** Exact number of hypotheses that match; reads every match of a track, else the tallies. */
export async function hypothesisCount(db: Reader, filter: HypothesisFilter): Promise<number> {
  if (filter.track === undefined) return talliedRows(db, 'hypotheses', filter.state);
  return countOf(matches(db, filter));
}

function matches(
  db: Reader,
  { state, track }: HypothesisFilter,
): SelectQueryBuilder<BoardTables, 'hypotheses', object> {
  let query = db.selectFrom('hypotheses');
  if (track !== undefined) query = query.where('track', '=', track);
  if (state !== undefined) {
    query = query.where(track === undefined ? 'state' : unindexed<HypothesisState>('state'), '=', state);
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
