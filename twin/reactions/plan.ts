import type { ExperimentInput } from '../../contract/schemas/research/twin.ts';
import { Network } from './network.ts';
import { type Budget, Rosenbrock, type Tolerance } from './solver.ts';

/** Error that a step may have, as a share of each value. */
export const RELATIVE_TOLERANCE = 1e-7;
/** Share of the largest initial concentration; a smaller value counts as zero. */
const ABSOLUTE_SHARE = 1e-10;
/** Large enough that no share of it is rounded to 0. */
const ABSOLUTE_MIN = 1e-280;

export interface ArmPlan {
  id: string;
  startStep: number;
  rateMultipliers: Readonly<Record<string, number>>;
}

/** One experiment, ready to be run under any rates. */
export interface Plan {
  network: Network;
  /** Without the baseline. */
  arms: readonly ArmPlan[];
  times: Float64Array;
  tolerance: Tolerance;
  budget: Budget;
}

/** Concentrations of one arm: for each step, one value per species. */
export type Trajectory = Float64Array;

export function planOf(input: ExperimentInput, budget: Budget): Plan {
  const { model, arms, duration, steps } = input;
  const absolute = Math.max(ABSOLUTE_SHARE * scaleOf(input), ABSOLUTE_MIN);
  return {
    network: new Network(model),
    arms,
    times: Float64Array.from({ length: steps + 1 }, (_, step) =>
      step === steps ? duration : (step * duration) / steps,
    ),
    tolerance: { relative: RELATIVE_TOLERANCE, absolute },
    budget,
  };
}

/** The largest initial concentration. If all are 0, what the largest inflow adds in one step; without an inflow, 1. */
function scaleOf({ model, duration, steps }: ExperimentInput): number {
  const initial = Math.max(...model.species.map((species) => species.initial));
  if (initial > 0) return initial;
  const inflows = model.reactions.filter(({ reactants }) => reactants.length === 0).map(({ rate }) => rate);
  return (Math.max(0, ...inflows) * duration) / steps || 1;
}

/** The baseline and each arm under these rates; an arm begins as a copy of the baseline. Throws ArithmeticStopped. */
export function trajectories(plan: Plan, rates: Float64Array): Trajectory[] {
  const { network, times } = plan;
  const size = network.species.length;
  const baseline = new Float64Array(times.length * size);
  baseline.set(network.initial);
  follow(plan, baseline, rates, 0);
  const arms = plan.arms.map((arm) => {
    const values = baseline.slice();
    follow(plan, values, perturbed(network, rates, arm), arm.startStep);
    return values;
  });
  return [baseline, ...arms];
}

export function perturbed(network: Network, rates: Float64Array, { rateMultipliers }: ArmPlan): Float64Array {
  const changed = rates.slice();
  for (const [id, multiplier] of Object.entries(rateMultipliers)) changed[network.reactionPlace(id)]! *= multiplier;
  return changed;
}

/** Solves from the values at `start` on and fills in the later ones. */
function follow({ network, times, tolerance, budget }: Plan, values: Trajectory, rates: Float64Array, start: number) {
  const size = network.species.length;
  const solver = new Rosenbrock(network.system(rates), tolerance, budget);
  const y = values.slice(start * size, (start + 1) * size);
  for (let step = start + 1; step < times.length; step += 1) {
    solver.advance(y, times[step - 1]!, times[step]!);
    values.set(y, step * size);
  }
}

/** Digits beyond the tolerance are noise, and cost the reader bytes; -0 is 0. */
export function shown(value: number): number {
  return Number(value.toPrecision(9)) + 0;
}
