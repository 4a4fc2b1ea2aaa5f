import { describe, expect, it } from 'vitest';
import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../declared/twin-examples.ts';
import { benchmarkBody, experimentBody } from './twin.ts';

type Change = (body: Body) => void;
// biome-ignore lint/suspicious/noExplicitAny: tests make bodies invalid in every way
type Body = any;

const issues = (schema: typeof experimentBody | typeof benchmarkBody, body: unknown): string[] =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

const CITATION = 'dataset.citation: expected an http or https address, or a DOI as doi:10.1000/182';

/** A deep copy, whose parts share no object, like a body that was parsed from a request. */
const copyOf = (value: unknown): Body => JSON.parse(JSON.stringify(value));

/** A change that sets the value at a path of the body. */
function at(path: string, value: unknown): Change {
  const keys = path.split('.');
  const last = keys.pop()!;
  return (body) => {
    keys.reduce((part, key) => part[key], body)[last] = value;
  };
}

function spoilt(change: Change): string[] {
  const body: Body = copyOf(TWIN_EXPERIMENT_EXAMPLE);
  change(body);
  return issues(experimentBody, body);
}

const loss = (at: number) => ({ id: `r${at}`, rate: 1, reactants: [{ species: 'L', count: 1 }], products: [] });

/** Removes pools, rate multipliers and data from the body, so that a change may replace species and reactions. */
function bare(change: Change): Change {
  return (body) => {
    body.model.conservedPools = [];
    body.arms = [{ id: 'arm', startStep: 0, rateMultipliers: {} }];
    for (const name of ['uncertainty', 'observations', 'dataset']) delete body[name];
    change(body);
  };
}

describe('the input of a twin experiment', () => {
  it('has examples without a fault', () => {
    expect(issues(experimentBody, TWIN_EXPERIMENT_EXAMPLE)).toEqual([]);
    expect(issues(benchmarkBody, TWIN_BENCHMARK_EXAMPLE)).toEqual([]);
  });

  it.each<[string, Change]>([
    ['the shortest duration', at('duration', 1e-300)],
    ['a range of no width', at('uncertainty', [{ reaction: 'bind', low: 0.02, high: 0.02 }])],
    ['an observation at the last step', at('observations.0.step', 20)],
    [
      'ids that name parts of every object',
      bare((body) => {
        body.arms[0].id = 'constructor';
        body.model.reactions[0].id = 'toString';
      }),
    ],
  ])('may have %s', (_name, change) => expect(spoilt(change)).toEqual([]));

  it.each<[Change, ...string[]]>([
    [
      at('model.reactions.0.rate', Number.POSITIVE_INFINITY),
      'model.reactions.0.rate: expected a number from 0 to 1000000000000',
      'uncertainty.0: expected low <= rate <= high; the rate of bind is Infinity',
    ],
    [
      (body) => {
        body.uncertainty.push(body.uncertainty[0]);
      },
      'uncertainty.1.reaction: duplicate: the range of bind is there already',
    ],
    [
      (body) => {
        delete body.dataset;
      },
      'dataset: is required with observations',
    ],
    [at('dataset.citation', 'example.org/a'), CITATION],
    [at('dataset.citation', 'javascript:alert(1)'), CITATION],
    [
      bare((body) => {
        body.model.species[1].id = 'L';
        body.model.reactions = [loss(0)];
      }),
      'model.species.1.id: duplicate: L is there already',
    ],
    [bare(at('arms.0.id', 'baseline')), 'arms.0.id: reserved: the unperturbed baseline is always added'],
    [
      bare(at('model.reactions.0.products', [{ species: 'X', count: 1 }])),
      'model.reactions.0.products.0.species: unknown: no species of the model is "X"',
    ],
    [
      at('arms.0.rateMultipliers', { nothing: 1 }),
      'arms.0.rateMultipliers.nothing: unknown: no reaction of the model is "nothing"',
    ],
    [
      (body) => {
        Object.assign(body.observations[0], { arm: 'x', step: 21, species: 'y' });
      },
      'observations.0.arm: unknown: no arm is "x"',
      'observations.0.species: unknown: no species of the model is "y"',
      'observations.0.step: unknown: the last step is 20',
    ],
    [at('arms.0.startStep', 20), 'arms.0.startStep: expected a step before the last, which is 20'],
    [
      bare(
        at('model.reactions.0.reactants', [
          { species: 'L', count: 3 },
          { species: 'R', count: 1 },
        ]),
      ),
      'model.reactions.0.reactants: 4 molecules, expected at most 3',
    ],
    [
      at('model.conservedPools.0.weights', { L: 1, LR: 2, gone: 2 }),
      'model.conservedPools.0.weights: unbalanced: reaction "bind" turns 1 of it into 2',
      'model.conservedPools.0.weights: unbalanced: reaction "release" turns 2 of it into 1',
    ],
  ])('names the place of a fault (%#)', (change, ...faults) => expect(spoilt(change)).toEqual(faults));
});

describe('the input of a twin benchmark', () => {
  const mismatch = (change: Change): string[] => {
    const body: Body = copyOf(TWIN_BENCHMARK_EXAMPLE);
    change(body.experiments[1]);
    return issues(benchmarkBody, body);
  };
  const differs = (path: string): string[] => [
    `experiments.1.${path}: differs from experiment 0, with which it must be shared`,
  ];

  it.each<[string, Change]>([
    ['model.context', at('model.context', 'another')],
    ['model.timeUnit', at('model.timeUnit', 'h')],
    ['model.concentrationUnit', at('model.concentrationUnit', 'mol/L')],
    ['model.species', at('model.species.0.initial', 11)],
    ['arms', at('arms.0.startStep', 1)],
    ['duration', at('duration', 41)],
    ['steps', at('steps', 21)],
    ['dataset', at('dataset.split', 'all')],
    ['observations', at('observations.0.value', 1)],
  ])('names %s where it is not shared', (path, change) => expect(mismatch(change)).toEqual(differs(path)));

  it('has two or three candidates, each with a name of its own', () => {
    const [one] = TWIN_BENCHMARK_EXAMPLE.experiments;
    expect(issues(benchmarkBody, { experiments: [one] })).toEqual(['experiments: expected 2 to 3 elements']);
    expect(issues(benchmarkBody, { experiments: [one, one, one, one] })).toContain(
      'experiments: expected 2 to 3 elements',
    );
    expect(issues(benchmarkBody, { experiments: [one, one] })).toEqual([
      'experiments.1.model.id: duplicate: each candidate has an id and version of its own',
    ]);
  });
});
