import type { SelectQueryBuilder } from 'kysely';
import type { CureTrack, EvidenceDirection, LabDiseaseId, OutcomeCategory } from '../../contract/declared/research.ts';
import { countOf, newestPage, type PageRange } from '../store/page-range.ts';
import { unindexed } from '../store/planner.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { EvidenceRow } from './tables.ts';

/** Which claims a list holds; `source` is a kind, a colon and the id in its one form. */
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

/** Columns of the filters, the narrowest first: the first one that is given decides which index is used. */
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

/** Page of the claims that match, newest first by `seq`; at most `limit` rows, by the index of the narrowest filter. */
export function evidencePage(db: Reader, filter: EvidenceFilter, range: PageRange): Promise<EvidenceRow[]> {
  return newestPage(matches(db, filter).selectAll(), range);
}

/**
 * Exact number of claims that match: all of them from the tally, otherwise by reading every match through the index
 * that `evidencePage` uses.
 */
export async function evidenceCount(db: Reader, filter: EvidenceFilter): Promise<number> {
  if (Object.values(filter).every((value) => value === undefined)) return talliedRows(db, 'evidence');
  return countOf(matches(db, filter));
}

type EvidenceQuery = SelectQueryBuilder<BoardTables, 'evidence', object>;

function matches(db: Reader, filter: EvidenceFilter): EvidenceQuery {
  let query = db.selectFrom('evidence');
  let isChosen = false;
  for (const [name, column] of COLUMNS) {
    const value = filter[name];
    if (value === undefined) continue;
    query = query.where(isChosen ? unindexed<string>(column) : column, '=', value);
    isChosen = true;
  }
  return query;
}

/** Ids of one side of a source's claims, newest first. Index evidence_source_side. */
export function sourceSide(db: Reader, source: string, direction: EvidenceDirection, limit: number): Promise<string[]> {
  return idsOfSide(db.selectFrom('evidence').where('source', '=', source), direction, limit);
}

/** Ids of one side of an outcome's claims, newest first. Index evidence_outcome_side. */
export function outcomeSide(
  db: Reader,
  { disease, track, outcomeCategory, stage }: OutcomeGroup,
  direction: EvidenceDirection,
  limit: number,
): Promise<string[]> {
  const claims = db
    .selectFrom('evidence')
    .where('disease', '=', disease)
    .where('track', '=', track)
    .where('outcome_category', '=', outcomeCategory)
    .where('disease_stage', '=', stage);
  return idsOfSide(claims, direction, limit);
}

async function idsOfSide(claims: EvidenceQuery, direction: EvidenceDirection, limit: number): Promise<string[]> {
  const side = claims.select('id').where('direction', '=', direction).orderBy('seq', 'desc').limit(limit);
  return (await side.execute()).map(({ id }) => id);
}
