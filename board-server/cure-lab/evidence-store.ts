import type { SelectQueryBuilder } from 'kysely';
import type { CureTrack, EvidenceDirection, LabDiseaseId, OutcomeCategory } from '../../contract/research.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import { storable, storableOrNull } from '../store/text.ts';
import type { Transaction } from '../store/transaction.ts';
import type { EvidenceRow } from './tables.ts';

/** Which claims a list is of; `source` is a kind, a colon and the id in its one form. */
export interface EvidenceFilter {
  disease?: LabDiseaseId | undefined;
  stage?: EvidenceRow['disease_stage'] | undefined;
  track?: CureTrack | undefined;
  direction?: EvidenceDirection | undefined;
  evidenceClass?: EvidenceRow['evidence_class'] | undefined;
  outcomeCategory?: OutcomeCategory | undefined;
  hypothesisId?: string | undefined;
  agentName?: string | undefined;
  source?: string | undefined;
  /** A cohort key as it is folded. */
  cohort?: string | undefined;
}

/** What is claimed about one outcome of one way in one stage of one disease. */
export interface OutcomeGroup {
  disease: LabDiseaseId;
  track: CureTrack;
  outcomeCategory: OutcomeCategory;
  stage: EvidenceRow['disease_stage'];
}

/** Columns of the filters, the narrowest first: the first that is given chooses the index. */
const COLUMNS = [
  ['source', 'source'],
  ['hypothesisId', 'hypothesis_id'],
  ['cohort', 'cohort'],
  ['agentName', 'agent_name'],
  ['outcomeCategory', 'outcome_category'],
  ['evidenceClass', 'evidence_class'],
  ['stage', 'disease_stage'],
  ['track', 'track'],
  ['disease', 'disease'],
  ['direction', 'direction'],
] as const;

/** Stores a claim; the unique index on its content hash refuses an identical one. */
export async function insertEvidence(tx: Transaction, row: EvidenceRow): Promise<void> {
  const stored = {
    ...row,
    claim_text: storable(row.claim_text),
    units: storableOrNull(row.units),
    follow_up: storableOrNull(row.follow_up),
    population: storableOrNull(row.population),
    cohort_key: storableOrNull(row.cohort_key),
    cohort: storableOrNull(row.cohort),
    agent_name: storable(row.agent_name),
    agent_contact: storableOrNull(row.agent_contact),
  };
  await tx.insertInto('evidence').values(stored).execute();
}

/** One claim by primary key. */
export function evidenceById(db: Reader, id: string): Promise<EvidenceRow | undefined> {
  return db.selectFrom('evidence').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The claim that says exactly this; one row of the unique index on the content hash. */
export function evidenceByContent(db: Reader, contentHash: string): Promise<EvidenceRow | undefined> {
  return db.selectFrom('evidence').selectAll().where('content_hash', '=', contentHash).executeTakeFirst();
}

/** Page of the claims that match, newest first by `seq`; at most `limit` rows, by the index of the narrowest filter. */
export function evidencePage(db: Reader, filter: EvidenceFilter, range: PageRange): Promise<EvidenceRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/** Exact number of claims that match; reads every match, by the index that `evidencePage` uses, or the tally of all. */
export async function evidenceCount(db: Reader, filter: EvidenceFilter): Promise<number> {
  if (Object.values(filter).every((value) => value === undefined)) return talliedRows(db, 'evidence');
  return countOf(matches(db, filter));
}

function matches(db: Reader, filter: EvidenceFilter): SelectQueryBuilder<BoardTables, 'evidence', object> {
  let query = db.selectFrom('evidence');
  let isChosen = false;
  for (const [name, column] of COLUMNS) {
    const value = filter[name];
    if (value === undefined) continue;
    query = query.where(isChosen ? unindexed<string>(column) : column, '=', storable(value));
    isChosen = true;
  }
  return query;
}

/** Ids of one side of a source's claims, newest first. Index evidence_source_side. */
export async function sourceSide(
  db: Reader,
  source: string,
  direction: EvidenceDirection,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('evidence')
    .select('id')
    .where('source', '=', storable(source))
    .where('direction', '=', direction)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of one side of an outcome's claims, newest first. Index evidence_outcome_side. */
export async function outcomeSide(
  db: Reader,
  { disease, track, outcomeCategory, stage }: OutcomeGroup,
  direction: EvidenceDirection,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('evidence')
    .select('id')
    .where('disease', '=', disease)
    .where('track', '=', track)
    .where('outcome_category', '=', outcomeCategory)
    .where('disease_stage', '=', stage)
    .where('direction', '=', direction)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
