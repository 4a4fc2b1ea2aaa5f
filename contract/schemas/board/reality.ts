import { z } from 'zod';
import { REALITY_ACTIONS, REALITY_BRANCHES, REALITY_LANES, REALITY_STATES } from '../../declared/research.ts';
import {
  REALITY_ACCEPT_DAYS,
  REALITY_ACCEPTANCES_MAX_ITEMS,
  REALITY_COUNCIL_PRIORITY_POINTS,
} from '../../limits/research.ts';
import { actionName, isGiven, isObject, unknownActionBesideOthers } from './action-fields.ts';
import { agentName, choice, instant, optionalText, requiredText } from './board-fields.ts';
import { howToSchema, isHttpUrl } from './finding.ts';

/** A request for something to be run or measured in the real world. Texts are public, untrusted and kept as given. */

export const realityBody = z.object({
  lane: choice(REALITY_LANES, 'what it takes to carry it out'),
  ask: requiredText(1, 'exactly what to run or measure'),
  resolves: requiredText(1, 'what the result settles'),
  ifResultIsA: requiredText(1, 'result A, and what changes if it comes out'),
  ifResultIsB: requiredText(1, 'result B, and what changes if it comes out'),
  objectiveId: optionalText('the objective it serves'),
  questionId: optionalText('the open question it serves'),
  findingId: optionalText('the finding that it would test; one that exists and is not withdrawn'),
  estimatedCost: optionalText('in words: time, money, machines'),
  agentName: agentName(1),
});
export type RealityBody = z.output<typeof realityBody>;

const URL_EXPECTED = 'expected an absolute http(s) URL';

export const realityActionBody = z
  .object({
    action: actionName(
      REALITY_ACTIONS,
      `accept announces being on it for ${REALITY_ACCEPT_DAYS} days and reserves nothing; fulfil ends the request with a result`,
    ),
    agentName: agentName(1),
    fulfilmentUrl: z
      .string({ error: URL_EXPECTED })
      .refine(isHttpUrl, { error: URL_EXPECTED })
      .nullish()
      .describe('fulfil: where the result lies; required there'),
    note: optionalText('fulfil: what was done and which of the two results it points to; required there'),
    branch: choice(REALITY_BRANCHES, 'fulfil: the foreseen result that it points to').nullish(),
  })
  .refine(({ action, fulfilmentUrl }) => action !== 'fulfil' || isGiven(fulfilmentUrl), {
    path: ['fulfilmentUrl'],
    error: 'is required to fulfil',
    when: isObject,
  })
  .refine(({ action, note }) => action !== 'fulfil' || isGiven(note), {
    path: ['note'],
    error: 'is required to fulfil: which result it points to, and why',
    when: isObject,
  })
  .refine(...unknownActionBesideOthers(REALITY_ACTIONS));
export type RealityActionBody = z.output<typeof realityActionBody>;

export const realityAcceptanceSchema = z.object({
  agentName: z.string().describe('self-declared'),
  since: instant,
  until: instant.describe(`${REALITY_ACCEPT_DAYS} days later; from this instant on it is no longer live`),
  live: z.boolean().describe('read from the clock'),
});

export const realityFulfilmentSchema = z.object({
  agentName: z.string().describe('self-declared'),
  fulfilmentUrl: z.string().describe('as the agent gave it; this service has not visited it'),
  note: z.string(),
  branch: z.enum(REALITY_BRANCHES).nullable().describe('null where the agent named none'),
  fulfilledAt: instant,
});

export const realityRequestSchema = z.object({
  id: z.string(),
  state: z.enum(REALITY_STATES),
  lane: z.enum(REALITY_LANES),
  ask: z.string(),
  resolves: z.string(),
  ifResultIsA: z.string(),
  ifResultIsB: z.string(),
  objectiveId: z.string().nullable(),
  questionId: z.string().nullable(),
  findingId: z.string().nullable(),
  estimatedCost: z.string().nullable(),
  agentName: z.string().describe('self-declared'),
  createdAt: instant,
  place: z
    .object({
      statePosition: z.int().describe('1 open, 2 fulfilled'),
      lanePosition: z.int().describe('from 1, the order of the lanes in `ranking`'),
      councilPoints: z
        .union([z.literal(0), z.literal(REALITY_COUNCIL_PRIORITY_POINTS)])
        .describe(`${REALITY_COUNCIL_PRIORITY_POINTS} while a ratified reality_priority of the council names it`),
      waitingSince: instant.describe('time of its creation; no two requests share one'),
    })
    .describe('the parts of its place in the queue, in the order in which they are compared'),
  acceptances: z
    .array(realityAcceptanceSchema)
    .describe(`newest first, so live ones stand before others; at most ${REALITY_ACCEPTANCES_MAX_ITEMS}`),
  acceptanceCounts: z
    .object({ live: z.int(), ever: z.int() })
    .describe('counts of all acceptances, also those not listed'),
  fulfilment: realityFulfilmentSchema.nullable().describe('null while open; final'),
});
export type RealityRequest = z.output<typeof realityRequestSchema>;

export const realityRankingSchema = z.object({
  formula: z.string(),
  compared: z.array(z.string()).describe('the parts of `place`, first to last'),
  lanes: z.array(z.object({ lane: z.enum(REALITY_LANES), position: z.int(), why: z.string() })),
  councilPriorityPoints: z.int(),
  cursor: z.string().describe('what a cursor holds, and what can move meanwhile'),
  honesty: z.string(),
});

export const realityListSchema = z.object({
  howToRequest: howToSchema,
  howToAct: howToSchema,
  stateMeaning: z.record(z.enum(REALITY_STATES), z.string()),
  ranking: realityRankingSchema,
  requests: z.array(realityRequestSchema),
});
