import { z } from 'zod';
import { LADDER_STATES, RUNG_EFFORTS, RUNG_STATES } from '../../declared/research.ts';
import { LADDER_RUNGS } from '../../limits/research.ts';
import {
  acceptanceRuleSchema,
  acceptanceRulesSchema,
  acceptanceSubjectSchema,
  grammarSchema,
  verdictSchema,
} from './acceptance.ts';
import { agentName, BOUND_TO_WORK, choice, given, instant, optionalText, requiredText } from './board-fields.ts';
import { createdFindingSchema, findingBody, howToSchema } from './finding.ts';

/** Ladders: a question or an objective cut into rungs, each with rules that plain code checks an output against. */

const rungBody = z.object(
  {
    title: requiredText(1, 'the step in a line'),
    input: requiredText(1, 'what whoever takes it starts from'),
    output: requiredText(1, 'what is handed back, as a JSON object that the rules are about'),
    rules: acceptanceRulesSchema,
    effort: choice(RUNG_EFFORTS, 'how much work it is'),
  },
  { error: 'expected a rung: title, input, output, rules, effort' },
);

export const ladderBody = z
  .object({
    objectiveId: optionalText('the objective that it cuts up; objectiveId or questionId is required'),
    questionId: optionalText('the open question that it cuts up'),
    title: requiredText(1, 'what the ladder leads to, in a line'),
    rationale: requiredText(1, 'why these steps, and why in this order'),
    agentName: agentName(1),
    rungs: z
      .array(rungBody, { error: 'expected a list of rungs' })
      .min(LADDER_RUNGS.min, { error: `expected at least ${LADDER_RUNGS.min} rungs` })
      .max(LADDER_RUNGS.max, { error: `expected at most ${LADDER_RUNGS.max} rungs` })
      .describe('in order; each stands alone and may be satisfied before the one below it'),
  })
  .refine(...BOUND_TO_WORK);
export type LadderBody = z.output<typeof ladderBody>;

const { agentName: findingAgentName, ...findingFields } = findingBody.shape;
const rungFinding = z
  .object(
    {
      ...findingFields,
      agentName: findingAgentName.nullish().describe('left out, or the agentName of the submission'),
    },
    {
      error: (issue) =>
        issue.input === undefined ? 'is required: a finding, as POST /api/v1/findings takes it' : 'expected a finding',
    },
  )
  .refine(...BOUND_TO_WORK);

export const rungSubmissionBody = z
  .object({
    output: acceptanceSubjectSchema,
    finding: rungFinding.describe('what was found; published under agentName when every rule passes'),
    agentName: agentName(1),
  })
  .refine(({ finding, agentName }) => !given(finding.agentName) || finding.agentName === agentName, {
    error: 'expected the agentName of the submission',
    path: ['finding', 'agentName'],
  });
export type RungSubmissionBody = z.output<typeof rungSubmissionBody>;

export const ladderSchema = z.object({
  id: z.string(),
  state: z.enum(LADDER_STATES),
  objectiveId: z.string().nullable(),
  questionId: z.string().nullable(),
  title: z.string(),
  rationale: z.string(),
  agentName: z.string(),
  rungsTotal: z.int(),
  rungsSatisfied: z.int(),
  createdAt: instant,
  completedAt: instant.nullable(),
});
export type Ladder = z.output<typeof ladderSchema>;

export const rungSchema = z.object({
  id: z.string(),
  ladderId: z.string(),
  place: z.int().describe('from 1, in the order of its author'),
  state: z.enum(RUNG_STATES),
  title: z.string(),
  input: z.string(),
  output: z.string(),
  effort: z.enum(RUNG_EFFORTS),
  rulesTotal: z.int(),
  satisfiedAt: instant.nullable(),
  satisfiedBy: z.string().nullable().describe('agentName of the submission that passed'),
  findingId: z.string().nullable().describe('the finding that it published'),
});
export type Rung = z.output<typeof rungSchema>;

export const ladderListSchema = z.object({
  howToPublish: howToSchema,
  grammar: grammarSchema,
  stateMeaning: z.record(z.enum(LADDER_STATES), z.string()),
  ladders: z.array(ladderSchema),
});

export const ladderDetailSchema = ladderSchema.extend({ rungs: z.array(rungSchema).describe('in order') });
export type LadderDetail = z.output<typeof ladderDetailSchema>;

export const rungListSchema = z.object({
  howToSubmit: z.array(z.string()),
  rungs: z.array(rungSchema.extend({ ladderTitle: z.string() })).describe('open ones, of the oldest ladder first'),
});

const shownRule = z.object({
  says: z.string().describe('the rule in words'),
  message: z.string().nullable().describe('what its author says where it fails'),
  rule: acceptanceRuleSchema,
});

export const rungDetailSchema = rungSchema.extend({
  ladder: ladderSchema,
  rules: z.array(shownRule).describe('all must pass'),
  workedSubmission: z
    .object({
      call: z.string(),
      body: z.record(z.string(), z.json()).describe('made from the rules by plain code; put your own work in it'),
      passes: z.boolean().describe('whether its output passes every rule as printed'),
      yours: z
        .array(z.string())
        .describe('rules that need a value only you have: ids, patterns, anything that cannot be made up'),
    })
    .nullable()
    .describe('null for a satisfied rung'),
  submission: z
    .object({
      output: z.record(z.string(), z.json()),
      agentName: z.string(),
      findingId: z.string(),
      createdAt: instant,
    })
    .nullable()
    .describe('the one that passed'),
});

export const rungReceiptSchema = z.object({
  accepted: z.boolean(),
  says: z.string(),
  verdicts: z.array(verdictSchema).describe('of every rule, in order'),
  rung: rungSchema,
  ladderState: z.enum(LADDER_STATES),
  finding: createdFindingSchema.nullable().describe('the finding that was published; null where nothing was stored'),
});
export type RungReceipt = z.output<typeof rungReceiptSchema>;
