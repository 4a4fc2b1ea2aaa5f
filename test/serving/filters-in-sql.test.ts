import { expect, test } from 'vitest';
import { type CompiledFilters, readFilters, type TrialFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import { parquetSource } from '../../snapshot/sql/tables.ts';
import { ofFile } from '../support/of-file.ts';
import { openSample } from '../support/snapshots/opened-sample.ts';

/**
 * Whoever asks the table `trials` in SQL gets what the filters count, over all trials and over those of both registries, where the two
 * registrations of a trial may say different things.
 */

const sample = ofFile(() => openSample());

/** SQL of a date's last possible day: a month counts as all of its days. */
const lastDay = (name: string): string =>
  `CASE WHEN ${name}_date."precision" = 'month' THEN last_day(${name}_day) ELSE ${name}_day END`;

/** A filter as SQL over a row of `trials` in which `v` is its value, and SQL of the values to try, which stand in the column `v`. */
const FILTERS: Record<string, { values: string; holds: string; asked: (value: string) => Partial<TrialFilters> }> = {
  country: {
    values: 'SELECT DISTINCT unnest(all_countries) AS v FROM trials',
    holds: 'list_contains(all_countries, v)',
    asked: (country) => ({ country }),
  },
  condition: {
    values: 'SELECT DISTINCT lower(unnest(all_conditions)) AS v FROM trials',
    holds: 'list_contains(list_transform(all_conditions, lambda one: lower(one)), v)',
    asked: (condition) => ({ condition }),
  },
  intervention: {
    values: "SELECT unnest(['placebo', 'metformin', 'exercise', 'tablet']) AS v",
    holds: `len(list_filter(all_interventions, lambda one: regexp_matches(
      lower(concat_ws(' ', one.name, array_to_string(one.other_names, ' '), one.description)), '\\b' || v || 's?\\b'))) > 0`,
    asked: (intervention) => ({ intervention }),
  },
  sponsor: {
    values: "SELECT DISTINCT lower(split_part(unnest(all_sponsor_names), ' ', 1)) AS v FROM trials",
    holds:
      "len(list_filter(all_sponsor_names, lambda one: list_contains(string_split_regex(lower(one), '[^a-z0-9]+'), v))) > 0",
    asked: (sponsor) => ({ sponsor }),
  },
  sponsorMatch: {
    values: 'SELECT DISTINCT sponsor_name AS v FROM trials WHERE sponsor_name IS NOT NULL',
    holds: 'lower(sponsor_name) = lower(v)',
    asked: (sponsor) => ({ sponsor, sponsorMatch: 'exact' }),
  },
  status: {
    values: 'SELECT DISTINCT status AS v FROM trials',
    holds: 'status = v',
    asked: (status) => ({ status: [status] }) as Partial<TrialFilters>,
  },
  phaseMatch: {
    values: 'SELECT DISTINCT phase AS v FROM trials',
    holds: 'phase = v',
    asked: (phase) => ({ phase: [phase], phaseMatch: 'exact' }) as Partial<TrialFilters>,
  },
  studyType: {
    values: 'SELECT DISTINCT study_type AS v FROM trials',
    holds: 'study_type = v',
    asked: (studyType) => ({ studyType: [studyType] }) as Partial<TrialFilters>,
  },
  sponsorClass: {
    values: 'SELECT DISTINCT sponsor_class AS v FROM trials',
    holds: 'sponsor_class = v',
    asked: (sponsorClass) => ({ sponsorClass: [sponsorClass] }) as Partial<TrialFilters>,
  },
  registry: {
    values: 'SELECT DISTINCT unnest(registries) AS v FROM trials',
    holds: 'list_contains(registries, v)',
    asked: (registry) => ({ registry: [registry] }) as Partial<TrialFilters>,
  },
  resultsAvailable: {
    values: 'SELECT DISTINCT results_available::VARCHAR AS v FROM trials',
    holds: 'results_available::VARCHAR = v',
    asked: (value) => ({ resultsAvailable: value === 'true' }),
  },
  enrollmentMin: {
    values: 'SELECT DISTINCT enrollment_count::VARCHAR AS v FROM trials WHERE enrollment_count IS NOT NULL',
    holds: 'enrollment_count >= v::INTEGER',
    asked: (value) => ({ enrollmentMin: Number(value) }),
  },
  ...Object.fromEntries(
    (
      [
        ['startedAfter', 'startedBefore', 'start'],
        ['completedAfter', 'completedBefore', 'completion'],
        ['primaryCompletionAfter', 'primaryCompletionBefore', 'primary_completion'],
        ['updatedAfter', 'updatedBefore', 'last_updated'],
      ] as const
    ).flatMap(([after, before, name]) => {
      const values = `SELECT DISTINCT date_trunc('year', ${name}_day)::DATE::VARCHAR AS v FROM trials WHERE ${name}_day IS NOT NULL`;
      return [
        [
          after,
          { values, holds: `${lastDay(name)} >= v::DATE`, asked: (value: string) => ({ [after]: dayOf(value) }) },
        ],
        [before, { values, holds: `${name}_day <= v::DATE`, asked: (value: string) => ({ [before]: dayOf(value) }) }],
      ];
    }),
  ),
};

function dayOf(date: string): number {
  return Date.parse(date) / 86_400_000;
}

test.each(Object.keys(FILTERS))(
  'SQL over the column that the filter %s reads counts what the filter counts',
  async (name) => {
    const { image, manifest, db } = sample;
    const { values, holds, asked } = FILTERS[name]!;
    const trials = parquetSource(image.directory, 'trials');
    expect(manifest.version).toBe(image.version);
    const counted = await db.all(
      `WITH trials AS (FROM ${trials}), tried AS (${values})
     SELECT v, count(*) FILTER (${holds})::DOUBLE AS "all", count(*) FILTER (${holds} AND len(registries) = 2)::DOUBLE AS "both"
     FROM tried, trials GROUP BY v ORDER BY v`,
    );
    const found = counted.map(({ v }) => {
      const count = (more: Partial<TrialFilters>): number =>
        matchingRows(image, readFilters({ ...asked(String(v)), ...more } as TrialFilters) as CompiledFilters).count;
      return { v, all: count({}), both: count({ inBoth: true }) };
    });
    expect(found).toEqual(counted);
    // A filter that finds nothing among the trials of both registries says nothing of them.
    expect(found.some(({ both }) => both > 0)).toBe(true);
  },
);
