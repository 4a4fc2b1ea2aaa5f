/** Bodies that run as they stand; every value in them is invented, and they say so. */

const one = (species: string) => [{ species, count: 1 }];

const SHARED = {
  context: 'SYNTHETIC: a ligand L and its receptor R on invented cells in a dish',
  timeUnit: 'min',
  concentrationUnit: 'nmol/L',
  species: [
    { id: 'L', initial: 10 },
    { id: 'R', initial: 4 },
    { id: 'LR', initial: 0 },
    { id: 'gone', initial: 0 },
  ],
};

const BIND = {
  id: 'bind',
  rate: 0.02,
  reactants: [...one('L'), ...one('R')],
  products: one('LR'),
};

const POOLS = [
  { id: 'ligand', weights: { L: 1, LR: 1, gone: 1 } },
  { id: 'receptor', weights: { R: 1, LR: 1, gone: 1 } },
];

/** Invented: the reversible model with changes of a few percent put in by hand. */
const OBSERVED: readonly [arm: string, step: number, value: number][] = [
  ['baseline', 2, 1.8],
  ['baseline', 6, 2.15],
  ['baseline', 12, 1.88],
  ['baseline', 18, 1.38],
  ['no-internalisation', 6, 2.69],
  ['no-internalisation', 12, 3.01],
  ['no-internalisation', 18, 2.9],
];

const DATA = {
  observations: OBSERVED.map(([arm, step, value]) => ({ arm, step, species: 'LR', value })),
  dataset: {
    id: 'invented-binding',
    citation: 'https://example.org/invented-binding',
    sha256: '0000000000000000000000000000000000000000000000000000000000000000',
    kind: 'synthetic',
    split: 'test',
    independentOfModelFit: true,
  },
};

const RUN = {
  arms: [{ id: 'no-internalisation', startStep: 0, rateMultipliers: { internalise: 0 } }],
  duration: 40,
  steps: 20,
};

const ORIGIN = {
  provenance: 'SYNTHETIC: invented for this guide',
  scope: 'Shows the form of an experiment; says nothing of biology',
};

export const TWIN_EXPERIMENT_EXAMPLE = {
  model: {
    id: 'reversible-binding',
    version: '1',
    ...ORIGIN,
    ...SHARED,
    reactions: [
      BIND,
      { id: 'release', rate: 0.05, reactants: one('LR'), products: [...one('L'), ...one('R')] },
      { id: 'internalise', rate: 0.03, reactants: one('LR'), products: one('gone') },
    ],
    conservedPools: POOLS,
  },
  ...RUN,
  uncertainty: [{ reaction: 'bind', low: 0.015, high: 0.025 }],
  ...DATA,
};

export const TWIN_BENCHMARK_EXAMPLE = {
  experiments: [
    TWIN_EXPERIMENT_EXAMPLE,
    {
      model: {
        id: 'binding-without-release',
        version: '1',
        ...ORIGIN,
        ...SHARED,
        reactions: [BIND, { id: 'internalise', rate: 0.03, reactants: one('LR'), products: one('gone') }],
        conservedPools: POOLS,
      },
      ...RUN,
      ...DATA,
    },
  ],
};
