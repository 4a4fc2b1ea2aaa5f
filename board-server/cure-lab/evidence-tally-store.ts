import { sql } from 'kysely';
import type { EvidenceClass, EvidenceDirection } from '../../contract/declared/research.ts';
import { newestPage, type PageRange } from '../store/page-range.ts';
import type { Reader } from '../store/reader.ts';
import { talliedRows } from '../store/tally-store.ts';
import type { Transaction } from '../store/transaction.ts';
import type { ContradictionRow, EvidenceTallyRow } from './tables.ts';

/** A claim as it is counted: under each of its scopes, by direction and class; `cohort` is what it counts once for. */
export interface Counted {
  scopes: readonly string[];
  direction: EvidenceDirection;
  evidenceClass: EvidenceClass;
  cohort: string;
}

/**
 * Adds one claim to the counts of each of its scopes: the total, its direction, and its class within the direction.
 * Runs inside a write.
 */
export async function count(tx: Transaction, { scopes, direction, evidenceClass, cohort }: Counted): Promise<void> {
  const kinds = [
    { direction: '', evidence_class: '' },
    { direction, evidence_class: '' },
    { direction, evidence_class: evidenceClass },
  ] as const;
  const cells = scopes.flatMap((scope) => kinds.map((kind) => ({ scope, ...kind })));
  const isNew = await tx
    .insertInto('evidence_cohorts')
    .values(cells.map((cell) => ({ ...cell, cohort })))
    .onConflict((conflict) => conflict.doNothing())
    .returning(['scope', 'direction', 'evidence_class'])
    .execute();
  const keyOf = (cell: { scope: string; direction: string; evidence_class: string }): string =>
    [cell.scope, cell.direction, cell.evidence_class].join('\n');
  const added = new Set(isNew.map(keyOf));
  await tx
    .insertInto('evidence_tallies')
    .values(cells.map((cell) => ({ ...cell, claims: 1, cohorts: added.has(keyOf(cell)) ? 1 : 0 })))
    .onConflict((conflict) =>
      conflict.columns(['scope', 'direction', 'evidence_class']).doUpdateSet({
        claims: sql<number>`evidence_tallies.claims + excluded.claims`,
        cohorts: sql<number>`evidence_tallies.cohorts + excluded.cohorts`,
      }),
    )
    .execute();
}

/** Every count under the scopes. Primary key; at most 19 rows a scope. */
export function talliesOf(db: Reader, scopes: readonly string[]): Promise<EvidenceTallyRow[]> {
  if (scopes.length === 0) return Promise.resolve([]);
  return db.selectFrom('evidence_tallies').selectAll().where('scope', 'in', scopes).execute();
}

/**
 * Every count whose scope begins with `prefix`, in the order of the scopes; a range of the primary key. Only for scopes
 * made of vocabularies, whose number is bounded.
 */
export function talliesUnder(db: Reader, prefix: string): Promise<EvidenceTallyRow[]> {
  return db
    .selectFrom('evidence_tallies')
    .selectAll()
    .where('scope', '>=', prefix)
    .where('scope', '<', `${prefix}\u{10ffff}`)
    .orderBy('scope')
    .orderBy('direction')
    .orderBy('evidence_class')
    .execute();
}

/** Stores that a scope has claims on both sides; the first time is kept. */
export async function insertContradiction(tx: Transaction, row: ContradictionRow): Promise<void> {
  await tx
    .insertInto('contradictions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Which of the scopes are contradicted. Primary key. */
export function contradictedOf(db: Reader, scopes: readonly string[]): Promise<ContradictionRow[]> {
  return db.selectFrom('contradictions').selectAll().where('scope', 'in', scopes).execute();
}

/** Page of contradictions, newest first by `seq`. Index contradictions_kind, or `seq` without a kind. */
export function contradictionPage(
  db: Reader,
  kind: ContradictionRow['kind'] | undefined,
  range: PageRange,
): Promise<ContradictionRow[]> {
  let query = db.selectFrom('contradictions').selectAll();
  if (kind !== undefined) query = query.where('kind', '=', kind);
  return newestPage(query, range);
}

/** Exact number of contradictions, from the tallies. */
export function contradictionCount(db: Reader, kind: ContradictionRow['kind'] | undefined): Promise<number> {
  return talliedRows(db, 'contradictions', kind);
}
