import { TWIN_BASELINE_ARM } from '../../contract/declared/research.ts';
import type { ExperimentResult } from '../../contract/schemas/research/twin-result.ts';
import { extrapolate } from './extrapolation.ts';
import { type Plan, perturbed, shown, type Trajectory, trajectories } from './plan.ts';

type Verification = ExperimentResult['verification'];
type Check = Verification['checks'][number];

const METHOD = 'RODAS, a linearly implicit Rosenbrock method of order 4 (Hairer and Wanner 1996, section IV.7)';
/** The method preserves linear sums, so only rounding errors remain. */
const CONSERVATION_BOUND = 1e-9;
/** A hundred times the relative tolerance: errors of steps add up. */
const DIFFERENCE_BOUND = 1e-5;
const TIGHTER = 100;

/** How well the equations were solved, each check with its worst arm and species or pool. Throws ArithmeticStopped. */
export function verified(plan: Plan, runs: readonly Trajectory[]): Omit<Verification, 'stepsTried'> {
  const { relative, absolute } = plan.tolerance;
  const checks = [
    ...conservation(plan, runs),
    nonnegativity(plan, runs),
    tighter(plan, runs),
    secondIntegrator(plan, runs),
  ];
  return {
    pass: checks.every(({ pass }) => pass),
    method: METHOD,
    relativeTolerance: relative,
    absoluteTolerance: shown(absolute),
    checks,
  };
}

/** The largest value found, and where. */
class Worst {
  value = 0;
  arm: string = TWIN_BASELINE_ARM;
  subject: string | null = null;

  take(value: number, arm: string, subject: string): void {
    if (value <= this.value) return;
    Object.assign(this, { value, arm, subject });
  }

  check(check: Check['check'], bound: number): Check {
    const { arm, subject, value } = this;
    return { check, arm, subject, value: Number(value.toPrecision(3)), bound, pass: value <= bound };
  }
}

const armName = ({ arms }: Plan, arm: number): string => (arm === 0 ? TWIN_BASELINE_ARM : arms[arm - 1]!.id);

function conservation(plan: Plan, runs: readonly Trajectory[]): Check[] {
  return plan.network.pools.map(({ id, weights }) => {
    const worst = new Worst();
    for (const [arm, values] of runs.entries()) worst.take(poolChange(values, weights), armName(plan, arm), id);
    return { ...worst.check('conservation', CONSERVATION_BOUND), subject: id };
  });
}

function poolChange(values: Trajectory, weights: Float64Array): number {
  let [start, change, held] = [0, 0, 0];
  for (let step = 0; step < values.length / weights.length; step += 1) {
    let [sum, size] = [0, 0];
    for (let place = 0; place < weights.length; place += 1) {
      const part = weights[place]! * values[step * weights.length + place]!;
      sum += part;
      size += Math.abs(part);
    }
    if (step === 0) start = sum;
    change = Math.max(change, Math.abs(sum - start));
    held = Math.max(held, size);
  }
  return held === 0 ? 0 : change / held;
}

/** Concentrations are left as the method gives them: setting a negative one to 0 would hide a failure and break pools. */
function nonnegativity(plan: Plan, runs: readonly Trajectory[]): Check {
  const worst = new Worst();
  forEachSpecies(plan, runs, ({ values, place, size, largest }, arm, id) => {
    let least = 0;
    for (let at = place; at < values.length; at += size) least = Math.min(least, values[at]!);
    worst.take(-least / largest, arm, id);
  });
  return worst.check('nonnegativity', DIFFERENCE_BOUND);
}

function tighter(plan: Plan, runs: readonly Trajectory[]): Check {
  const { relative, absolute } = plan.tolerance;
  const tolerance = { relative: relative / TIGHTER, absolute: absolute / TIGHTER };
  const others = trajectories({ ...plan, tolerance }, plan.network.rates);
  const worst = new Worst();
  forEachSpecies(plan, runs, ({ values, place, size, largest, run }, arm, id) => {
    for (let at = place; at < values.length; at += size) {
      worst.take(Math.abs(values[at]! - others[run]![at]!) / largest, arm, id);
    }
  });
  return worst.check('tighter-tolerance', DIFFERENCE_BOUND);
}

function secondIntegrator(plan: Plan, runs: readonly Trajectory[]): Check {
  const ends = [null, ...plan.arms].map((arm) => endByExtrapolation(plan, arm));
  const worst = new Worst();
  forEachSpecies(plan, runs, ({ values, place, size, largest, run }, arm, id) => {
    worst.take(Math.abs(values[values.length - size + place]! - ends[run]![place]!) / largest, arm, id);
  });
  return worst.check('second-integrator', DIFFERENCE_BOUND);
}

function endByExtrapolation(plan: Plan, arm: Plan['arms'][number] | null): Float64Array {
  const { network, times, tolerance, budget } = plan;
  const { rates } = network;
  const y = network.initial.slice();
  const end = times[times.length - 1]!;
  const start = arm === null ? end : times[arm.startStep]!;
  if (start > 0) extrapolate(network.system(rates), y, [0, start], tolerance, budget);
  if (arm) extrapolate(network.system(perturbed(network, rates, arm)), y, [start, end], tolerance, budget);
  return y;
}

interface Row {
  values: Trajectory;
  run: number;
  place: number;
  size: number;
  /** Largest absolute value of the species in this arm; at least the value that the tolerance counts as zero. */
  largest: number;
}

function forEachSpecies(plan: Plan, runs: readonly Trajectory[], work: (row: Row, arm: string, id: string) => void) {
  const { species } = plan.network;
  const size = species.length;
  const floor = plan.tolerance.absolute / plan.tolerance.relative;
  for (const [run, values] of runs.entries()) {
    for (const [place, id] of species.entries()) {
      let largest = floor;
      for (let at = place; at < values.length; at += size) largest = Math.max(largest, Math.abs(values[at]!));
      work({ values, run, place, size, largest }, armName(plan, run), id);
    }
  }
}
