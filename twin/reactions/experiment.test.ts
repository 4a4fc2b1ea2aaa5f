import { describe, expect, it } from 'vitest';
import { TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { type ExperimentInput, experimentBody } from '../../contract/schemas/research/twin.ts';
import type { ExperimentResult } from '../../contract/schemas/research/twin-result.ts';
import { compareExperiments } from './benchmark.ts';
import { ExperimentRefused, runExperiment } from './experiment.ts';
import { planOf, trajectories } from './plan.ts';
import { Budget } from './solver.ts';
import { verified } from './verify.ts';

const EXAMPLE = experimentBody.parse(TWIN_EXPERIMENT_EXAMPLE);
const DATASET = EXAMPLE.dataset;

/** An experiment with one species that decays at `rate`: it starts from 8 and runs four steps of one time unit each. */
function decay(rate: number, more: Partial<ExperimentInput> = {}, id = `decay-${rate}`): ExperimentInput {
  const words = {
    version: '1',
    context: 'test',
    scope: 'test',
    provenance: 'test',
    timeUnit: 'h',
    concentrationUnit: 'mol',
  };
  return experimentBody.parse({
    model: {
      ...words,
      id,
      species: [{ id: 'A', initial: 8 }],
      reactions: [{ id: 'loss', rate, reactants: [{ species: 'A', count: 1 }], products: [] }],
    },
    arms: [{ id: 'off', startStep: 2, rateMultipliers: { loss: 0 } }],
    duration: 4,
    steps: 4,
    ...more,
  });
}

const HALVING = Math.LN2;
const valuesOf = ({ arms }: ExperimentResult, arm: string): number[] =>
  arms.find(({ id }) => id === arm)!.species[0]!.values;
const seen = (...points: [arm: string, step: number, value: number][]) => ({
  observations: points.map(([arm, step, value]) => ({ arm, step, species: 'A', value })),
  dataset: DATASET,
});

/** Solved values agree with the closed form to the stated bound, not to the last digit. */
function expectNear(values: readonly number[], exact: readonly number[]): void {
  expect(values).toHaveLength(exact.length);
  for (const [at, value] of values.entries()) expect(value).toBeCloseTo(exact[at]!, 5);
}

describe('a twin experiment', () => {
  it('adds the baseline, and lets an arm be it to the last bit up to its start', () => {
    const result = runExperiment(decay(HALVING));
    expect(result.times).toEqual([0, 1, 2, 3, 4]);
    expect(result.arms.map(({ id, control, startStep }) => [id, control, startStep])).toEqual([
      ['baseline', true, null],
      ['off', false, 2],
    ]);
    expectNear(valuesOf(result, 'baseline'), [8, 4, 2, 1, 0.5]);
    expectNear(valuesOf(result, 'off'), [8, 4, 2, 2, 2]);
    expect(valuesOf(result, 'off').slice(0, 3)).toEqual(valuesOf(result, 'baseline').slice(0, 3));
  });

  it('bounds each value by the runs at the ends of the uncertain rates', () => {
    const result = runExperiment(decay(HALVING, { uncertainty: [{ reaction: 'loss', low: 0, high: 2 * HALVING }] }));
    const [baseline] = result.arms;
    expectNear(baseline!.species[0]!.low!, [8, 2, 0.5, 0.125, 0.03125]);
    expectNear(baseline!.species[0]!.high!, [8, 8, 8, 8, 8]);
    expect(result.sensitivity).toMatchObject({ corners: 2, reactions: [{ reaction: 'loss', rate: HALVING }] });
  });

  it('sets errors beside observations by point and by species, without one score', () => {
    const observed = seen(['baseline', 1, 5], ['off', 4, 1], ['baseline', 0, 0]);
    const { observations } = runExperiment(decay(HALVING, observed));
    expect(observations!.points.map(({ error }) => Math.round(error * 1e6) / 1e6)).toEqual([-1, 1, 8]);
    expect(observations!.points.map(({ relativeError }) => relativeError?.toFixed(4) ?? null)).toEqual([
      '-0.2000',
      '1.0000',
      null,
    ]);
    expect(observations!.points.map(({ insideRange }) => insideRange)).toEqual([null, null, null]);
    const [species] = observations!.species;
    expect(species).toMatchObject({ species: 'A', count: 3 });
    expect(species!.rmse).toBeCloseTo(Math.sqrt((1 + 1 + 64) / 3), 5);
    expect(species!.meanAbsoluteError).toBeCloseTo(10 / 3, 5);
    expect(species!.meanRelativeError).toBeCloseTo(0.6, 5);
    expect(Object.keys(observations!)).toEqual(['points', 'species', 'says']);
  });

  it('verifies the solution: pools, signs, a tighter run and a second method', () => {
    const { pass, checks, stepsTried } = runExperiment(EXAMPLE).verification;
    expect(checks.map(({ check, pass: passed }) => [check, passed])).toEqual([
      ['conservation', true],
      ['conservation', true],
      ['nonnegativity', true],
      ['tighter-tolerance', true],
      ['second-integrator', true],
    ]);
    expect(checks.every(({ value, bound }) => value >= 0 && value <= bound)).toBe(true);
    expect(checks.find(({ check }) => check === 'second-integrator')!.value).toBeGreaterThan(0);
    expect([pass, stepsTried > 100]).toEqual([true, true]);
  });

  it('shows a check that fails instead of hiding it', () => {
    const plan = planOf(EXAMPLE, new Budget(1e5));
    const runs = trajectories(plan, plan.network.rates);
    runs[1]![runs[1]!.length - 1]! += 0.01;
    const { pass, checks } = verified(plan, runs);
    expect(pass).toBe(false);
    expect(checks.map(({ check, arm, subject, pass: passed }) => [check, arm, subject, passed])).toEqual([
      ['conservation', 'no-internalisation', 'ligand', false],
      ['conservation', 'no-internalisation', 'receptor', false],
      ['nonnegativity', 'baseline', null, true],
      ['tighter-tolerance', 'no-internalisation', 'gone', false],
      ['second-integrator', 'no-internalisation', 'gone', false],
    ]);
  });

  it('is refused when its arithmetic is used up, with how far it came', () => {
    expect(() => runExperiment(EXAMPLE, 60)).toThrow(ExperimentRefused);
    expect(() => runExperiment(EXAMPLE, 60)).toThrow(/^the arms came to time .+ of 40, then stopped: .+ 10 steps/);
  });

  it.each([
    ['the smallest number as concentration', 5e-324, 1, 4],
    ['the largest numbers that are allowed', 1e12, 1e12, 1000],
    ['the shortest time', 8, 1, 1e-300],
  ])('gives numbers alone for %s', (_name, initial, rate, duration) => {
    const { model, ...rest } = decay(rate, { duration });
    const result = runExperiment({ ...rest, model: { ...model, species: [{ id: 'A', initial }] } });
    expect(result.verification.checks.every(({ value }) => Number.isFinite(value))).toBe(true);
    expect(valuesOf(result, 'baseline').every(Number.isFinite)).toBe(true);
  });

  it('is refused where concentrations grow beyond any number', () => {
    const { model, ...rest } = decay(1, { duration: 1000 });
    const one = [{ species: 'A', count: 1 }];
    const breeding = { id: 'loss', rate: 1, reactants: one, products: [{ species: 'A', count: 2 }] };
    // The exponential solution overflows a double at time 709.
    expect(() => runExperiment({ ...rest, model: { ...model, reactions: [breeding] } })).toThrow(/without bound/);
  });
});

describe('a twin benchmark', () => {
  const compared = (...experiments: ExperimentInput[]) =>
    compareExperiments(
      { experiments },
      experiments.map((input) => ({ result: runExperiment(input), manifest: null })),
    );

  it('predicts each observation plainly from the earlier ones of its arm, never from itself or later ones', () => {
    const observed = seen(['baseline', 1, 4], ['baseline', 2, 2], ['baseline', 4, 3], ['off', 2, 2]);
    const { plainPredictors } = compared(decay(HALVING, observed), decay(0, observed));
    expect(plainPredictors.map(({ predictor, count, rmse }) => [predictor, count, rmse])).toEqual([
      // It predicts 4 where 2 is observed, and 2 where 3 is.
      ['last-value', 2, Number(Math.sqrt((4 + 1) / 2).toPrecision(9))],
      // It predicts 4 where 2 is observed, and 3 where 3 is.
      ['mean', 2, Number(Math.sqrt(4 / 2).toPrecision(9))],
      // The line through (1, 4) and (2, 2) predicts -2 at 4.
      ['linear', 1, 5],
    ]);
    const [halving, still] = plainPredictors[2]!.models;
    expect([halving!.rmse!.toFixed(4), still!.rmse]).toEqual(['2.5000', 5]);
  });

  it('lists where the models differ and nothing was observed, the widest first', () => {
    const observed = seen(['baseline', 4, 1]);
    const { disagreements } = compared(decay(HALVING, observed), decay(0, observed));
    expect(disagreements).toMatchObject({ share: 0.05, total: 7 });
    expect(disagreements.points.map(({ arm, step }) => [arm, step])).toEqual([
      ['baseline', 3],
      ['baseline', 2],
      ['off', 2],
      ['off', 3],
      ['off', 4],
      ['baseline', 1],
      ['off', 1],
    ]);
  });
});
