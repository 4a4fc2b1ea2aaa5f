import type { Reader } from '../store/reader.ts';
import { type EvidenceFilter, evidenceCount } from './evidence-store.ts';
import { talliesOf } from './evidence-tally-store.ts';
import { diseaseScope, hypothesisScope, sourceScope } from './scopes.ts';

/**
 * Exact number of claims that match. Where the filter is one disease, source or hypothesis, with direction and class or
 * without, tallies hold the number; otherwise every match is read.
 */
export async function claimCount(db: Reader, filter: EvidenceFilter): Promise<number> {
  const { direction = '', evidenceClass, ...about } = filter;
  const scope = scopeOf(about);
  if (scope === null) return evidenceCount(db, filter);
  const tallies = await talliesOf(db, [scope]);
  return (
    tallies
      .filter((tally) => tally.evidence_class === (evidenceClass ?? ''))
      // Classes are tallied under each direction only, so a class in all directions is the sum over them.
      .filter((tally) => tally.direction === direction || (direction === '' && evidenceClass !== undefined))
      .reduce((sum, { claims }) => sum + claims, 0)
  );
}

/** The scope that the filter names; null where it names none, or more than one. */
function scopeOf(about: Omit<EvidenceFilter, 'direction' | 'evidenceClass'>): string | null {
  const given = Object.entries(about).filter(([, value]) => value !== undefined);
  if (given.length !== 1) return null;
  const { disease, source, hypothesisId } = about;
  if (disease !== undefined) return diseaseScope(disease);
  if (source !== undefined) return sourceScope(source);
  return hypothesisId === undefined ? null : hypothesisScope(hypothesisId);
}
