import { describe, expect, it } from 'vitest';
import { COMPARED_FIELDS, compareStated, type StatedValue } from './field-comparison.ts';

const fieldOf = (name: string) => COMPARED_FIELDS.find((one) => one.name === name)!;
const date = (text: string, type: string | null = null) => ({
  date: text,
  precision: text.length === 7 ? 'month' : 'day',
  type,
});
const measure = (text: string, timeFrame: string | null = null) => ({ measure: text, timeFrame });

const PAIN = measure('Pain', '6 weeks');
const NAMES = 'case-and-space order name-only';

describe('two stated values of a field', () => {
  it.each<[string, StatedValue, StatedValue, string, string]>([
    ['title', 'Aspirin', 'Aspirin', 'equal', ''],
    ['title', 'Aspirin  in Adults', 'aspirin in adults', 'equal-after', 'case-and-space'],
    ['title', 'Tumour study', 'Tumor study', 'differs', ''],
    ['status', 'completed', 'running', 'differs', ''],
    ['countries', ['France', 'Spain'], ['france', 'spain'], 'equal-after', 'case-and-space'],
    ['countries', ['France', 'Spain'], ['Spain', 'France', 'Spain'], 'equal-after', 'order'],
    ['countries', ['France', 'Spain'], ['spain', 'France'], 'equal-after', 'case-and-space order'],
    ['countries', ['France'], ['France', 'Spain'], 'differs', ''],
    ['interventions', ['Aspirin', 'Placebo'], ['placebo', 'aspirin'], 'equal-after', 'case-and-space order'],
    ['enrollment', { count: 40, type: 'actual' }, { count: 40, type: 'actual' }, 'equal', ''],
    ['enrollment', { count: 40, type: 'actual' }, { count: 40, type: null }, 'equal-after', 'type-aside'],
    ['enrollment', { count: 40, type: 'actual' }, { count: 41, type: 'actual' }, 'differs', ''],
    ['dates.start', date('2020-01-02', 'actual'), date('2020-01-02'), 'equal-after', 'type-aside'],
    ['dates.start', date('2020-01'), date('2020-01-02'), 'equal-after', 'shared-precision'],
    ['dates.start', date('2020-01', 'actual'), date('2020-01-02'), 'equal-after', 'shared-precision type-aside'],
    ['dates.start', date('2020-01'), date('2020-02-01'), 'differs', ''],
    ['eligibility.minimumAge', 18, 18, 'equal', ''],
    ['eligibility.minimumAge', 18, 16, 'differs', ''],
    ['eligibility.healthyVolunteers', false, true, 'differs', ''],
    ['primaryEndpoints', [measure('Pain', '6 weeks')], [measure('Pain', '6 weeks')], 'equal', ''],
    ['primaryEndpoints', [measure('Pain', '6 weeks')], [measure('PAIN', '6 Weeks')], 'equal-after', 'case-and-space'],
    ['primaryEndpoints', [PAIN, measure('Death')], [measure('death'), measure('pain', 'week 6')], 'equal-after', NAMES],
    [
      'primaryEndpoints',
      [measure('Tumour responses', '1')],
      [measure('Tumor response.')],
      'equal-after',
      `${NAMES} words`,
    ],
    ['primaryEndpoints', [measure('Pain')], [measure('Pain'), measure('Death')], 'differs', ''],
  ])('%s: %j and %j: %s %s', (name, one, other, verdict, normalisations) => {
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      const found = compareStated(fieldOf(name), a, b);
      expect([found.verdict, found.normalisations.join(' ')]).toEqual([verdict, normalisations]);
    }
  });

  it('are of fields with a name each, none of which only tells of another field', () => {
    const names = COMPARED_FIELDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(['sponsor', 'sponsor.class', 'enrollment', 'design.allocation']));
    expect(names.filter((name) => /Raw|Basis|note$/i.test(name))).toEqual([]);
  });
});
