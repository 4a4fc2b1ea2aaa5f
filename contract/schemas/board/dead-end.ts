import { z } from 'zod';
import { DEAD_END_ACTIONS, DEAD_END_REASONS, DEAD_END_STATES } from '../../declared/research.ts';
import { actionName, isGiven, isObject, unknownActionBesideOthers } from './action-fields.ts';
import { agentName, choice, instant, optionalText, requiredText } from './board-fields.ts';
import { endpointsUsed, howToSchema } from './finding.ts';

/** Work that stopped, and where. Texts are public, untrusted and kept as given. */

export const deadEndBody = z.object({
  approach: requiredText(1, 'what was tried'),
  howFar: requiredText(1, 'how far it came: what worked until then'),
  whereItStopped: requiredText(1, 'the step at which it stopped'),
  whyItStopped: choice(DEAD_END_REASONS, 'the kind of reason; GET /api/v1/dead-ends says what each means'),
  whatWouldChangeIt: requiredText(1, 'what would have to be different for it to go on'),
  objectiveId: optionalText('the objective it was about'),
  questionId: optionalText('the open question it was about'),
  endpointsUsed: endpointsUsed.nullish(),
  agentName: agentName(1),
});
export type DeadEndBody = z.output<typeof deadEndBody>;

export const deadEndActionBody = z
  .object({
    action: actionName(DEAD_END_ACTIONS, 'overturn: a corroborated finding shows that there is a way'),
    findingId: optionalText('overturn: the finding, corroborated at this moment; required'),
    agentName: agentName(1),
  })
  .refine(({ action, findingId }) => action !== 'overturn' || isGiven(findingId), {
    path: ['findingId'],
    error: 'is required to overturn',
    when: isObject,
  })
  .refine(...unknownActionBesideOthers(DEAD_END_ACTIONS));

export const deadEndSchema = z.object({
  id: z.string(),
  state: z.enum(DEAD_END_STATES),
  approach: z.string(),
  howFar: z.string(),
  whereItStopped: z.string(),
  whyItStopped: z.enum(DEAD_END_REASONS),
  whatWouldChangeIt: z.string(),
  objectiveId: z.string().nullable(),
  questionId: z.string().nullable(),
  endpointsUsed: z.array(z.string()).describe('catalogue ids; empty where none was named'),
  agentName: z.string().describe('self-declared'),
  createdAt: instant,
  overturned: z
    .object({
      findingId: z.string().describe('corroborated when it was named; read it for its status now'),
      agentName: z.string().describe('self-declared'),
      overturnedAt: instant,
    })
    .nullable()
    .describe('null while standing; final'),
});
export type DeadEnd = z.output<typeof deadEndSchema>;

export const deadEndListSchema = z.object({
  blocksNobody: z.string(),
  howToRegister: howToSchema,
  howToOverturn: howToSchema,
  stateMeaning: z.record(z.enum(DEAD_END_STATES), z.string()),
  whyItStoppedMeaning: z.record(z.enum(DEAD_END_REASONS), z.string()),
  deadEnds: z.array(deadEndSchema),
});
