import type { BetaCellArmFit, BetaCellHeldOut } from '../../contract/schemas/research/beta-cell.ts';
import {
  type Fit,
  fitExponential,
  fitVisits,
  identifiability,
  lossRateInterval,
  MAX_CONDITION_NUMBER,
  MIN_TRAINING_VISITS,
} from './fit.ts';
import { peak, relativeNative } from './model.ts';
import { finite, type ObservedVisit, observedVisits, type Point } from './observations.ts';

/** Chi-square with one degree of freedom at 95 %. */
const CHI_SQUARE_95 = 3.84;
/** Assumed standard deviations of a log ratio: the data of an arm are too few to estimate one. */
const ASSUMED_LOG_SDS = [0.02, 0.05, 0.1] as const;
/** Ends of the range that a caller may assume for r, per week. */
const SENSITIVITY_RECOVERY_RATES = [0.02, 0.3] as const;
/**
 * Per week: losses of about 10 % to 93 % a year. Published declines of C-peptide after diagnosis are near 47 % a year
 * (0.012 per week), so a fit outside of this deserves a second look before it is used.
 */
export const PLAUSIBLE_LOSS_RATE = { min: 0.002, max: 0.05 } as const;

const NOTHING_HELD_OUT = 'No visit lies after trainingThroughWeek: the model saw them all, and nothing tests it.';

/** Fit of one arm with everything that says how far it can be believed. */
export function fitArm(points: readonly Point[], trainingThroughWeek: number, recoveryRate: number): BetaCellArmFit {
  const visits = observedVisits(points, trainingThroughWeek);
  const training = visits.filter(({ role }) => role === 'training');
  const fit = fitVisits(training, recoveryRate);
  const model = fit && ((week: number) => relativeNative({ ...fit, recoveryRate }, week));
  const originWeek = points[0]!.week;
  return {
    ...status(training, recoveryRate, fit),
    originWeek,
    lossRate: fit?.lossRate ?? null,
    stressRatio: fit?.stressRatio ?? null,
    recoveryRate,
    atBound: fit?.atBound ?? null,
    trainingVisits: training.length,
    degreesOfFreedom: fit === null ? null : training.length - MIN_TRAINING_VISITS,
    sumOfSquares: fit?.sumOfSquares ?? null,
    peak: fit === null ? null : sinceOrigin(peak({ ...fit, recoveryRate }), originWeek),
    plausibility: fit === null ? null : plausibility(fit.lossRate),
    visits: visits.map((visit) => sinceOrigin(shownVisit(visit, model), originWeek)),
    heldOut: heldOut(visits, model),
    identifiability: fit === null ? null : identified(training, recoveryRate, fit),
    sensitivity: SENSITIVITY_RECOVERY_RATES.map((assumed) => {
      const other = fitVisits(training, assumed);
      return {
        recoveryRate: assumed,
        lossRate: other?.lossRate ?? null,
        stressRatio: other?.stressRatio ?? null,
        sumOfSquares: other?.sumOfSquares ?? null,
      };
    }),
  };
}

function status(
  training: readonly ObservedVisit[],
  recoveryRate: number,
  fit: Fit | null,
): Pick<BetaCellArmFit, 'status' | 'statusReason'> {
  if (fit === null) {
    return {
      status: 'too-few-visits',
      statusReason: `${training.length} training visit(s) after the first cannot determine two parameters; ${MIN_TRAINING_VISITS} are the least.`,
    };
  }
  const { conditionNumber } = identifiability(training, recoveryRate, fit.stressRatio);
  if (conditionNumber > MAX_CONDITION_NUMBER) {
    return {
      status: 'not-identifiable',
      statusReason: `The training visits do not tell loss and stress apart (condition number above ${MAX_CONDITION_NUMBER}); other pairs fit as well.`,
    };
  }
  const bounds = Object.entries(fit.atBound).flatMap(([name, bound]) => (bound === null ? [] : [`${name} ${bound}`]));
  if (bounds.length > 0) {
    return {
      status: 'at-bound',
      statusReason: `The best fit lies on a bound of its range (${bounds.join(', ')}): it may be of the bound's making.`,
    };
  }
  if (training.length === MIN_TRAINING_VISITS) {
    return {
      status: 'no-residual-freedom',
      statusReason: 'Two visits and two parameters: the curve passes through them whatever they are.',
    };
  }
  return { status: 'fitted', statusReason: 'The best fit lies inside its bounds and leaves residuals to judge it by.' };
}

/** In the weeks that the caller stated; the fit counts them from the first visit. */
function sinceOrigin<Shown extends { week: number | null }>(shown: Shown, originWeek: number): Shown {
  return shown.week === null ? shown : { ...shown, week: shown.week + originWeek };
}

function plausibility(lossRate: number): NonNullable<BetaCellArmFit['plausibility']> {
  if (lossRate < PLAUSIBLE_LOSS_RATE.min) return 'below';
  return lossRate > PLAUSIBLE_LOSS_RATE.max ? 'above' : 'inside';
}

type Model = ((week: number) => number) | null;

function shownVisit({ week, logRatio, role }: ObservedVisit, model: Model): BetaCellArmFit['visits'][number] {
  const predicted = model?.(week) ?? null;
  const observedRatio = finite(Math.exp(logRatio));
  const error = predicted === null ? null : finite(100 * (predicted / Math.exp(logRatio) - 1));
  return {
    week,
    role,
    observedRatio,
    predictedRatio: predicted,
    logResidual: predicted === null ? null : logRatio - Math.log(predicted),
    percentError: role === 'held-out' ? error : null,
  };
}

/** Errors at the visits that the fit never saw, beside those of three predictions that need no model. */
function heldOut(visits: readonly ObservedVisit[], model: Model): BetaCellHeldOut {
  const training = visits.filter(({ role }) => role === 'training');
  const unseen = visits.filter(({ role }) => role === 'held-out');
  const last = training.at(-1);
  const mean = training.reduce((sum, { logRatio }) => sum + Math.exp(logRatio), 0) / training.length;
  const exponential = fitExponential(training);
  const predictions: [BetaCellHeldOut['predictions'][number]['prediction'], ((week: number) => number) | null][] = [
    ['model', model && ((week) => Math.log(model(week)))],
    ['last-training-value', last === undefined ? null : () => last.logRatio],
    ['mean-of-training-values', training.length === 0 ? null : () => Math.log(mean)],
    ['pure-exponential', exponential === null ? null : (week) => -exponential * week],
  ];
  return {
    visits: unseen.length,
    note: unseen.length > 0 ? null : NOTHING_HELD_OUT,
    predictions: predictions.map(([prediction, logRatioAt]) => ({ prediction, ...errorsOf(unseen, logRatioAt) })),
  };
}

function errorsOf(
  unseen: readonly ObservedVisit[],
  logRatioAt: ((week: number) => number) | null,
): { logRmse: number | null; meanAbsolutePercentError: number | null } {
  if (logRatioAt === null || unseen.length === 0) return { logRmse: null, meanAbsolutePercentError: null };
  const errors = unseen.map(({ week, logRatio }) => logRatioAt(week) - logRatio);
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    logRmse: finite(Math.sqrt(mean(errors.map((error) => error * error)))),
    meanAbsolutePercentError: finite(100 * mean(errors.map((error) => Math.abs(Math.expm1(error))))),
  };
}

function identified(
  training: readonly ObservedVisit[],
  recoveryRate: number,
  fit: Fit,
): NonNullable<BetaCellArmFit['identifiability']> {
  const { correlation, conditionNumber } = identifiability(training, recoveryRate, fit.stressRatio);
  return {
    estimateCorrelation: correlation,
    conditionNumber,
    lossRateIntervals: ASSUMED_LOG_SDS.map((assumedLogSd) => ({
      assumedLogSd,
      ...lossRateInterval(training, recoveryRate, fit, CHI_SQUARE_95 * assumedLogSd ** 2),
    })),
  };
}
