import { readFile } from 'node:fs/promises';
import type { MergeRule } from '../../contract/fields/field-types.ts';
import { MERGED_COLUMNS, ORIGIN_COLUMNS, REGISTRATION_COLUMNS } from '../../snapshot/sql/fields.ts';

/** Column of the sides' view in merged-trials.sql that is true where a compound value comes from ClinicalTrials.gov. */
const SIDES: Partial<Record<MergeRule, string>> = {
  withStatus: 'status_c',
  withSponsor: 'sponsor_c',
  withPeople: 'people_c',
  withResults: 'results_c',
};

/** By which the registration at ISRCTN wins although the one at ClinicalTrials.gov states a value. Dates are YYYY-MM or YYYY-MM-DD, so text order is time order. */
const OTHER_WINS: Partial<Record<MergeRule, (column: string) => string>> = {
  earliest: (column) => `i.${column}."date" < c.${column}."date"`,
  latest: (column) => `i.${column}."date" > c.${column}."date"`,
  any: (column) => `i.${column} AND NOT coalesce(c.${column}, false)`,
};

/** SQL of a column's merged value and of the registry whose value it is; `c` and `i` are the registrations at ClinicalTrials.gov and at ISRCTN. */
function merged(column: string, rule: MergeRule): { value: string; origin: string } {
  const { type, sqlType } = REGISTRATION_COLUMNS.find((known) => known.column === column)!;
  const stated = (side: 'c' | 'i'): string => {
    const value = `${side}.${column}`;
    if (type === 'word') return `speaks(${value})`;
    return sqlType.endsWith('[]') ? `coalesce(len(${value}) > 0, false)` : `${value} IS NOT NULL`;
  };
  const other = OTHER_WINS[rule]?.(column);
  const first =
    SIDES[rule] ??
    (other === undefined
      ? `${stated('c')} OR (NOT ${stated('i')} AND c.${column} IS NOT NULL)`
      : `NOT coalesce(${other}, false) AND c.${column} IS NOT NULL`);
  return {
    value: `CASE WHEN ${first} THEN c.${column} ELSE i.${column} END`,
    origin: `CASE WHEN ${first} THEN CASE WHEN ${stated('c')} THEN 'clinicaltrials_gov' END WHEN ${stated('i')} THEN 'isrctn' END`,
  };
}

/** SQL that makes the view `merged_trials`: how a trial's row is made from its registrations. */
export async function trialsSql(): Promise<string> {
  const [heads, view] = await Promise.all(
    ['trials.sql', 'merged-trials.sql'].map((name) => readFile(new URL(name, import.meta.url), 'utf8')),
  );
  const columns = MERGED_COLUMNS.map(({ column, rule }) => `${merged(column, rule).value} AS ${column}`);
  const origins = ORIGIN_COLUMNS.map(({ column, rule }) => `'${column}': ${merged(column, rule).origin}`);
  const filled = view!
    .replace('{origins}', `{${origins.join(',\n    ')}}`)
    .replace('{merged_columns}', columns.join(',\n  '));
  return `${heads}\n${filled}`;
}
