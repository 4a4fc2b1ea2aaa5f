import type { Reader } from '../store/reader.ts';
import { type EvidenceFilter, evidenceCount } from './evidence-store.ts';
import { talliesOf } from './evidence-tally-store.ts';
import { diseaseScope, hypothesisScope, sourceScope } from './scopes.ts';

/**
 * Exact number of claims that match: from the tallies where they are kept under the filter (a disease, a source or a
 * hypothesis, with direction and class or without), else by reading every match.
 */
export async function claimCount(db: Reader, filter: EvidenceFilter): Promise<number> {
  const { direction = '', evidenceClass, ...about } = filter;
  const scope = scopeOf(about);
  if (scope === null) return evidenceCount(db, filter);
  const tallies = await talliesOf(db, [scope]);
  return (
    tallies
      .filter((tally) => tally.evidence_class === (evidenceClass ?? ''))
      // A class is tallied under each direction, and in none of them for all.
      .filter((tally) => tally.direction === direction || (direction === '' && evidenceClass !== undefined))
      .reduce((sum, { claims }) => sum + claims, 0)
  );
}

/** Null where the filter says more than one scope does, or nothing. */
function scopeOf(about: Omit<EvidenceFilter, 'direction' | 'evidenceClass'>): string | null {
  const given = Object.entries(about).filter(([, value]) => value !== undefined);
  if (given.length !== 1) return null;
  const { disease, source, hypothesisId } = about;
  if (disease !== undefined) return diseaseScope(disease);
  if (source !== undefined) return sourceScope(source);
  return hypothesisId === undefined ? null : hypothesisScope(hypothesisId);
}
