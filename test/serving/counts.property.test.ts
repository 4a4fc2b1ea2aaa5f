import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../contract/vocabularies.ts';
import { coverage } from '../../index-server/search/counting/coverage.ts';
import { type Landscape, landscape } from '../../index-server/search/counting/landscape.ts';
import { type CompiledFilters, compileFilters } from '../../index-server/search/filters.ts';
import { matchingRows } from '../../index-server/search/matching.ts';
import type { RowSet } from '../../index-server/search/row-set.ts';
import type { SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import {
  COMPLETENESS_NAMES,
  GAP,
  NO_SPONSOR,
  NOT_STATED,
  POSTING,
  type RowColumns,
} from '../../snapshot/format/serving-columns.ts';
import { plainCounts } from '../support/plain/plain-counts.ts';

const TODAY = 20_710;
const below = (limit: number) => fc.integer({ min: 0, max: limit - 1 });
const day = fc.oneof(fc.constantFrom(NOT_STATED, -400, 0), fc.integer({ min: TODAY - 800, max: TODAY + 40 }));
const row = fc
  .record({
    phase: below(PHASES.length),
    status: below(TRIAL_STATUSES.length),
    recruitment: below(RECRUITMENT_STATUSES.length),
    studyType: below(STUDY_TYPES.length),
    sponsorClass: below(SPONSOR_CLASSES.length),
    registries: fc.integer({ min: 1, max: 3 }),
    links: below(16),
    unresolved: fc.constantFrom(0, 0, 1, 3),
    sponsor: fc.oneof(fc.constant(NO_SPONSOR), below(14)),
    enrollment: fc.oneof(
      fc.constant(NOT_STATED),
      below(90),
      fc.integer({ min: 8185, max: 8199 }),
      below(2_000_000_000),
    ),
    postedFirst: day,
    gap0: below(3),
    gap1: below(3),
    gapDay0: day,
    gapDay1: day,
    presence: fc.tuple(below(2 ** 21), below(2 ** 21)),
  })
  // A registry states nothing of a trial that it does not have.
  .map(({ presence, ...rest }) => ({
    ...rest,
    gap0: (rest.registries & 1) !== 0 ? rest.gap0 : GAP.outside,
    gap1: (rest.registries & 2) !== 0 ? rest.gap1 : GAP.outside,
    presence0: (rest.registries & 1) !== 0 ? presence[0] : 0,
    presence1: (rest.registries & 2) !== 0 ? presence[1] : 0,
  }));
type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;

const MAKE: Partial<Record<keyof RowColumns, (values: number[]) => ArrayLike<number>>> = {
  sponsor: (values) => Uint32Array.from(values),
  enrollment: (values) => Int32Array.from(values),
  postedFirst: (values) => Int32Array.from(values),
  gapDay0: (values) => Int32Array.from(values),
  gapDay1: (values) => Int32Array.from(values),
  presence0: (values) => Uint32Array.from(values),
  presence1: (values) => Uint32Array.from(values),
};

/** An image in memory with columns and one word, nothing else. `held` are the rows that have the word. */
function imageOf(rows: Row[], held: RowSet): SnapshotImage {
  const names = Object.keys(rows[0]!) as (keyof Row)[];
  const columns = names.map((name) => {
    const values = rows.map((one) => one[name]);
    return [name, MAKE[name]?.(values) ?? Uint8Array.from(values)];
  });
  return {
    trials: rows.length,
    columns: Object.fromEntries(columns),
    completeness: COMPLETENESS_NAMES,
    sponsorCount: 14,
    sponsorName: (number: number) => `sponsor ${number}`,
    posting: (key: string) => (key === `${POSTING.text}word` ? held : null),
  } as unknown as SnapshotImage;
}

function setOf(rows: number[], trials: number, form: RowSet['form']): RowSet {
  if (form === 'list') return { form, count: rows.length, words: Uint32Array.from(rows) };
  const words = new Uint32Array(Math.ceil(trials / 32));
  for (const at of rows) words[at >>> 5]! |= 1 << (at & 31);
  return { form, count: rows.length, words };
}

function expectCounts(image: SnapshotImage, filters: CompiledFilters, rows: number[]): void {
  const plain = plainCounts(image, rows, TODAY);
  const matching = matchingRows(image, filters);
  const found = landscape(image, matching, TODAY);
  const mix = (counts: Map<number, number>) => (value: string, place: number) => ({
    value,
    trials: counts.get(place) ?? 0,
  });
  expect(found).toMatchObject({
    trials: plain.trials,
    phases: PHASES.map(mix(plain.phase)),
    statuses: TRIAL_STATUSES.map(mix(plain.status)),
    recruitmentStatuses: RECRUITMENT_STATUSES.map(mix(plain.recruitment)),
    studyTypes: STUDY_TYPES.map(mix(plain.studyType)),
    sponsorClasses: SPONSOR_CLASSES.map(mix(plain.sponsorClass)),
  });
  expect(found.sponsors).toMatchObject({
    trialsWithSponsor: plain.sponsors.trialsWithSponsor,
    sponsors: plain.sponsors.sponsors,
    hhi: plain.hhi,
  });
  expect(found.sponsors.top.map(({ name, trials }) => [name, trials])).toEqual(
    plain.sponsors.top.map(([number, trials]) => [`sponsor ${number}`, trials]),
  );
  const { stated, lowerQuartile, median, upperQuartile } = found.enrollment;
  expect([stated, lowerQuartile, median, upperQuartile]).toEqual([
    plain.enrollment.stated,
    ...plain.enrollment.quartiles,
  ]);
  expect(found.momentum.map(({ current, previous }) => [current, previous])).toEqual(plain.momentum);
  expect(Object.values(found.reportingGap)).toEqual(plain.gaps);
  expect(completenessOf(found)).toEqual(plain.completeness);
  const counts = coverage(image, matching);
  const { mutual, conflicting, unresolved, trialsWithUnresolved } = counts.crossReferences;
  expect({
    held: Object.values(counts.registrations),
    inBoth: counts.inBoth,
    ...{ mutual, conflicting, unresolved, trialsWithUnresolved },
  }).toEqual(plain.coverage);
  expect(counts.distinct).toBe(rows.length);
}

function completenessOf({ fieldCompleteness }: Landscape) {
  return Object.values(fieldCompleteness).map(({ registrations, fields }) => ({
    registrations,
    stated: fields.map(({ stated }) => stated),
  }));
}

describe('landscape and coverage of any set of rows', () => {
  it('count what counting row by row counts, from no row to all of them, however the rows were found', () => {
    const image = fc.array(fc.tuple(row, fc.nat(99)), { minLength: 1, maxLength: 90, size: 'max' });
    fc.assert(
      fc.property(image, fc.nat(100), fc.constantFrom('list', 'bitmap'), (drawn, share, form) => {
        const rows = drawn.map(([one]) => one);
        const held = drawn.flatMap(([, luck], place) => (luck < share ? [place] : []));
        const set = setOf(held, rows.length, form);
        const whole = rows.map((_, place) => place);
        const built = imageOf(rows, set);
        expectCounts(built, compileFilters({ q: 'word' }), held);
        expectCounts(built, { ...compileFilters({}), within: { name: JSON.stringify(held), rows: set } }, held);
        expectCounts(built, compileFilters({}), whole);
      }),
      { numRuns: 150 },
    );
  });
});
