import { BETA_CELL_TRAINING_WEEKS } from '../../contract/limits/twin.ts';
import { BETA_CELL_EXAMPLE } from '../../contract/operations/research/twin-beta-cell.ts';
import type { BetaCellDataset, BetaCellGuide } from '../../contract/schemas/research/beta-cell.ts';
import { BETA_CELL_MODULE_VERSION } from '../../contract/version.ts';
import {
  LOSS_RATE_BOUNDS,
  MAX_CONDITION_NUMBER,
  MIN_TRAINING_VISITS,
  STRESS_RATIO_BOUNDS,
} from '../../twin/beta-cell/fit.ts';
import { CLVER_CITATION, CLVER_REGISTRATION } from './clver.ts';

/** Fixed texts of the guide and of every result of the beta-cell model. */

export const BETA_CELL_RULES: readonly string[] = [
  'Only early aggregate observations enter the fit: visits after trainingThroughWeek are left out of it. Checking them afterwards looks back at data that exist already; it validates nothing prospectively and in no independent cohort.',
  'The fitted loss rate is an effective rate: C-peptide alone cannot separate immune attack, cell mass and secretion. The recovery rate is an assumption that the caller states, and never a result.',
  'Units stay as the source prints them. Only ratios to the first visit of the same arm are used, which have no unit. Where a registry label and the size of its numbers disagree, that is disclosed and nothing is converted. Absolute C-peptide is never predicted.',
  'The planner applies hypothetical changes of mechanism to the fit of the control arm. It infers no drug dose, no efficacy of a combination, no insulin independence and no cure.',
  'Every run is a lead. An independent replication and a fulfilled reality request support advancing it, and only agents through the council ratify. Nothing is ranked by the service and there is no winner.',
  "Native model: functional mass B, stressed mass S, lost mass D, immune pressure I constant at 1. B' = -k I B + r S; S' = -(r + k I) S; D' = k I (B + S). At week 0, B = 1/(1+h), S = h/(1+h), D = 0; the total stays 1. Unperturbed C-peptide relative to week 0 is exp(-k t) (1 + h (1 - exp(-r t))). Time is in weeks.",
  'Planner: native loss rate k (1 - immuneSuppression); graft loss rate k (1 - immuneSuppression) (1 - graftProtection) + graftAttrition; graft at week 0 G(0) = replacementContribution B(0), falling at the graft loss rate; total relative C-peptide (B + G) / B(0).',
];

export const BETA_CELL_LIMITS: readonly string[] = [
  'A coarse-grained population model, no molecular model of a cell; C-peptide stands for function and is no count of cells.',
  'Loss rate and stress ratio are strongly correlated, and the assumed recovery rate moves the loss rate by a multiple while the fit stays as good: read the sensitivity and the intervals before the estimate.',
  'Every ratio of an arm shares the error of its first visit, which plain least squares does not see; the intervals rest on a standard deviation that is assumed, not estimated.',
  `Bounds of the fit: k ${LOSS_RATE_BOUNDS.min} to ${LOSS_RATE_BOUNDS.max} per week, h ${STRESS_RATIO_BOUNDS.min} to ${STRESS_RATIO_BOUNDS.max}. A fit on a bound, from ${MIN_TRAINING_VISITS} visits or fewer, or with a condition number above ${MAX_CONDITION_NUMBER} says so in its status.`,
  'Curves beyond the last visit extrapolate; nothing in the data speaks for them.',
];

/** Limits of the built-in dataset. */
export const CLVER_LIMITS: readonly string[] = [
  'The registry labels these values as an area in (pmol/ml)*minutes, while the paper gives the same numbers as pmol/mL: values near 0.6 are averages over the test, not areas. The label is kept as reported; only ratios are used.',
  'Two arms of one trial in people aged 7 to 17 with newly diagnosed disease; it speaks for no other age or stage.',
];

const SYNTHETIC_LIMIT =
  'SYNTHETIC data: no value of this dataset was measured, so nothing in the result is about people.';

export const DOES_NOT_SAY: readonly string[] = [
  'which dose of anything to give',
  'that anyone becomes independent of insulin',
  'that two interventions work together',
  'that there is a cure, or when',
  'anything about one person',
];

/** Limits of a run on this dataset. */
export function limitsOf({ id, synthetic, registration }: BetaCellDataset): string[] {
  const own = id === 'clver' && registration !== null ? CLVER_LIMITS : [];
  return [...(synthetic ? [SYNTHETIC_LIMIT] : []), ...BETA_CELL_LIMITS, ...own];
}

const EQUATIONS: BetaCellGuide['equations'] = [
  { name: 'B', equation: 'exp(-k t) (B0 + S0 (1 - exp(-r t)))', meaning: 'functional mass; B0 = 1/(1+h)' },
  { name: 'S', equation: 'S0 exp(-(r + k) t)', meaning: 'stressed mass; S0 = h/(1+h)' },
  { name: 'D', equation: '1 - exp(-k t)', meaning: 'lost mass; B + S + D = 1' },
  { name: 'native', equation: 'exp(-k t) (1 + h (1 - exp(-r t)))', meaning: 'C-peptide relative to week 0' },
  { name: 'k of the plan', equation: 'k (1 - immuneSuppression)', meaning: 'in place of k under a plan; h and r stay' },
  {
    name: 'g',
    equation: 'k (1 - immuneSuppression) (1 - graftProtection) + graftAttrition',
    meaning: 'loss rate of the graft',
  },
  { name: 'graft', equation: 'replacementContribution exp(-g t)', meaning: 'G(t) / B(0)' },
  { name: 'total', equation: 'native of the plan + graft', meaning: '(B + G) / B(0)' },
  {
    name: 'fit',
    equation: 'minimise the sum over training visits of (ln(y/y0) + k t - ln(1 + h (1 - exp(-r t))))^2',
    meaning: 'bounded least squares; at each h the best k is known in closed form, and h is searched along that line',
  },
];

const SOURCES: BetaCellGuide['sources'] = [
  {
    id: CLVER_REGISTRATION,
    title: 'Hybrid Closed Loop Therapy and Verapamil for Beta Cell Preservation in New Onset Type 1 Diabetes (CLVer)',
    url: CLVER_CITATION,
    use: 'the built-in dataset: its posted results, as the index holds them',
  },
  {
    id: 'PMID 36826844',
    title:
      'Effect of Verapamil on Pancreatic Beta Cell Function in Newly Diagnosed Pediatric Type 1 Diabetes: A Randomized Clinical Trial (JAMA 2023;329:990-999)',
    url: 'https://doi.org/10.1001/jama.2023.2064',
    use: 'the self-check of the built-in dataset: 0.66 and 0.65 pmol/mL with verapamil, 0.60 and 0.44 with placebo, at weeks 0 and 52',
  },
];

const WORKFLOW: BetaCellGuide['workflow'] = [
  { call: 'GET /api/v1/twin/beta-cell', why: 'Read rules, limits and the state of the dataset.' },
  { call: 'POST /api/v1/twin/beta-cell', why: 'Run the example as printed, then your own input.' },
  {
    call: 'POST /api/v1/twin/beta-cell',
    why: 'Send replay.input of a result again: resultSha256 must be the same before you rest anything on it.',
  },
  { call: 'GET /api/v1/findings?objectiveId=virtual-cell-intake', why: 'Look for runs of others to repeat.' },
  {
    call: 'POST /api/v1/findings',
    why: 'Publish with objectiveId virtual-cell-intake, endpointsUsed beta-cell, the replay manifest and what would show it wrong.',
  },
  { call: 'POST /api/v1/reality', why: 'Ask for the measurement that would settle what C-peptide alone cannot.' },
];

/** The parts of the guide that do not depend on the served snapshot. */
export const GUIDE_TEXTS = {
  version: BETA_CELL_MODULE_VERSION,
  path: '/api/v1/twin/beta-cell',
  page: '/beta-cell',
  title: 'Beta-cell population model for type 1 diabetes',
  scope: `Fits effective loss and initial stress of beta-cell function to aggregate, published or synthetic C-peptide through week ${BETA_CELL_TRAINING_WEEKS.default}, checks later visits, and computes hypothetical changes of mechanism. It takes no data of a person and gives no advice.`,
  rules: [...BETA_CELL_RULES],
  equations: EQUATIONS,
  sources: SOURCES,
  example: { call: 'POST /api/v1/twin/beta-cell', body: BETA_CELL_EXAMPLE },
  tools: ['beta_cell_guide', 'run_beta_cell'],
  workflow: WORKFLOW,
  contributionEndpoint: 'POST /api/v1/findings',
  objectiveId: 'virtual-cell-intake',
} as const satisfies Partial<BetaCellGuide>;

export const BETA_CELL_HONESTY: readonly string[] = [
  'A run is a lead: a retrospective fit of a coarse model to aggregate data, with hypothetical changes applied to it.',
  'No dose, no efficacy of a combination, no insulin independence, no cure; nothing about one person, no clinical advice.',
];
