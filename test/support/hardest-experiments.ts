import {
  TWIN_ARMS,
  TWIN_DURATION_TIME_UNITS,
  TWIN_MAX_REACTIONS,
  TWIN_MAX_SPECIES,
  TWIN_MAX_UNCERTAINTIES,
  TWIN_STEPS,
} from '../../contract/limits/twin.ts';
import { type ExperimentInput, experimentBody } from '../../contract/schemas/research/twin.ts';

/** The hardest experiments that are allowed. */

const about = (id: string) => ({
  id,
  version: '1',
  context: 'SYNTHETIC: made for a measurement',
  scope: 'Says nothing of biology',
  provenance: 'SYNTHETIC: numbers by a formula',
  timeUnit: 's',
  concentrationUnit: 'mol/L',
});

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Rates over four powers of ten, in no order. */
const rateOf = (at: number): number => 10 ** (((at * 7) % 24) / 6 - 3);

/** As many species, reactions, arms, uncertain rates and steps as are allowed, over the longest time. */
export function largestExperiment(id = 'largest'): ExperimentInput {
  const species = (at: number): string => `s${at % TWIN_MAX_SPECIES}`;
  const one = (at: number) => ({ species: species(at), count: 1 });
  const pair = (a: number, b: number) =>
    species(a) === species(b) ? [{ species: species(a), count: 2 }] : [one(a), one(b)];
  const reactions = numbers(TWIN_MAX_REACTIONS).map((at) => ({
    id: `r${at}`,
    rate: rateOf(at),
    reactants: at % 2 === 0 ? pair(at, 5 * at + 3) : [one(at)],
    products: at % 2 === 0 ? pair(7 * at + 1, 3 * at + 2) : [one(7 * at + 1)],
  }));
  const initial = numbers(TWIN_MAX_SPECIES).map((at) => ({ id: species(at), initial: 1 + ((at * 5) % 9) }));
  return experimentBody.parse({
    model: {
      ...about(id),
      species: initial,
      reactions,
      conservedPools: [{ id: 'all', weights: Object.fromEntries(initial.map((each) => [each.id, 1])) }],
    },
    arms: numbers(TWIN_ARMS.max).map((at) => ({
      id: `arm${at}`,
      startStep: 10 * at,
      rateMultipliers: { [`r${at}`]: 0, r9: 10 },
    })),
    duration: TWIN_DURATION_TIME_UNITS.max,
    steps: TWIN_STEPS.max,
    uncertainty: numbers(TWIN_MAX_UNCERTAINTIES).map((at) => ({ reaction: `r${at}`, low: 0, high: 3 * rateOf(at) })),
  });
}

/** H. H. Robertson's problem of 1966: rates nine powers of ten apart. */
export function robertson(): ExperimentInput {
  const one = (species: string, count = 1) => ({ species, count });
  return experimentBody.parse({
    model: {
      ...about('robertson'),
      species: [
        { id: 'A', initial: 1 },
        { id: 'B', initial: 0 },
        { id: 'C', initial: 0 },
      ],
      reactions: [
        { id: 'slow', rate: 0.04, reactants: [one('A')], products: [one('B')] },
        { id: 'fastest', rate: 3e7, reactants: [one('B', 2)], products: [one('B'), one('C')] },
        { id: 'fast', rate: 1e4, reactants: [one('B'), one('C')], products: [one('A'), one('C')] },
      ],
      conservedPools: [{ id: 'all', weights: { A: 1, B: 1, C: 1 } }],
    },
    arms: [{ id: 'slower', startStep: 0, rateMultipliers: { slow: 0.5 } }],
    duration: 40,
    steps: 40,
  });
}

/** Stiff and driven away from its steady state for ever, so that no budget is enough. */
export function endless(): ExperimentInput {
  const { model, ...rest } = largestExperiment('endless');
  const one = (species: string, count = 1) => ({ species, count });
  const cycle = [
    { id: 'grow', rate: 5000, reactants: [one('s0')], products: [one('s0', 2)] },
    { id: 'eat', rate: 5000, reactants: [one('s0'), one('s1')], products: [one('s1', 2)] },
    { id: 'die', rate: 5000, reactants: [one('s1')], products: [] },
  ];
  const { conservedPools: _none, ...open } = model;
  return experimentBody.parse({ ...rest, model: { ...open, reactions: [...model.reactions.slice(0, 21), ...cycle] } });
}
