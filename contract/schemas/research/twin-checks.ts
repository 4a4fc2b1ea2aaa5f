import { TWIN_BASELINE_ARM } from '../../declared/research.ts';
import { TWIN_PRODUCT_MOLECULES_MAX, TWIN_REACTION_ORDER_MAX, TWIN_STEPS } from '../../limits/twin.ts';

/**
 * What must agree between the parts of an experiment: ids, references, balances. It reads a body whose form may be
 * faulty elsewhere, so that every fault is named at once; what is malformed is passed over here.
 */

export interface TwinIssue {
  path: (string | number)[];
  message: string;
}

type Fields = Record<string, unknown>;
type Placed = { at: number; fields: Fields };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function placed(list: unknown): Placed[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((fields, at) => (isFields(fields) ? [{ at, fields }] : []));
}

/** Ids that references may name; null where the list itself is at fault, so that nothing can be called unknown. */
type Ids = Set<string> | null;

function idsOf(list: unknown): Ids {
  if (!Array.isArray(list)) return null;
  return new Set(
    placed(list)
      .map(({ fields }) => fields.id)
      .filter(isText),
  );
}

const isUnknown = (ids: Ids, id: string): boolean => ids !== null && !ids.has(id);

/** Issues of one experiment, each path relative to it. */
export function experimentIssues(body: unknown): TwinIssue[] {
  const experiment = fieldsOf(body);
  const model = fieldsOf(experiment.model);
  const species = idsOf(model.species);
  const reactions = idsOf(model.reactions);
  return [
    ...duplicates(model.species, ['model', 'species']),
    ...duplicates(model.reactions, ['model', 'reactions']),
    ...duplicates(model.conservedPools, ['model', 'conservedPools']),
    ...duplicates(experiment.arms, ['arms']),
    ...placed(model.reactions).flatMap((reaction) => reactionIssues(reaction, species)),
    ...placed(model.conservedPools).flatMap((pool) => poolIssues(pool, species, model.reactions)),
    ...placed(experiment.arms).flatMap((arm) => armIssues(arm, reactions, experiment.steps)),
    ...uncertaintyIssues(experiment.uncertainty, model.reactions, reactions),
    ...observationIssues(experiment, species),
  ];
}

function duplicates(list: unknown, path: string[]): TwinIssue[] {
  const seen = new Set<unknown>();
  return placed(list).flatMap(({ at, fields: { id } }) => {
    if (!isText(id)) return [];
    if (seen.has(id)) return [{ path: [...path, at, 'id'], message: `duplicate: ${id} is there already` }];
    seen.add(id);
    return [];
  });
}

function reactionIssues({ at, fields }: Placed, species: Ids): TwinIssue[] {
  const path = ['model', 'reactions', at];
  const issues = (['reactants', 'products'] as const).flatMap((side) =>
    sideIssues(fields[side], [...path, side], species),
  );
  const empty = (side: unknown): boolean => Array.isArray(side) && side.length === 0;
  if (empty(fields.reactants) && empty(fields.products))
    issues.push({ path, message: 'has neither reactants nor products' });
  const order = molecules(fields.reactants);
  if (order > TWIN_REACTION_ORDER_MAX) {
    issues.push({
      path: [...path, 'reactants'],
      message: `${order} molecules, expected at most ${TWIN_REACTION_ORDER_MAX}`,
    });
  }
  const made = molecules(fields.products);
  if (made > TWIN_PRODUCT_MOLECULES_MAX) {
    issues.push({
      path: [...path, 'products'],
      message: `${made} molecules, expected at most ${TWIN_PRODUCT_MOLECULES_MAX}`,
    });
  }
  return issues;
}

function molecules(side: unknown): number {
  return placed(side).reduce((sum, { fields: { count } }) => sum + (isNumber(count) ? count : 0), 0);
}

function sideIssues(side: unknown, path: (string | number)[], species: Ids): TwinIssue[] {
  const seen = new Set<string>();
  return placed(side).flatMap(({ at, fields }) => {
    const id = fields.species;
    if (!isText(id)) return [];
    const place = [...path, at, 'species'];
    if (isUnknown(species, id)) return [{ path: place, message: `unknown: no species of the model is ${shown(id)}` }];
    if (seen.has(id)) return [{ path: place, message: `duplicate: give ${id} once, with its count` }];
    seen.add(id);
    return [];
  });
}

function poolIssues({ at, fields }: Placed, species: Ids, reactions: unknown): TwinIssue[] {
  const path = ['model', 'conservedPools', at, 'weights'];
  if (!isFields(fields.weights)) return [];
  const weights = new Map(Object.entries(fields.weights).flatMap(([id, n]) => (isNumber(n) ? [[id, n] as const] : [])));
  const issues: TwinIssue[] = [...weights.keys()]
    .filter((id) => isUnknown(species, id))
    .map((id) => ({ path: [...path, id], message: `unknown: no species of the model is ${shown(id)}` }));
  if (weights.size === 0) issues.push({ path, message: 'expected at least one species' });
  const weigh = (side: unknown): number =>
    placed(side).reduce((sum, { fields: { species: id, count } }) => {
      return sum + (isText(id) && isNumber(count) ? (weights.get(id) ?? 0) * count : 0);
    }, 0);
  // Weights and counts are small whole numbers, so the sums are exact.
  for (const { fields: reaction } of placed(reactions)) {
    const [before, after] = [weigh(reaction.reactants), weigh(reaction.products)];
    if (before === after || !isText(reaction.id)) continue;
    issues.push({ path, message: `unbalanced: reaction ${shown(reaction.id)} turns ${before} of it into ${after}` });
  }
  return issues;
}

function armIssues({ at, fields }: Placed, reactions: Ids, steps: unknown): TwinIssue[] {
  const issues: TwinIssue[] = [];
  if (fields.id === TWIN_BASELINE_ARM) {
    issues.push({ path: ['arms', at, 'id'], message: 'reserved: the unperturbed baseline is always added' });
  }
  const last = isNumber(steps) ? steps : TWIN_STEPS.default;
  if (isNumber(fields.startStep) && fields.startStep >= last) {
    issues.push({ path: ['arms', at, 'startStep'], message: `expected a step before the last, which is ${last}` });
  }
  for (const id of Object.keys(fieldsOf(fields.rateMultipliers))) {
    if (!isUnknown(reactions, id)) continue;
    const message = `unknown: no reaction of the model is ${shown(id)}`;
    issues.push({ path: ['arms', at, 'rateMultipliers', id], message });
  }
  return issues;
}

function uncertaintyIssues(list: unknown, declared: unknown, reactions: Ids): TwinIssue[] {
  const rates = new Map(placed(declared).map(({ fields: { id, rate } }) => [id, rate]));
  const seen = new Set<string>();
  return placed(list).flatMap(({ at, fields: { reaction, low, high } }) => {
    if (!isText(reaction)) return [];
    const place = ['uncertainty', at, 'reaction'];
    if (isUnknown(reactions, reaction)) {
      return [{ path: place, message: `unknown: no reaction of the model is ${shown(reaction)}` }];
    }
    if (seen.has(reaction)) return [{ path: place, message: `duplicate: the range of ${reaction} is there already` }];
    seen.add(reaction);
    const rate = rates.get(reaction);
    if (!isNumber(rate) || !isNumber(low) || !isNumber(high) || (low <= rate && rate <= high)) return [];
    return [{ path: ['uncertainty', at], message: `expected low <= rate <= high; the rate of ${reaction} is ${rate}` }];
  });
}

function observationIssues({ arms, steps, observations, dataset }: Fields, species: Ids): TwinIssue[] {
  const known = idsOf(arms)?.add(TWIN_BASELINE_ARM) ?? null;
  const last = isNumber(steps) ? steps : TWIN_STEPS.default;
  const issues = placed(observations).flatMap(({ at, fields }) => {
    const found: TwinIssue[] = [];
    const add = (field: string, message: string) => found.push({ path: ['observations', at, field], message });
    if (isText(fields.arm) && isUnknown(known, fields.arm)) add('arm', `unknown: no arm is ${shown(fields.arm)}`);
    if (isText(fields.species) && isUnknown(species, fields.species)) {
      add('species', `unknown: no species of the model is ${shown(fields.species)}`);
    }
    if (isNumber(fields.step) && fields.step > last) add('step', `unknown: the last step is ${last}`);
    return found;
  });
  if (Array.isArray(observations) && observations.length > 0 && dataset === undefined) {
    issues.push({ path: ['dataset'], message: 'is required with observations' });
  }
  return issues;
}

/** Longest part of a refused id that an issue repeats. */
const SHOWN_MAX_CHARACTERS = 64;
const shown = (id: string): string => JSON.stringify(id.toWellFormed().slice(0, SHOWN_MAX_CHARACTERS));

/** Issues of every experiment of a benchmark, and of what they must share with the first. */
export function benchmarkIssues(body: unknown): TwinIssue[] {
  const experiments = placed(fieldsOf(body).experiments);
  const own = experiments.flatMap(({ at, fields }) =>
    experimentIssues(fields).map(({ path, message }) => ({ path: ['experiments', at, ...path], message })),
  );
  const [first, ...others] = experiments;
  if (first === undefined) return own;
  const names = new Set<string>();
  const renamed = experiments.flatMap(({ at, fields }) => {
    const { id, version } = fieldsOf(fields.model);
    const name = JSON.stringify([id, version]);
    if (!isText(id) || !names.has(name)) {
      names.add(name);
      return [];
    }
    const message = 'duplicate: each candidate has an id and version of its own';
    return [{ path: ['experiments', at, 'model', 'id'], message }];
  });
  return [...own, ...renamed, ...others.flatMap((other) => mismatches(first, other))];
}

function mismatches(first: Placed, other: Placed): TwinIssue[] {
  return SHARED.filter(({ of }) => !same(of(first.fields), of(other.fields))).map(({ path }) => ({
    path: ['experiments', other.at, ...path],
    message: `differs from experiment ${first.at}, with which it must be shared`,
  }));
}

const modelOf = (experiment: Fields): Fields => fieldsOf(experiment.model);
const sorted = (rows: unknown[][]): unknown[][] =>
  rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Reactions are each candidate's own, so the multipliers of an arm may differ: its id and its start may not. */
const SHARED: { path: string[]; of: (experiment: Fields) => unknown }[] = [
  { path: ['model', 'context'], of: (experiment) => modelOf(experiment).context },
  { path: ['model', 'timeUnit'], of: (experiment) => modelOf(experiment).timeUnit },
  { path: ['model', 'concentrationUnit'], of: (experiment) => modelOf(experiment).concentrationUnit },
  {
    path: ['model', 'species'],
    of: (experiment) => sorted(placed(modelOf(experiment).species).map(({ fields: { id, initial } }) => [id, initial])),
  },
  {
    path: ['arms'],
    of: ({ arms }) => sorted(placed(arms).map(({ fields: { id, startStep } }) => [id, startStep])),
  },
  { path: ['duration'], of: ({ duration }) => duration },
  { path: ['steps'], of: ({ steps }) => steps ?? TWIN_STEPS.default },
  { path: ['dataset'], of: ({ dataset }) => ordered(dataset) },
  { path: ['observations'], of: ({ observations }) => sorted(placed(observations).map(({ fields }) => rowOf(fields))) },
];

const ordered = (value: unknown): unknown => sorted(Object.entries(fieldsOf(value)));
const rowOf = ({ arm, step, species, value }: Fields): unknown[] => [arm, step, species, value];
