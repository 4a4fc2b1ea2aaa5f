import type { ParameterShape } from '../operation.ts';
import { findingIdParameter } from '../operations/board/findings.ts';
import { getMind, getTrends } from '../operations/trials/signals.ts';
import { getTrialResultsGap } from '../operations/trials/trial-results-gap.ts';
import { enumParameter, textParameter } from '../parameters.ts';
import { trialFilterParameters } from '../trial-filters.ts';

/** The pictures of the pages, each with addresses of its own: what each takes. */

const FIELD_MAX_CHARACTERS = 4_000;
const ID_MAX_CHARACTERS = 40;

/** The fields of the form of /beta-cell, which are the parameters of the address of a run. */
export const BETA_CELL_ADDRESS_FIELDS = [
  'dataset',
  'trainingThroughWeek',
  'recoveryRate',
  'durationWeeks',
  'immuneSuppression',
  'replacementContribution',
  'graftProtection',
  'graftAttrition',
  'id',
  'citation',
  'population',
  'assay',
  'reportedUnit',
  'kind',
  'statistic',
  'controlLabel',
  'control',
  'comparatorLabel',
  'comparator',
] as const;

const run: ParameterShape = Object.fromEntries(
  BETA_CELL_ADDRESS_FIELDS.map((name) => [
    name,
    textParameter(FIELD_MAX_CHARACTERS, `Of a beta-cell run: ${name}, as in the address of its page.`).optional(),
  ]),
);

const { sort: _sort, text: _text, ...gapFilters } = getTrialResultsGap.query;

const trial = {
  trial: textParameter(
    ID_MAX_CHARACTERS,
    'Of a picture of one trial: its canonical id, or the id of one of its registrations.',
  ).optional(),
};
const finding = { finding: findingIdParameter.optional() };

interface ChartParameters {
  readonly query: ParameterShape;
  /** The parameter without which there is nothing to draw. */
  readonly needs?: string;
}

export const CHARTS = {
  coverage: { query: trialFilterParameters },
  phases: { query: trialFilterParameters },
  statuses: { query: trialFilterParameters },
  'sponsor-classes': { query: trialFilterParameters },
  trend: { query: trialFilterParameters },
  'phases-by-year': { query: trialFilterParameters },
  'results-gap': { query: gapFilters },
  timeline: { query: trial, needs: 'trial' },
  sites: { query: trial, needs: 'trial' },
  'versions-trials': { query: {} },
  'versions-bytes': { query: {} },
  'attention-kinds': { query: getMind.query },
  'attention-items': { query: { disease: getTrends.query.disease } },
  'beta-cell-fit': { query: run, needs: 'dataset' },
  'beta-cell-plan': { query: run, needs: 'dataset' },
  'beta-cell-combinations': { query: run, needs: 'dataset' },
  'patient-model-needs': { query: {} },
  lineage: { query: finding, needs: 'finding' },
} as const satisfies Record<string, ChartParameters>;

export type ChartName = keyof typeof CHARTS;
export const CHART_NAMES = Object.keys(CHARTS) as ChartName[];

/** What the address of some picture takes; which one takes what, its refusal says. */
export const chartParameters: ParameterShape = Object.assign(
  {},
  ...Object.values(CHARTS).map(({ query }: ChartParameters) => query),
);

/** Pictures of what agents write, which no snapshot holds. */
export const BOARD_CHARTS: readonly ChartName[] = ['lineage'];

const CHART_FILE = new RegExp(`^(?:${CHART_NAMES.join('|')})\\.(?:svg|csv)$`);
const CHART_FILE_MAX_CHARACTERS = 40;

export const chartFileParameter = textParameter(
  CHART_FILE_MAX_CHARACTERS,
  `${CHART_NAMES.join(', ')}, each with .svg or .csv.`,
  { test: CHART_FILE, words: `one of ${CHART_NAMES.join(', ')} with .svg or .csv` },
);

export const headerParameter = enumParameter(
  ['words', 'names'],
  'How the first line names the columns. words, as without it: in words, as "Start date"; names: by their stable names, as start_date.',
).default('words');
