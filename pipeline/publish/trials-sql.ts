import { readFile } from 'node:fs/promises';
import type { MergeRule } from '../../contract/field-types.ts';
import { MERGED_COLUMNS } from '../../snapshot-sql/fields.ts';

/** SQL of a column's merged value; `c` and `i` are the registrations at ClinicalTrials.gov and at ISRCTN. */
const MERGES: Record<MergeRule, (column: string) => string> = {
  first: (column) => `coalesce(c.${column}, i.${column})`,
  word: (column) => `pick_word(c.${column}, i.${column})`,
  list: (column) => `pick_list(c.${column}, i.${column})`,
  withStatus: fromSide('status_c'),
  withSponsor: fromSide('sponsor_c'),
  withEnrollment: fromSide('enrollment_c'),
  withResults: fromSide('results_c'),
  // Dates are YYYY-MM or YYYY-MM-DD, so text order is time order.
  earliest: (column) => `CASE WHEN i.${column}."date" < c.${column}."date" THEN i.${column}
    ELSE coalesce(c.${column}, i.${column}) END`,
  latest: (column) => `CASE WHEN i.${column}."date" > c.${column}."date" THEN i.${column}
    ELSE coalesce(c.${column}, i.${column}) END`,
  any: (column) => `coalesce(c.${column}, false) OR coalesce(i.${column}, false)`,
};

function fromSide(isCtgov: string): (column: string) => string {
  return (column) => `CASE WHEN ${isCtgov} THEN c.${column} ELSE i.${column} END`;
}

/** SQL that makes the view `merged_trials`: how a trial's row is made from its registrations. */
export async function trialsSql(): Promise<string> {
  const columns = MERGED_COLUMNS.map(({ column, rule }) => `${MERGES[rule](column)} AS ${column}`);
  const text = await readFile(new URL('trials.sql', import.meta.url), 'utf8');
  return text.replace('{merged_columns}', columns.join(',\n  '));
}
