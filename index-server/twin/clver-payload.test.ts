import { describe, expect, it } from 'vitest';
import { readClver } from './clver-payload.ts';

/** Payloads written by hand. Their values between baseline and week 52 are invented. */

interface MeasureOptions {
  title?: string;
  type?: string;
  paramType?: string;
  unitOfMeasure?: string;
  timeFrame?: string;
  groups?: string[];
}

const VISITS: Record<string, [verapamil: string, placebo: string]> = {
  Baseline: ['0.66', '0.60'],
  '13 weeks': ['0.71', '0.62'],
  'Week 26': ['0.70', '0.57'],
  'Week-39 visit': ['0.68', '0.50'],
  '52 Weeks': ['0.65', '0.44'],
};

function measure(visits: Record<string, readonly string[]>, options: MeasureOptions = {}) {
  const { groups = ['Verapamil', 'Placebo'], ...rest } = options;
  const all = groups.map((title, place) => ({ id: `OG00${place}`, title }));
  return {
    type: 'SECONDARY',
    title: 'C-peptide AUC',
    paramType: 'GEOMETRIC_MEAN',
    unitOfMeasure: '(pmol/ml)*minutes',
    timeFrame: 'Baseline to 52 weeks',
    ...rest,
    groups: all,
    classes: Object.entries(visits).map(([title, values]) => ({
      title,
      categories: [
        { measurements: values.map((value, place) => ({ groupId: `OG00${place}`, value, lowerLimit: '0' })) },
      ],
    })),
  };
}

function payload(...outcomeMeasures: unknown[]): string {
  return JSON.stringify({ protocolSection: {}, resultsSection: { outcomeMeasuresModule: { outcomeMeasures } } });
}

const READ = {
  reportedUnit: '(pmol/ml)*minutes',
  statistic: 'geometric-mean',
  control: [
    { week: 0, value: 0.6 },
    { week: 13, value: 0.62 },
    { week: 26, value: 0.57 },
    { week: 39, value: 0.5 },
    { week: 52, value: 0.44 },
  ],
  comparator: [
    { week: 0, value: 0.66 },
    { week: 13, value: 0.71 },
    { week: 26, value: 0.7 },
    { week: 39, value: 0.68 },
    { week: 52, value: 0.65 },
  ],
};

const { Baseline, '52 Weeks': last, ...middle } = VISITS;
const swapped = Object.fromEntries(Object.entries(VISITS).map(([visit, [a, b]]) => [visit, [b, a]]));
const amongFour = Object.fromEntries(Object.entries(VISITS).map(([visit, [a, b]]) => [visit, ['9', b, '9', a]]));

describe('the record of the trial', () => {
  it.each([
    ['in one measure', payload(measure(VISITS))],
    ['with the placebo first', payload(measure(swapped, { groups: ['Placebo', 'Verapamil'] }))],
    [
      'among the four groups of the factorial',
      payload(measure(amongFour, { groups: ['Hybrid Closed Loop', 'Placebo Group', 'Non-HCL', 'Verapamil Group'] })),
    ],
    ['with a placebo that names the drug', payload(measure(VISITS, { groups: ['Verapamil', 'Verapamil Placebo'] }))],
    [
      'with weeks 0 and 52 in the primary measure alone',
      payload(measure({ Baseline: Baseline!, 'Week 52': last! }, { type: 'PRIMARY' }), measure(middle)),
    ],
    [
      'with a measure for each visit, named by its time frame',
      payload(
        ...[0, 13, 26, 39, 52].map((week, place) =>
          measure({ '': Object.values(VISITS)[place]! }, { timeFrame: week === 0 ? 'Baseline' : `${week} weeks` }),
        ),
      ),
    ],
    [
      'beside measures of other things, other arms and changes',
      payload(
        measure({ Baseline: ['1', '2'] }, { title: 'Peak C-peptide' }),
        measure({ Baseline: ['1', '2'] }, { title: 'C-peptide AUC, change from baseline' }),
        measure({ Baseline: ['1', '2'] }, { title: 'C-peptide AUC', groups: ['HCL', 'Usual care'] }),
        measure(VISITS),
      ),
    ],
    [
      'with classes that are no visit',
      payload(measure({ ...VISITS, 'Baseline to week 52': ['9', '9'], Slope: ['1', '1'] })),
    ],
  ])('is read %s', (_title, text) => {
    expect(readClver(text)).toEqual({ value: READ, reason: null });
  });

  it('keeps its unit and its statistic as they are', () => {
    const read = readClver(payload(measure(VISITS, { unitOfMeasure: ' pmol/mL ', paramType: 'MEAN' })));
    expect(read.value).toMatchObject({ reportedUnit: ' pmol/mL ', statistic: 'mean' });
  });

  it.each([
    ['no JSON', '<xml/>', /shape of API v2/],
    ['no results', JSON.stringify({ protocolSection: {}, hasResults: false }), /no results section/],
    ['no C-peptide', payload(measure(VISITS, { title: 'HbA1c' })), /no outcome measure/],
    ['a group without verapamil', payload(measure(VISITS, { groups: ['Non-verapamil', 'Placebo'] })), /0 visits/],
    [
      'two verapamil groups',
      payload(measure(VISITS, { groups: ['HCL + Verapamil', 'Placebo', 'Verapamil'] })),
      /more than one group/,
    ],
    ['four visits', payload(measure({ Baseline: Baseline!, '52 weeks': last! })), /2 visits/],
    ['the same visit twice', payload(measure({ ...VISITS, 'Week 13': ['0.71', '0.62'] })), /names week 13 twice/],
    [
      'measures that disagree',
      payload(measure(VISITS), measure({ 'Week 13': ['0.72', '0.62'] })),
      /disagree on week 13/,
    ],
    ['two units', payload(measure(VISITS), measure({ Baseline: Baseline! }, { unitOfMeasure: 'nmol/L' })), /units/],
    ['two statistics', payload(measure(VISITS), measure({ Baseline: Baseline! }, { paramType: 'MEAN' })), /statistics/],
    ['medians', payload(measure(VISITS, { paramType: 'MEDIAN' })), /neither a mean/],
    ['no unit', payload(measure(VISITS, { unitOfMeasure: '' })), /no unit/],
    [
      'a value that is missing',
      payload(measure({ ...VISITS, 'Week 26': ['NA', '0.57'] })),
      /week 26 has no single value/,
    ],
    ['a value of zero', payload(measure({ ...VISITS, 'Week 26': ['0', '0.57'] })), /week 26 has no single value/],
    ['an arm exchanged', payload(measure(swapped)), /self-check failed: week 0 of the comparator/],
    ['another week 52', payload(measure({ ...VISITS, '52 Weeks': ['0.65', '0.46'] })), /week 52 of the control/],
  ])('with %s is not used, and the reason says so', (_title, text, reason) => {
    const read = readClver(text);
    expect(read.value).toBeNull();
    expect(read.reason).toMatch(reason);
  });
});
