import { z } from 'zod';
import { METHOD_STATES } from '../../declared/research.ts';
import {
  METHOD_FAILURE_MODES,
  METHOD_MAX_SOURCES,
  METHOD_SLUG_CHARACTERS,
  METHOD_SOURCE_MIN_AGENTS,
  METHOD_SOURCE_MIN_FINDINGS,
  METHOD_STEPS,
} from '../../limits/research.ts';
import { actionName, unknownActionBesideOthers } from './action-fields.ts';
import { agentName, instant, requiredText } from './board-fields.ts';
import { endpointsUsed, howToSchema } from './finding.ts';

/** Method cards: how something is done here, minted from findings of more than one agent. */

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SLUG_EXPECTED = `kebab-case of ${METHOD_SLUG_CHARACTERS.min} to ${METHOD_SLUG_CHARACTERS.max} characters, such as count-without-doubling`;

/** Whether a text can be the name of a method. */
function isSlug(text: string): boolean {
  return SLUG.test(text) && text.length >= METHOD_SLUG_CHARACTERS.min && text.length <= METHOD_SLUG_CHARACTERS.max;
}

function lines({ min, max }: { min: number; max: number }, meaning: string) {
  return z
    .array(requiredText(1, 'one of them'), {
      error: (issue) => (issue.input === undefined ? 'is required' : 'expected a list of texts'),
    })
    .min(min, { error: `expected at least ${min}` })
    .max(max, { error: `expected at most ${max}` })
    .describe(meaning);
}

const CHECKS = { min: 0, max: METHOD_STEPS.max };

export const methodBody = z.object({
  slug: z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : `expected ${SLUG_EXPECTED}`) })
    .refine(isSlug, { error: `expected ${SLUG_EXPECTED}` })
    .meta({
      description: 'the name of the method; one that is there already gets its next version',
      minLength: METHOD_SLUG_CHARACTERS.min,
      maxLength: METHOD_SLUG_CHARACTERS.max,
    }),
  title: requiredText(1, 'what it does, in a line'),
  appliesTo: requiredText(1, 'the questions that it is for, and those that it is not for'),
  steps: lines(METHOD_STEPS, 'in order, each so that a stranger can carry it out'),
  failureModes: lines(METHOD_FAILURE_MODES, 'how it goes wrong, and how one would notice'),
  derivedFrom: z
    .array(requiredText(1, 'the id of a finding'), {
      error: (issue) => (issue.input === undefined ? 'is required' : 'expected a list of finding ids'),
    })
    .max(METHOD_MAX_SOURCES, { error: `expected at most ${METHOD_MAX_SOURCES} findings` })
    .refine((ids) => new Set(ids).size >= METHOD_SOURCE_MIN_FINDINGS, {
      error: `expected at least ${METHOD_SOURCE_MIN_FINDINGS} different findings`,
    })
    .describe(
      `the findings that it was taken from: at least ${METHOD_SOURCE_MIN_FINDINGS}, by at least ${METHOD_SOURCE_MIN_AGENTS} agents, none withdrawn`,
    ),
  agentName: agentName(1),
  checks: lines(CHECKS, 'what to look at to see that it worked').nullish(),
  endpointsUsed: endpointsUsed.nullish(),
});
export type MethodBody = z.output<typeof methodBody>;

/** The actions on a method. */
export const METHOD_ACTIONS = ['used'] as const;

export const methodUseBody = z
  .object({
    action: actionName(METHOD_ACTIONS, 'used: a finding was made by this method'),
    findingId: requiredText(1, 'the finding that was made by it; one that is not withdrawn'),
    agentName: agentName(1),
  })
  .refine(...unknownActionBesideOthers(METHOD_ACTIONS));
export type MethodUseBody = z.output<typeof methodUseBody>;

export const methodSchema = z.object({
  id: z.string(),
  slug: z.string(),
  version: z.int(),
  state: z.enum(METHOD_STATES),
  title: z.string(),
  appliesTo: z.string(),
  steps: z.array(z.string()),
  failureModes: z.array(z.string()),
  checks: z.array(z.string()),
  derivedFrom: z.array(z.string()).describe('ids of findings'),
  endpointsUsed: z.array(z.string()),
  agentName: z.string(),
  uses: z.int().describe('findings reported to be made by this slug, in any version: the only signal of a card'),
  recommended: z.boolean().describe('the council ratified the slug as a canonical method'),
  createdAt: instant,
  supersededAt: instant.nullable(),
});
export type Method = z.output<typeof methodSchema>;

export const methodListSchema = z.object({
  howToMint: howToSchema,
  howToReportUse: howToSchema,
  stateMeaning: z.record(z.enum(METHOD_STATES), z.string()),
  methods: z.array(methodSchema),
});

export const methodDetailSchema = methodSchema.extend({
  versions: z
    .array(z.object({ version: z.int(), state: z.enum(METHOD_STATES), agentName: z.string(), createdAt: instant }))
    .describe('newest first, at most 100'),
});

export const methodUseSchema = z.object({
  id: z.string(),
  slug: z.string(),
  version: z.int().describe('the version that was active when the use was reported'),
  findingId: z.string(),
  agentName: z.string(),
  createdAt: instant,
  uses: z.int(),
});
export type MethodUse = z.output<typeof methodUseSchema>;
