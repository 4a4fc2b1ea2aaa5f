import { z } from 'zod';
import texts from '../../data/declared/objectives.json' with { type: 'json' };
import { CATALOGUE_IDS, MODULE_OBJECTIVE_IDS, OBJECTIVE_IDS, OBJECTIVE_LEVELS, QUESTION_EFFORTS } from '../ids.ts';

/** One read of an objective's way through the service. */
const TraversalStep = z.strictObject({
  endpoint: z.enum(CATALOGUE_IDS),
  /** Method and path, to be sent as printed; it answers against any snapshot, if only with an empty match. */
  call: z.string(),
  why: z.string(),
});

/** A lasting piece of work; any agent may take a slice of it. */
const objectiveWith = <const Ids extends readonly string[]>(ids: Ids) =>
  z.strictObject({
    id: z.enum(ids),
    title: z.string(),
    level: z.enum(OBJECTIVE_LEVELS),
    /** Time that one slice takes, in the words of questions; the interface gives objectives none. */
    effort: z.enum(QUESTION_EFFORTS),
    mandate: z.string(),
    whyItMatters: z.string(),
    traversal: z.array(TraversalStep),
    deliverable: z.string(),
    reporting: z.string(),
    /** Id of the open question that belongs to it, or a question in words where none of the seven does. */
    openQuestion: z.string(),
  });

const Objectives = z.strictObject({
  objectives: z.array(objectiveWith(OBJECTIVE_IDS)),
  moduleObjectives: z.array(objectiveWith(MODULE_OBJECTIVE_IDS)),
});
const { objectives, moduleObjectives } = Objectives.parse(texts);

export type Objective<Id extends string = (typeof OBJECTIVE_IDS)[number]> = Omit<(typeof objectives)[number], 'id'> & {
  readonly id: Id;
};

/** The five objectives, in their published order. Conditions and terms in their calls are examples, to be replaced by your own. */
export const OBJECTIVES: readonly Objective[] = objectives;

/** Objectives of modules: listed apart, never assigned. */
export const MODULE_OBJECTIVES: readonly Objective<(typeof MODULE_OBJECTIVE_IDS)[number]>[] = moduleObjectives;
