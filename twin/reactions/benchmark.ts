import { TWIN_PLAIN_PREDICTORS } from '../../contract/declared/research.ts';
import { TWIN_DISAGREEMENTS_MAX_ITEMS } from '../../contract/limits/twin.ts';
import type { BenchmarkInput, ExperimentInput } from '../../contract/schemas/research/twin.ts';
import type { BenchmarkResult, ExperimentResult } from '../../contract/schemas/research/twin-result.ts';
import { TWIN_BENCHMARK_VERSION } from '../../contract/version.ts';
import { mean, type ObservedPoint, rootMeanSquare } from './observations.ts';
import { shown } from './plan.ts';

type Predictor = (typeof TWIN_PLAIN_PREDICTORS)[number];
type Candidate = BenchmarkResult['candidates'][number];

/** A spread of the models above this share of the species' largest value is a disagreement. */
export const DISAGREEMENT_SHARE = 0.05;
/** A disagreement is also wider than this many absolute tolerances; a narrower one may come from the solver. */
const NOISE_TOLERANCES = 10;

export const BENCHMARK_LIMITS = [
  'A smaller error is no proof of a mechanism: another mechanism may fit as well, and a model with more free rates fits more easily.',
  'No ranking and no score: errors stand by species, beside what plain predictors without any mechanism reach on the same observations.',
  'Synthetic observations test software, not biology.',
];

/** The result of one experiment of a benchmark, or why it has none. */
export type Outcome = { result: ExperimentResult; manifest: Candidate['manifest'] } | { reason: string };

/** Compares experiments that were checked to share what they must; `outcomes` in their order. */
export function compareExperiments({ experiments }: BenchmarkInput, outcomes: readonly Outcome[]): BenchmarkResult {
  const first = experiments[0]!;
  const ran = outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : []));
  return {
    module: { id: 'twin-benchmark', version: TWIN_BENCHMARK_VERSION },
    shared: sharedOf(first),
    candidates: experiments.map(({ model }, at) => candidateOf(model, outcomes[at]!)),
    plainPredictors: plainPredictors(first, ran),
    disagreements: disagreements(first, ran),
    limits: BENCHMARK_LIMITS,
  };
}

function sharedOf({ model, arms, steps, observations = [], dataset }: ExperimentInput): BenchmarkResult['shared'] {
  return {
    context: model.context,
    timeUnit: model.timeUnit,
    concentrationUnit: model.concentrationUnit,
    species: model.species.map(({ id }) => id),
    arms: arms.map(({ id }) => id),
    steps,
    observations: observations.length,
    dataset: dataset ?? null,
  };
}

function candidateOf({ id, version, provenance }: ExperimentInput['model'], outcome: Outcome): Candidate {
  const name = { id, version, provenance };
  if ('reason' in outcome) {
    return { ...name, state: 'failed', reason: outcome.reason, verification: null, errors: null, manifest: null };
  }
  const { result, manifest } = outcome;
  const { verification, observations } = result;
  return { ...name, state: 'ran', reason: null, verification, errors: observations?.species ?? null, manifest };
}

/** Each plain predictor by species, and the models on exactly the observations for which it has a prediction. */
function plainPredictors(first: ExperimentInput, ran: readonly ExperimentResult[]): BenchmarkResult['plainPredictors'] {
  const observations = first.observations ?? [];
  const observed = first.model.species
    .map(({ id }) => id)
    .filter((id) => observations.some(({ species }) => species === id));
  return observed.flatMap((species) =>
    TWIN_PLAIN_PREDICTORS.map((predictor) => {
      const errors = predictedErrors(observations, species, predictor);
      return {
        species,
        predictor,
        count: errors.length,
        rmse: errors.length === 0 ? null : rootMeanSquare(errors.map(({ error }) => error)),
        models: ran.map(({ model, observations: own }) => ({
          id: model.id,
          version: model.version,
          rmse: errors.length === 0 ? null : rootMeanSquare(errors.map(({ of }) => errorAt(own?.points ?? [], of))),
        })),
      };
    }),
  );
}

type Observation = NonNullable<ExperimentInput['observations']>[number];

/** The error of a model at a place: repeats of one place have different errors, so the value tells which is meant. */
function errorAt(points: readonly ObservedPoint[], { arm, step, species, value }: Observation): number {
  return points.find(
    (point) => point.arm === arm && point.step === step && point.species === species && point.observed === value,
  )!.error;
}

/** Errors of predictions from strictly earlier observations of the same arm and species. */
function predictedErrors(observations: readonly Observation[], species: string, predictor: Predictor) {
  return observations
    .filter((of) => of.species === species)
    .flatMap((of) => {
      const earlier = observations
        .filter((other) => other.species === species && other.arm === of.arm && other.step < of.step)
        .sort((a, b) => a.step - b.step);
      const predicted = PREDICT[predictor](earlier, of.step);
      return predicted === null ? [] : [{ of, error: predicted - of.value }];
    });
}

const valuesOf = (observations: readonly Observation[]): number[] => observations.map(({ value }) => value);

const PREDICT: Record<Predictor, (earlier: readonly Observation[], step: number) => number | null> = {
  'last-value': (earlier) => {
    const last = earlier.at(-1);
    return last === undefined ? null : mean(valuesOf(earlier.filter(({ step }) => step === last.step)));
  },
  mean: (earlier) => (earlier.length === 0 ? null : mean(valuesOf(earlier))),
  linear: (earlier, step) => {
    const centre = mean(earlier.map((one) => one.step));
    const width = earlier.reduce((sum, one) => sum + (one.step - centre) ** 2, 0);
    if (earlier.length < 2 || width === 0) return null;
    const level = mean(valuesOf(earlier));
    const slope = earlier.reduce((sum, one) => sum + (one.step - centre) * (one.value - level), 0) / width;
    return level + slope * (step - centre);
  },
};

type Point = BenchmarkResult['disagreements']['points'][number];

function disagreements(first: ExperimentInput, ran: readonly ExperimentResult[]): BenchmarkResult['disagreements'] {
  const observed = new Set((first.observations ?? []).map(placeOf));
  const found = ran.length < 2 ? [] : spreads(ran);
  const unseen = found.filter((point) => !observed.has(placeOf(point)));
  // The sort is stable, so equal shares stay in the order of arms, species and steps.
  const points = unseen.sort((a, b) => b.shareOfLargest - a.shareOfLargest).slice(0, TWIN_DISAGREEMENTS_MAX_ITEMS);
  return { share: DISAGREEMENT_SHARE, total: unseen.length, points };
}

const placeOf = ({ arm, step, species }: { arm: string; step: number; species: string }): string =>
  JSON.stringify([arm, step, species]);

/** Every place at which the models differ by more than the tolerance. Arms and species are matched by id. */
function spreads(ran: readonly ExperimentResult[]): Point[] {
  const [first] = ran;
  const noise = Math.max(...ran.map(({ verification }) => verification.absoluteTolerance)) * NOISE_TOLERANCES;
  return first!.arms.flatMap((arm) =>
    arm.species.flatMap((species) => {
      const series = ran.map((result) => seriesOf(result, arm.id, species.id));
      const largest = Math.max(...series.flat().map(Math.abs));
      return species.values.flatMap((_, step): Point[] => {
        const values = series.map((own) => own[step]!);
        const spread = Math.max(...values) - Math.min(...values);
        if (spread <= Math.max(noise, DISAGREEMENT_SHARE * largest)) return [];
        return [
          {
            ...{ arm: arm.id, step, time: first!.times[step]!, species: species.id, spread: shown(spread) },
            shareOfLargest: shown(spread / largest),
            values: ran.map(({ model: { id, version } }, at) => ({ id, version, value: values[at]! })),
          },
        ];
      });
    }),
  );
}

function seriesOf({ arms }: ExperimentResult, arm: string, species: string): readonly number[] {
  return arms.find(({ id }) => id === arm)!.species.find(({ id }) => id === species)!.values;
}
