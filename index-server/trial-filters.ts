import type { z } from 'zod';
import type { trialFilterParameters } from '../contract/operations/trials.ts';
import type { Fail } from '../server-kit/mount.ts';
import { parseQuery } from '../snapshot-format/query.ts';
import { textUnits } from '../snapshot-format/tokens.ts';
import { type CompiledFilters, compileFilters, type TrialFilters } from './search/filters.ts';
import type { RowSet } from './search/row-set.ts';
import type { SnapshotImage } from './snapshot/snapshot-image.ts';

export type FilterQuery = {
  [Name in keyof typeof trialFilterParameters]: z.output<(typeof trialFilterParameters)[Name]>;
};

const WORDS = 'text with at least one letter or digit';

/** Filters ready to be evaluated; a text without a word and an unknown topic are refused, as they would ask for nothing. */
export function filtersOf(
  image: SnapshotImage,
  query: Partial<FilterQuery>,
  fail: Fail<'INVALID_PARAM'>,
  modality: RowSet | null = null,
): CompiledFilters {
  const refuse = (parameter: string, expected: string): never =>
    fail('INVALID_PARAM', {
      message: `The parameter ${parameter} is not usable: expected ${expected}.`,
      parameter,
      expected,
      issues: [{ path: parameter, message: `expected ${expected}` }],
    });
  if (query.q !== undefined && parseQuery(query.q).length === 0) refuse('q', WORDS);
  if (query.intervention !== undefined && textUnits(query.intervention).length === 0) refuse('intervention', WORDS);
  if (query.sponsor !== undefined && textUnits(query.sponsor).length === 0) refuse('sponsor', WORDS);
  if (query.topic !== undefined && !image.topics.some(({ id }) => id === query.topic)) {
    refuse('topic', 'a topic id that /api/v1/trials/stats lists');
  }
  const compiled = compileFilters(query as TrialFilters);
  return modality === null ? compiled : { ...compiled, within: modality };
}
