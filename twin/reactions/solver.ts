import { factor, solve } from './dense.ts';
import type { System } from './network.ts';

/**
 * RODAS, a linearly implicit Rosenbrock method: order 4 with an embedded order 3, six stages, L-stable and stiffly
 * accurate. E. Hairer and G. Wanner, Solving Ordinary Differential Equations II, 2nd edition, Springer 1996, section
 * IV.7 (method and transformed stages) and the authors' program rodas.f, METH = 1 (coefficients). The equations have
 * constant coefficients between two changes of rates, so the terms with the derivative by time drop out.
 */
const GAMMA = 0.25;
const A = [
  [],
  [1.544],
  [0.9466785280815826, 0.2557011698983284],
  [3.314825187068521, 2.896124015972201, 0.9986419139977817],
  [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895],
  [1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895, 1],
];
const C = [
  [],
  [-5.6688],
  [-2.430093356833875, -0.2063599157091915],
  [-0.1073529058151375, -9.594562251023355, -20.47028614809616],
  [7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616],
  [8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054],
];
const STAGES = 6;

export interface Tolerance {
  /** Share of each value. */
  relative: number;
  /** In the concentration unit. */
  absolute: number;
}

/** What stopped the arithmetic, and where: the budget, or a step so short that time does not move. */
export class ArithmeticStopped extends Error {
  readonly reason: 'budget' | 'step';
  readonly time: number;
  constructor(reason: 'budget' | 'step', time: number) {
    super(`stopped at time ${time}: ${reason}`);
    this.name = 'ArithmeticStopped';
    this.reason = reason;
    this.time = time;
  }
}

/** Steps that may still be tried, accepted or not; each costs one factorization and a fixed number of evaluations. */
export class Budget {
  readonly steps: number;
  #left: number;
  constructor(steps: number) {
    this.steps = steps;
    this.#left = steps;
  }

  get used(): number {
    return this.steps - this.#left;
  }

  /** Throws ArithmeticStopped if too few are left. */
  spend(steps: number, time: number): void {
    if (this.#left < steps) throw new ArithmeticStopped('budget', time);
    this.#left -= steps;
  }
}

/** Concentrations beyond it grow without bound; their squares are still numbers. */
export const LARGEST = 1e100;
const SAFETY = 0.9;
const GROWTH_MAX = 6;
const SHRINK_MAX = 0.2;
/** Factor for the first step, and for the step after one whose result is not a number. */
const CAUTION = 0.1;

export class Rosenbrock {
  readonly #system: System;
  readonly #tolerance: Tolerance;
  readonly #budget: Budget;
  readonly #stages: Float64Array[];
  readonly #jacobian: Float64Array;
  readonly #matrix: Float64Array;
  readonly #order: Int32Array;
  readonly #at: Float64Array;
  /** Length that the error control wants for the next step; 0 before the first. */
  #wanted = 0;

  constructor(system: System, tolerance: Tolerance, budget: Budget) {
    const { size } = system;
    this.#system = system;
    this.#tolerance = tolerance;
    this.#budget = budget;
    this.#stages = Array.from({ length: STAGES }, () => new Float64Array(size));
    this.#jacobian = new Float64Array(size * size);
    this.#matrix = new Float64Array(size * size);
    this.#order = new Int32Array(size);
    this.#at = new Float64Array(size);
  }

  /** Moves `y` on from one time to another; the last step ends there exactly. Throws ArithmeticStopped. */
  advance(y: Float64Array, from: number, to: number): void {
    let time = from;
    if (this.#wanted === 0) this.#wanted = firstStep(this.#system, y, to - from, this.#tolerance);
    let fresh = false;
    while (time < to) {
      const left = to - time;
      // If only a rounding error of the time would remain, this step goes to the end.
      const last = this.#wanted >= left * (1 - 1e-10);
      const length = last ? left : this.#wanted;
      if (time + length <= time) throw new ArithmeticStopped('step', time);
      this.#budget.spend(1, time);
      if (!fresh) this.#system.jacobian(y, this.#jacobian);
      fresh = true;
      const error = this.#attempt(y, length);
      const factorOf = Math.min(GROWTH_MAX, Math.max(SHRINK_MAX, SAFETY / fourthRoot(error)));
      if (error <= 1) {
        y.set(this.#at);
        time = last ? to : time + length;
        fresh = false;
        // A step cut short by the end must not lower the length that was wanted.
        this.#wanted = last ? Math.max(this.#wanted, length * factorOf) : length * factorOf;
      } else this.#wanted = length * (Number.isFinite(error) ? factorOf : CAUTION);
    }
  }

  /** One step into `#at`; returns its error in units of the tolerance, Infinity if a value is not a number. */
  #attempt(y: Float64Array, length: number): number {
    const { size } = this.#system;
    for (let at = 0; at < size * size; at += 1) this.#matrix[at] = -this.#jacobian[at]!;
    for (let at = 0; at < size; at += 1) this.#matrix[at * size + at]! += 1 / (length * GAMMA);
    if (!factor(this.#matrix, this.#order)) return Number.POSITIVE_INFINITY;
    for (let stage = 0; stage < STAGES; stage += 1) this.#solveStage(y, length, stage);
    const error = this.#stages[STAGES - 1]!;
    let worst = 0;
    for (let at = 0; at < size; at += 1) {
      this.#at[at]! += error[at]!;
      const magnitude = Math.max(Math.abs(y[at]!), Math.abs(this.#at[at]!));
      const share = Math.abs(error[at]!) / (this.#tolerance.absolute + this.#tolerance.relative * magnitude);
      if (!Number.isFinite(share) || !(magnitude <= LARGEST)) return Number.POSITIVE_INFINITY;
      worst = Math.max(worst, share);
    }
    return worst;
  }

  #solveStage(y: Float64Array, length: number, stage: number): void {
    const at = this.#at;
    const right = this.#stages[stage]!;
    at.set(y);
    for (let before = 0; before < stage; before += 1) addScaled(at, A[stage]![before]!, this.#stages[before]!);
    this.#system.derivative(at, right);
    for (let before = 0; before < stage; before += 1) {
      addScaled(right, C[stage]![before]! / length, this.#stages[before]!);
    }
    solve(this.#matrix, this.#order, right);
  }
}

/**
 * The embedded solution has order 3, so the error of a step grows with the fourth power of its length. IEEE 754 makes
 * square roots exact, but not powers; with square roots the steps are the same on every machine.
 */
export function fourthRoot(value: number): number {
  return Math.sqrt(Math.sqrt(value));
}

export function addScaled(into: Float64Array, scale: number, other: Float64Array): void {
  for (let at = 0; at < into.length; at += 1) into[at]! += scale * other[at]!;
}

/** A first step in which the slope at `y` changes no value by more than about 0.1 %. */
export function firstStep(system: System, y: Float64Array, span: number, tolerance: Tolerance): number {
  const slope = new Float64Array(system.size);
  system.derivative(y, slope);
  let fastest = 0;
  for (let at = 0; at < system.size; at += 1) {
    const size = Math.abs(y[at]!) + tolerance.absolute / tolerance.relative;
    fastest = Math.max(fastest, Math.abs(slope[at]!) / size);
  }
  return fastest > 0 ? Math.min(span, (0.01 * CAUTION) / fastest) : span;
}
