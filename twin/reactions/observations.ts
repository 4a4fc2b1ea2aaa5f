import { TWIN_BASELINE_ARM } from '../../contract/declared/research.ts';
import type { ExperimentInput } from '../../contract/schemas/research/twin.ts';
import type { ExperimentResult } from '../../contract/schemas/research/twin-result.ts';
import { type Plan, shown, type Trajectory } from './plan.ts';
import type { Bounds } from './sensitivity.ts';

type Observed = NonNullable<ExperimentResult['observations']>;
export type ObservedPoint = Observed['points'][number];
type SpeciesErrors = Observed['species'][number];

const SAYS = 'Raw errors, never a score. Errors on data that the model was fitted to say nothing of what it predicts.';

/** Each observation beside what the run has at its place; null if nothing was observed. */
export function observedErrors(
  { network, arms, times }: Plan,
  runs: readonly Trajectory[],
  bounds: Bounds | null,
  { observations = [] }: ExperimentInput,
): Observed | null {
  if (observations.length === 0) return null;
  const names = [TWIN_BASELINE_ARM, ...arms.map(({ id }) => id)];
  const points = observations.map(({ arm, step, species, value }): ObservedPoint => {
    const run = names.indexOf(arm);
    const at = step * network.species.length + network.placeOf(species);
    const predicted = shown(runs[run]![at]!);
    const error = shown(predicted - value);
    return {
      ...{ arm, step, time: shown(times[step]!), species, observed: value, predicted, error },
      relativeError: value === 0 ? null : finite(error / Math.abs(value)),
      insideRange: bounds && bounds.low[run]![at]! <= value && value <= bounds.high[run]![at]!,
    };
  });
  return { points, species: errorsBySpecies(points, network.species), says: SAYS };
}

/** Null if the quotient is beyond the range of a double, which JSON cannot express. */
function finite(value: number): number | null {
  return Number.isFinite(value) ? shown(value) : null;
}

/** In the order of the model's species; those without an observation are left out. */
function errorsBySpecies(points: readonly ObservedPoint[], species: readonly string[]): SpeciesErrors[] {
  return species.flatMap((id) => {
    const own = points.filter((point) => point.species === id);
    if (own.length === 0) return [];
    const relative = own.flatMap(({ relativeError }) => (relativeError === null ? [] : [Math.abs(relativeError)]));
    return [
      {
        species: id,
        count: own.length,
        rmse: rootMeanSquare(own.map(({ error }) => error)),
        meanAbsoluteError: shown(mean(own.map(({ error }) => Math.abs(error)))),
        meanRelativeError: relative.length === 0 ? null : finite(mean(relative)),
      },
    ];
  });
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function rootMeanSquare(errors: readonly number[]): number {
  return shown(Math.sqrt(mean(errors.map((error) => error * error))));
}
