import { readFile } from 'node:fs/promises';
import type { MergeRule } from '../../contract/fields/field-types.ts';
import { MERGED_COLUMNS, ORIGIN_COLUMNS, REGISTRATION_COLUMNS } from '../../snapshot/sql/fields.ts';

/** Column of the sides' view in merged-trials.sql that is true where a compound value comes from ClinicalTrials.gov. */
const SIDES: Partial<Record<MergeRule, string>> = {
  withStatus: 'status_c',
  withSponsor: 'sponsor_c',
  withEnrollment: 'enrollment_c',
  withResults: 'results_c',
};

/** SQL of a column's merged value; `c` and `i` are the registrations at ClinicalTrials.gov and at ISRCTN. */
const MERGES: Record<MergeRule, (column: string) => string> = {
  first: (column) => `coalesce(c.${column}, i.${column})`,
  word: (column) => `pick_word(c.${column}, i.${column})`,
  list: (column) => `pick_list(c.${column}, i.${column})`,
  withStatus: fromSide('withStatus'),
  withSponsor: fromSide('withSponsor'),
  withEnrollment: fromSide('withEnrollment'),
  withResults: fromSide('withResults'),
  // Dates are YYYY-MM or YYYY-MM-DD, so text order is time order.
  earliest: (column) => `CASE WHEN i.${column}."date" < c.${column}."date" THEN i.${column}
    ELSE coalesce(c.${column}, i.${column}) END`,
  latest: (column) => `CASE WHEN i.${column}."date" > c.${column}."date" THEN i.${column}
    ELSE coalesce(c.${column}, i.${column}) END`,
  any: (column) => `coalesce(c.${column}, false) OR coalesce(i.${column}, false)`,
};

function fromSide(rule: keyof typeof SIDES): (column: string) => string {
  return (column) => `CASE WHEN ${SIDES[rule]} THEN c.${column} ELSE i.${column} END`;
}

/** The registry whose value a trial shows, as MERGES takes it; null where that side states nothing. */
function originOf(column: string, rule: MergeRule): string {
  const { type } = REGISTRATION_COLUMNS.find((known) => known.column === column)!;
  const stated = (side: 'c' | 'i'): string => {
    const value = `${side}.${column}`;
    if (type === 'word') return `speaks(${value})`;
    return isList(column) ? `coalesce(len(${value}) > 0, false)` : `${value} IS NOT NULL`;
  };
  const first = `${stated('c')} THEN 'clinicaltrials_gov' WHEN ${stated('i')} THEN 'isrctn'`;
  const side = SIDES[rule];
  if (side !== undefined)
    return `CASE WHEN ${side} THEN CASE WHEN ${stated('c')} THEN 'clinicaltrials_gov' END WHEN ${stated('i')} THEN 'isrctn' END`;
  const isOther: Partial<Record<MergeRule, string>> = {
    earliest: `i.${column}."date" < c.${column}."date"`,
    latest: `i.${column}."date" > c.${column}."date"`,
    any: `i.${column} AND NOT coalesce(c.${column}, false)`,
  };
  const other = isOther[rule];
  return `CASE ${other === undefined ? '' : `WHEN ${other} THEN 'isrctn' `}WHEN ${first} END`;
}

function isList(column: string): boolean {
  return REGISTRATION_COLUMNS.some((known) => known.column === column && known.sqlType.endsWith('[]'));
}

/** SQL that makes the view `merged_trials`: how a trial's row is made from its registrations. */
export async function trialsSql(): Promise<string> {
  const [heads, merged] = await Promise.all(
    ['trials.sql', 'merged-trials.sql'].map((name) => readFile(new URL(name, import.meta.url), 'utf8')),
  );
  const columns = MERGED_COLUMNS.map(({ column, rule }) => `${MERGES[rule](column)} AS ${column}`);
  const origins = ORIGIN_COLUMNS.map(({ column, rule }) => `'${column}': ${originOf(column, rule)}`);
  const filled = merged!
    .replace('{origins}', `{${origins.join(',\n    ')}}`)
    .replace('{merged_columns}', columns.join(',\n  '));
  return `${heads}\n${filled}`;
}
