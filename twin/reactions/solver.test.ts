import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extrapolate } from './extrapolation.ts';
import { type Model, Network, type Reaction } from './network.ts';
import { ArithmeticStopped, Budget, Rosenbrock } from './solver.ts';

const TOLERANCE = { relative: 1e-8, absolute: 1e-12 };

/** A reaction from an equation such as `A + 2B -> C`. */
function reaction(id: string, rate: number, equation: string): Reaction {
  const [reactants, products] = equation.split('->').map((side) =>
    side
      .split('+')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map((part) => ({ species: part.replace(/^\d+/, ''), count: Number.parseInt(part, 10) || 1 })),
  );
  return { id, rate, reactants: reactants!, products: products! };
}

function model(initial: Record<string, number>, ...reactions: [rate: number, equation: string][]): Model {
  return {
    species: Object.entries(initial).map(([id, value]) => ({ id, initial: value })),
    reactions: reactions.map(([rate, equation], at) => reaction(`r${at}`, rate, equation)),
  };
}

function end(given: Model, time: number, tolerance = TOLERANCE): number[] {
  const network = new Network(given);
  const y = network.initial.slice();
  new Rosenbrock(network.system(network.rates), tolerance, new Budget(1e6)).advance(y, 0, time);
  return [...y];
}

function endByExtrapolation(given: Model, time: number): number[] {
  const network = new Network(given);
  const y = network.initial.slice();
  extrapolate(network.system(network.rates), y, [0, time], TOLERANCE, new Budget(1e7));
  return [...y];
}

/** Integrates by the classical Runge-Kutta method with fixed steps: a reference that shares no code with the solver. */
function endByTinySteps(given: Model, time: number, steps: number): number[] {
  const network = new Network(given);
  const { derivative, size } = network.system(network.rates);
  const length = time / steps;
  const slopes = Array.from({ length: 4 }, () => new Float64Array(size));
  const y = network.initial.slice();
  for (let step = 0; step < steps; step += 1) {
    derivative(y, slopes[0]!);
    for (const [stage, share] of [0.5, 0.5, 1].entries()) {
      derivative(
        y.map((value, at) => value + share * length * slopes[stage]![at]!),
        slopes[stage + 1]!,
      );
    }
    const [a, b, c, d] = slopes as [Float64Array, Float64Array, Float64Array, Float64Array];
    for (let at = 0; at < size; at += 1) y[at]! += (length / 6) * (a[at]! + 2 * b[at]! + 2 * c[at]! + d[at]!);
  }
  return [...y];
}

function expectNear(values: readonly number[], exact: readonly number[], relative: number, absolute = 1e-10): void {
  for (const [at, value] of values.entries()) {
    expect(Math.abs(value - exact[at]!), `${values} and ${exact}`).toBeLessThanOrEqual(
      relative * Math.abs(exact[at]!) + absolute,
    );
  }
}

const ROBERTSON = model({ A: 1, B: 0, C: 0 }, [0.04, 'A -> B'], [3e7, '2B -> B + C'], [1e4, 'B + C -> A + C']);

describe.each([
  ['the Rosenbrock method', end],
  ['the extrapolated Euler method', endByExtrapolation],
])('%s', (_name, solved) => {
  it('has the steady state of an inflow and a loss', () => {
    expectNear(solved(model({ A: 0 }, [3, '-> A'], [0.5, 'A ->']), 6), [6 * (1 - Math.exp(-3))], 1e-7);
  });

  it('reaches the published end values of Robertson’s stiff problem', () => {
    // Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.1, at time 40, to ten digits.
    expectNear(solved(ROBERTSON, 40), [0.7158270688, 9.185534765e-6, 0.2841637457], 1e-6, 1e-11);
  });
});

describe('the Rosenbrock method', () => {
  it('is of order 4: half the step, a sixteenth of the error', () => {
    const decay = model({ x: 1.5, y: 0.5 }, [1, 'x -> 2x'], [1, 'x + y -> 2y'], [1, 'y ->']);
    const network = new Network(decay);
    const exact = endByTinySteps(decay, 2, 20_000);
    const errorOf = (steps: number): number => {
      const y = network.initial.slice();
      // With a tolerance that is never exceeded, each call takes one step of its whole length.
      const solver = new Rosenbrock(network.system(network.rates), { relative: 1e9, absolute: 1e9 }, new Budget(1e6));
      for (let step = 0; step < steps; step += 1) solver.advance(y, (2 * step) / steps, (2 * (step + 1)) / steps);
      return Math.max(...exact.map((value, at) => Math.abs(value - y[at]!)));
    };
    const order = Math.log2(errorOf(40) / errorOf(80));
    expect(order).toBeGreaterThan(3.7);
    expect(order).toBeLessThan(4.5);
  });

  it('agrees with plain tiny steps on any small network', () => {
    const id = fc.constantFrom('A', 'B', 'C');
    const reactions = fc.array(
      fc.tuple(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.array(id, { minLength: 1, maxLength: 2 }), id),
      { minLength: 1, maxLength: 5 },
    );
    const initial = fc.record({ A: fc.nat(5), B: fc.nat(5), C: fc.nat(5) });
    fc.assert(
      fc.property(initial, reactions, (concentrations, list) => {
        const given = model(
          concentrations,
          ...list.map(([rate, from, to]): [number, string] => [rate, `${from.join(' + ')} -> ${to}`]),
        );
        expectNear(end(given, 3), endByTinySteps(given, 3, 3_000), 1e-6, 1e-8);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('stops when its budget is used up, and says at which time', () => {
    const network = new Network(ROBERTSON);
    const budget = new Budget(20);
    const solver = new Rosenbrock(network.system(network.rates), TOLERANCE, budget);
    const stopped = (): void => solver.advance(network.initial.slice(), 0, 1000);
    expect(stopped).toThrow(expect.objectContaining({ name: 'ArithmeticStopped', reason: 'budget' }));
    expect(budget.used).toBe(20);
  });

  it('stops where concentrations grow without bound in finite time', () => {
    // x' = x * x from 1 has its pole at time 1.
    const network = new Network(model({ x: 1 }, [1, '2x -> 3x']));
    const solver = new Rosenbrock(network.system(network.rates), TOLERANCE, new Budget(1e5));
    try {
      solver.advance(network.initial.slice(), 0, 2);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ArithmeticStopped);
      expect((error as ArithmeticStopped).reason).toBe('step');
      expect((error as ArithmeticStopped).time).toBeCloseTo(1, 5);
    }
  });
});
