import { type ContradictionKind, type EvidenceSource, LAB_DEFAULT_DISEASE } from '../../contract/declared/research.ts';
import type { OutcomeGroup } from './evidence-store.ts';
import type { EvidenceRow } from './tables.ts';

/** Names under which claims are counted. The parts that a slash separates come from vocabularies without slashes. */

export const diseaseScope = (disease: string): string => `disease:${disease}`;
export const cellScope = (disease: string, track: string, stage: string): string => `cell:${disease}/${track}/${stage}`;
export const sourceScope = (source: string): string => `source:${source}`;
export const hypothesisScope = (id: string): string => `hypothesis:${id}`;

/** Null for a claim without an outcome that others could share. */
function outcomeScope(row: EvidenceRow): string | null {
  const { disease, track, outcome_category: outcome, disease_stage: stage } = row;
  return outcome === null || outcome === 'other' ? null : `outcome:${disease}/${track}/${outcome}/${stage}`;
}

/** Scopes of a claim that can be contradicted, each with its kind. */
export function disputable(row: EvidenceRow): { scope: string; kind: ContradictionKind }[] {
  const outcome = outcomeScope(row);
  return [
    ...(outcome === null ? [] : [{ scope: outcome, kind: 'outcome' as const }]),
    { scope: sourceScope(row.source), kind: kindOf(row.source) === 'nctId' ? ('trial' as const) : ('paper' as const) },
  ];
}

/** Everything that a claim is counted under. */
export function scopesOf(row: EvidenceRow): string[] {
  return [
    diseaseScope(row.disease),
    cellScope(row.disease, row.track, row.disease_stage),
    ...disputable(row).map(({ scope }) => scope),
    ...(row.hypothesis_id === null ? [] : [hypothesisScope(row.hypothesis_id)]),
  ];
}

/** What a claim counts once for: its cohort, else its source. The prefixes keep the two apart. */
export function countedAs({ cohort, source }: EvidenceRow): string {
  return cohort === null ? `source:${source}` : `cohort:${cohort}`;
}

/** What a scope is about, without the name of its kind. */
export function aboutOf(scope: string): string {
  return scope.slice(scope.indexOf(':') + 1);
}

export function groupOf(scope: string): OutcomeGroup {
  const [disease = LAB_DEFAULT_DISEASE, track, outcomeCategory, stage] = aboutOf(scope).split('/');
  return { disease, track, outcomeCategory, stage } as OutcomeGroup;
}

/** Names that differ only in case, width or blanks are one cohort. */
export function foldedCohort(key: string): string {
  return key.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

/** Kind of a stored source. */
export function kindOf(source: string): EvidenceSource {
  return source.slice(0, source.indexOf(':')) as EvidenceSource;
}
