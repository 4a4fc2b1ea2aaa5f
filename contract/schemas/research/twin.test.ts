import { describe, expect, it } from 'vitest';
import { TWIN_BENCHMARK_EXAMPLE, TWIN_EXPERIMENT_EXAMPLE } from '../../declared/twin-examples.ts';
import { benchmarkBody, experimentBody } from './twin.ts';

type Change = (body: Body) => void;
// biome-ignore lint/suspicious/noExplicitAny: tests make bodies invalid in every way
type Body = any;

const issues = (schema: typeof experimentBody | typeof benchmarkBody, body: unknown): string[] =>
  schema.safeParse(body).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

const CITATION = 'dataset.citation: expected an http or https address, or a DOI as doi:10.1000/182';
const { observations, uncertainty } = TWIN_EXPERIMENT_EXAMPLE;
const FIRST = {
  arms: { id: 'arm', startStep: 0, rateMultipliers: {} },
  observations: observations[0],
  uncertainty: uncertainty[0],
};

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

const numbered = (count: number, make: (at: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => make(at));
const species = (count: number) => numbered(count, (at) => ({ id: `s${at}`, initial: 1 }));
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

  it('has 40 steps where none are given', () => {
    const { steps: _steps, ...body } = TWIN_EXPERIMENT_EXAMPLE;
    expect(experimentBody.parse(body).steps).toBe(40);
  });

  it.each<[string, Change]>([
    [
      '16 species',
      bare((body) =>
        Object.assign(body.model, {
          species: species(16),
          reactions: [{ ...loss(0), reactants: [], products: [{ species: 's0', count: 12 }] }],
        }),
      ),
    ],
    ['24 reactions', bare(at('model.reactions', numbered(24, loss)))],
    [
      '4 arms',
      bare(
        at(
          'arms',
          numbered(4, (at) => ({ id: `a${at}`, startStep: 19, rateMultipliers: { bind: 10, release: 0 } })),
        ),
      ),
    ],
    ['a duration of 1000', at('duration', 1000)],
    ['the shortest duration', at('duration', 1e-300)],
    ['100 steps', at('steps', 100)],
    ['a rate of 10 to the 12', bare(at('model.reactions.0.rate', 1e12))],
    ['a range of no width', at('uncertainty', [{ reaction: 'bind', low: 0.02, high: 0.02 }])],
    ['200 observations', at('observations', Array(200).fill(FIRST.observations))],
    ['an observation at the last step', at('observations.0.step', 20)],
    ['an id of 64 characters', bare(at('arms.0.id', 'a'.repeat(64)))],
    [
      'ids that name parts of every object',
      bare((body) => {
        body.arms[0].id = 'constructor';
        body.model.reactions[0].id = 'toString';
      }),
    ],
  ])('may have %s', (_name, change) => expect(spoilt(change)).toEqual([]));

  it.each<[string, Change, string[]]>([
    ['17 species', at('model.species', species(17)), ['model.species: expected 1 to 16 elements']],
    ['25 reactions', bare(at('model.reactions', numbered(25, loss))), ['model.reactions: expected 1 to 24 elements']],
    ['5 arms', bare(at('arms', Array(5).fill(FIRST.arms))), ['arms: expected 1 to 4 elements']],
    ['no arm', bare(at('arms', [])), ['arms: expected 1 to 4 elements']],
    ['a duration of 0', at('duration', 0), ['duration: expected a number above 0, at most 1000']],
    ['a longer duration', at('duration', 1000.001), ['duration: expected a number above 0, at most 1000']],
    ['3 steps', bare(at('steps', 3)), ['steps: expected a whole number from 4 to 100']],
    ['101 steps', bare(at('steps', 101)), ['steps: expected a whole number from 4 to 100']],
    ['half a step', bare(at('steps', 4.5)), ['steps: expected a whole number from 4 to 100']],
    [
      'a multiplier above 10',
      at('arms.0.rateMultipliers', { bind: 10.01 }),
      ['arms.0.rateMultipliers.bind: expected a number from 0 to 10'],
    ],
    [
      'a multiplier below 0',
      at('arms.0.rateMultipliers', { bind: -0.01 }),
      ['arms.0.rateMultipliers.bind: expected a number from 0 to 10'],
    ],
    [
      'a concentration that is no number',
      at('model.species.0.initial', Number.NaN),
      ['model.species.0.initial: expected a number from 0 to 1000000000000'],
    ],
    [
      'an infinite rate',
      at('model.reactions.0.rate', Number.POSITIVE_INFINITY),
      [
        'model.reactions.0.rate: expected a number from 0 to 1000000000000',
        'uncertainty.0: expected low <= rate <= high; the rate of bind is Infinity',
      ],
    ],
    [
      'four uncertain rates',
      at('uncertainty', Array(4).fill(FIRST.uncertainty)),
      ['uncertainty: expected 0 to 3 elements'],
    ],
    [
      'an uncertain rate twice',
      (body) => {
        body.uncertainty.push(body.uncertainty[0]);
      },
      ['uncertainty.1.reaction: duplicate: the range of bind is there already'],
    ],
    [
      'a range beside the rate',
      at('uncertainty.0.high', 0.019),
      ['uncertainty.0: expected low <= rate <= high; the rate of bind is 0.02'],
    ],
    [
      '201 observations',
      at('observations', Array(201).fill(FIRST.observations)),
      ['observations: expected 0 to 200 elements'],
    ],
    [
      'observations without their source',
      (body) => {
        delete body.dataset;
      },
      ['dataset: is required with observations'],
    ],
    ['a citation that is no URI', at('dataset.citation', 'example.org/a'), [CITATION]],
    ['a citation that is a script', at('dataset.citation', 'javascript:alert(1)'), [CITATION]],
    ['a citation of another scheme', at('dataset.citation', 'ftp://example.org/a'), [CITATION]],
    [
      'a hash in capitals',
      at('dataset.sha256', 'A'.repeat(64)),
      ['dataset.sha256: expected 64 hexadecimal digits, lower case'],
    ],
    [
      'two species of one id',
      bare((body) => {
        body.model.species[1].id = 'L';
        body.model.reactions = [loss(0)];
      }),
      ['model.species.1.id: duplicate: L is there already'],
    ],
    [
      'two reactions of one id',
      (body) => {
        body.model.reactions[2].id = 'release';
        body.arms[0].rateMultipliers = {};
      },
      ['model.reactions.2.id: duplicate: release is there already'],
    ],
    [
      'two pools of one id',
      at('model.conservedPools.1.id', 'ligand'),
      ['model.conservedPools.1.id: duplicate: ligand is there already'],
    ],
    [
      'two arms of one id',
      (body) => {
        body.arms.push(body.arms[0]);
      },
      ['arms.1.id: duplicate: no-internalisation is there already'],
    ],
    [
      'a reserved arm',
      bare(at('arms.0.id', 'baseline')),
      ['arms.0.id: reserved: the unperturbed baseline is always added'],
    ],
    [
      'an unknown species',
      bare(at('model.reactions.0.products', [{ species: 'X', count: 1 }])),
      ['model.reactions.0.products.0.species: unknown: no species of the model is "X"'],
    ],
    [
      'a species twice on a side',
      bare(at('model.reactions.0.products', Array(2).fill({ species: 'LR', count: 1 }))),
      ['model.reactions.0.products.1.species: duplicate: give LR once, with its count'],
    ],
    [
      'an unknown reaction',
      at('arms.0.rateMultipliers', { nothing: 1 }),
      ['arms.0.rateMultipliers.nothing: unknown: no reaction of the model is "nothing"'],
    ],
    [
      'an unknown arm, step and species observed',
      (body) => {
        Object.assign(body.observations[0], { arm: 'x', step: 21, species: 'y' });
      },
      [
        'observations.0.arm: unknown: no arm is "x"',
        'observations.0.species: unknown: no species of the model is "y"',
        'observations.0.step: unknown: the last step is 20',
      ],
    ],
    [
      'a start at the end',
      at('arms.0.startStep', 20),
      ['arms.0.startStep: expected a step before the last, which is 20'],
    ],
    [
      'a reaction of order 4',
      bare(
        at('model.reactions.0.reactants', [
          { species: 'L', count: 3 },
          { species: 'R', count: 1 },
        ]),
      ),
      ['model.reactions.0.reactants: 4 molecules, expected at most 3'],
    ],
    [
      '13 molecules made',
      bare(
        at('model.reactions.0.products', [
          { species: 'L', count: 12 },
          { species: 'R', count: 1 },
        ]),
      ),
      ['model.reactions.0.products: 13 molecules, expected at most 12'],
    ],
    [
      'a reaction of nothing',
      bare(at('model.reactions.0', { id: 'bind', rate: 1, reactants: [], products: [] })),
      ['model.reactions.0: has neither reactants nor products'],
    ],
    [
      'an unbalanced pool',
      at('model.conservedPools.0.weights', { L: 1, LR: 2, gone: 2 }),
      [
        'model.conservedPools.0.weights: unbalanced: reaction "bind" turns 1 of it into 2',
        'model.conservedPools.0.weights: unbalanced: reaction "release" turns 2 of it into 1',
      ],
    ],
    [
      'more multipliers than reactions are allowed',
      at('arms.0.rateMultipliers', Object.fromEntries(Array.from({ length: 25 }, (_, place) => [`r${place}`, 1]))),
      ['arms.0.rateMultipliers: expected at most 24 keys'],
    ],
    [
      'a pool of nothing',
      at('model.conservedPools.0.weights', {}),
      ['model.conservedPools.0.weights: expected at least one species'],
    ],
    [
      'a pool of an unknown species',
      at('model.conservedPools.0.weights.Z', 1),
      ['model.conservedPools.0.weights.Z: unknown: no species of the model is "Z"'],
    ],
    [
      'keys that nobody knows',
      (body) => {
        body.seed = 1;
        body.model.species[0].name = 'x';
      },
      ['model.species.0: Unrecognized key: "name"', ': Unrecognized key: "seed"'],
    ],
  ])('has no %s', (_name, change, expected) => expect(spoilt(change)).toEqual(expected));
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

  it('lets reactions, multipliers, pools and uncertainty be each model’s own', () => {
    const own: Change = (one) => {
      one.model.conservedPools = [];
      one.arms[0].rateMultipliers = { bind: 2 };
      one.uncertainty = [{ reaction: 'internalise', low: 0, high: 1 }];
    };
    expect(mismatch(own)).toEqual([]);
  });

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
