import { FACET_VALUES } from '../../../contract/operations/trials/trial-facets.ts';
import type { Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import { type Counts, type Group, type Grouping, largestOf } from '../groupings/grouping.ts';
import type { RowSet } from '../row-set.ts';

/** Which page of the values of a facet is shown; the first of its usual length where nothing is asked. */
export interface FacetPage {
  page: number;
  pageSize?: number | undefined;
  text?: string | undefined;
}

export interface FacetCounts {
  own: readonly string[];
  exclusive: boolean;
  /** Trials found without the facet's own filter. */
  trials: number;
  values: (Group & { trials: number })[];
  /** Values there are. */
  total: number;
  /** Trials with any other value; null where a trial may have several. */
  furtherTrials: number | null;
}

/** More countries than there are. */
const ALL = 1000;

/** Counts the values of a facet among `rows`, found without the filters that it replaces or applies; `trials` are found without its own. */
export function countFacet(
  facet: Facet,
  grouping: Grouping,
  { rows, trials }: { rows: RowSet; trials: number },
  shown: FacetPage,
): FacetCounts {
  const { own, exclusive, ordered } = grouping;
  const all = grouping.count(rows);
  const counts = shown.text === undefined ? all : all.among(grouping.withText(shown.text, all));
  const { page, pageSize = ordered || facet === 'country' ? ALL : FACET_VALUES } = shown;
  const from = (page - 1) * pageSize;
  const { total, numbers } = ordered
    ? inOrder(facet, grouping, counts, from, pageSize)
    : byCount(counts, from, pageSize);
  const values = numbers.map((number) => ({ ...grouping.group(number), trials: counts.of(number) }));
  const listed = values.reduce((sum, one) => sum + one.trials, 0);
  const furtherTrials = exclusive ? counts.sum - listed : null;
  return { own, exclusive, trials, values, total, furtherTrials };
}

/** Values of a vocabulary, also those without a trial, or the years from the first to the last. */
function inOrder(facet: Facet, { size }: Grouping, counts: Counts, from: number, limit: number) {
  const all = facet === 'startYear' ? counts.span : Array.from({ length: size }, (_, number) => number);
  return { total: all.length, numbers: all.slice(from, from + limit) };
}

function byCount(counts: Counts, offset: number, limit: number) {
  return { total: counts.numbers.length, numbers: largestOf(counts, { offset, limit }) };
}
