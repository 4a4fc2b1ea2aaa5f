import { factor, solve } from './dense.ts';
import type { System } from './network.ts';
import { ArithmeticStopped, addScaled, type Budget, firstStep, fourthRoot, LARGEST, type Tolerance } from './solver.ts';

/**
 * The extrapolated linearly implicit Euler method at the fixed order 5: P. Deuflhard, SIAM Review 27 (1985) 505-535;
 * E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, section IV.9. It shares no coefficient with the
 * Rosenbrock method, so that one mistake cannot make the end values of both agree.
 */
const SUBSTEPS = [1, 2, 3, 4, 5];
const ROWS = SUBSTEPS.length;
/** Factorizations of one attempt, charged as so many steps. */
const COST = ROWS;

/** Moves `y` on from one time to another. Throws ArithmeticStopped. */
export function extrapolate(
  system: System,
  y: Float64Array,
  [from, to]: readonly [number, number],
  tolerance: Tolerance,
  budget: Budget,
): void {
  const table = Array.from({ length: ROWS }, () => new Float64Array(system.size));
  const work = { matrix: new Float64Array(system.size ** 2), order: new Int32Array(system.size) };
  const jacobian = new Float64Array(system.size ** 2);
  let time = from;
  let wanted = firstStep(system, y, to - from, tolerance);
  while (time < to) {
    const last = wanted >= (to - time) * (1 - 1e-10);
    const length = last ? to - time : wanted;
    if (time + length <= time) throw new ArithmeticStopped('step', time);
    budget.spend(COST, time);
    system.jacobian(y, jacobian);
    const error = attempt(system, y, length, { table, jacobian, ...work }, tolerance);
    if (error <= 1) {
      y.set(table[ROWS - 1]!);
      time = last ? to : time + length;
    }
    wanted = length * (Number.isFinite(error) ? Math.min(6, Math.max(0.2, 0.8 / fourthRoot(error))) : 0.1);
  }
}

interface Work {
  table: Float64Array[];
  jacobian: Float64Array;
  matrix: Float64Array;
  order: Int32Array;
}

/** One step; its result is the last row of the table, its error the difference to the order below. */
function attempt(system: System, y: Float64Array, length: number, work: Work, tolerance: Tolerance): number {
  const { table } = work;
  for (let row = 0; row < ROWS; row += 1) {
    if (!eulerSteps(system, y, length, SUBSTEPS[row]!, table[row]!, work)) return Number.POSITIVE_INFINITY;
  }
  // Aitken and Neville, column by column in place; before the last column, row ROWS - 1 has one order less.
  for (let column = 1; column < ROWS; column += 1) {
    if (column === ROWS - 1) work.matrix.set(table[ROWS - 1]!);
    for (let row = ROWS - 1; row >= column; row -= 1) {
      const ratio = SUBSTEPS[row]! / SUBSTEPS[row - column]! - 1;
      const [here, above] = [table[row]!, table[row - 1]!];
      for (let at = 0; at < system.size; at += 1) here[at]! += (here[at]! - above[at]!) / ratio;
    }
  }
  const [best, before] = [table[ROWS - 1]!, work.matrix];
  let worst = 0;
  for (let at = 0; at < system.size; at += 1) {
    const magnitude = Math.max(Math.abs(y[at]!), Math.abs(best[at]!));
    const share = Math.abs(best[at]! - before[at]!) / (tolerance.absolute + tolerance.relative * magnitude);
    if (!Number.isFinite(share) || !(magnitude <= LARGEST)) return Number.POSITIVE_INFINITY;
    worst = Math.max(worst, share);
  }
  return worst;
}

/** `count` linearly implicit Euler steps with the Jacobian at the start, into `out`; false if none is possible. */
function eulerSteps(
  system: System,
  y: Float64Array,
  length: number,
  count: number,
  out: Float64Array,
  { jacobian, matrix, order }: Work,
): boolean {
  const { size } = system;
  const short = length / count;
  for (let at = 0; at < size * size; at += 1) matrix[at] = -short * jacobian[at]!;
  for (let at = 0; at < size; at += 1) matrix[at * size + at]! += 1;
  if (!factor(matrix, order)) return false;
  const change = new Float64Array(size);
  out.set(y);
  for (let step = 0; step < count; step += 1) {
    system.derivative(out, change);
    for (let at = 0; at < size; at += 1) change[at]! *= short;
    solve(matrix, order, change);
    addScaled(out, 1, change);
  }
  return true;
}
