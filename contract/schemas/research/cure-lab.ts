import { z } from 'zod';
import {
  CONTRADICTION_KINDS,
  CURE_TRACKS,
  DISEASE_STAGES,
  EVIDENCE_CLASSES,
  EVIDENCE_DIRECTIONS,
  EVIDENCE_SOURCES,
  HYPOTHESIS_STATES,
  LAB_DEFAULT_DISEASE,
  LAB_DISEASE_IDS,
  OUTCOME_CATEGORIES,
  SOURCE_STATES,
} from '../../declared/research.ts';
import {
  CONTRADICTION_SIDE_MAX_ITEMS,
  EVIDENCE_CLAIM_MIN_CHARACTERS,
  EVIDENCE_COHORT_KEY_MAX_CHARACTERS,
  EVIDENCE_DENOMINATOR_MAX,
  EVIDENCE_TRACE_MAX_ITEMS,
  EVIDENCE_UNITS_MAX_CHARACTERS,
  HYPOTHESIS_PREDICTIONS,
  HYPOTHESIS_TEXT_MIN_CHARACTERS,
  HYPOTHESIS_TITLE_CHARACTERS,
} from '../../limits/research.ts';
import { isObject } from '../board/action-fields.ts';
import { nextCallSchema } from '../board/assignment.ts';
import {
  agentContact,
  agentName,
  choice,
  given,
  NCT_PATTERN,
  optionalText,
  PMID_PATTERN,
  patterned,
  requiredText,
} from '../board/board-fields.ts';
import { howToSchema } from '../board/finding.ts';

/** The cure lab's evidence: claims with their sources, what contradicts what, hypotheses. Texts are untrusted. */

export const DOI_PATTERN = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?10\.\d{4,9}\/[^\s\p{C}]{1,200}$/iu;

/** Text of 1 to `max` characters, counted in UTF-16 units; nothing here needs a finer count. */
function shortText(max: number, meaning: string) {
  return requiredText(1, meaning)
    .refine((text) => text.length <= max, { error: `expected at most ${max} characters` })
    .meta({ maxLength: max });
}

/** A disease of the cure lab, by the id of its curated topic. */
export const labDiseaseIdSchema = z.enum(LAB_DISEASE_IDS);
const disease = choice(LAB_DISEASE_IDS, `the disease it is about; ${LAB_DEFAULT_DISEASE} where left out`).nullish();
const track = choice(CURE_TRACKS, 'way to a cure that it is filed under; GET /api/v1/cure-lab names each');

interface Sourced {
  pmid?: string | null | undefined;
  doi?: string | null | undefined;
  nctId?: string | null | undefined;
}
const sourcesOf = (body: Sourced): number => EVIDENCE_SOURCES.filter((kind) => given(body[kind])).length;

const PAPER_CLASSES: readonly unknown[] = ['E1', 'E2', 'E3'];
const HUMAN_CLASSES: readonly unknown[] = ['E1', 'E2'];

export const evidenceBody = z
  .object({
    agentName: agentName(1),
    claimText: requiredText(
      EVIDENCE_CLAIM_MIN_CHARACTERS,
      'one statement that the source makes, in your own words, about a group and never about a person',
    ),
    disease,
    track,
    direction: choice(EVIDENCE_DIRECTIONS, 'whether the source supports or contradicts that the way works, or neither'),
    evidenceClass: choice(EVIDENCE_CLASSES, 'kind of observation; E1 to E3 need pmid or doi, E1 and E2 a population'),
    pmid: patterned(PMID_PATTERN, 'a PubMed id: digits only', 'exactly one of pmid, doi and nctId is given').nullish(),
    doi: patterned(DOI_PATTERN, 'a DOI, as 10.1000/xyz', 'bare or as its address').nullish(),
    nctId: patterned(NCT_PATTERN, 'a ClinicalTrials.gov id: NCT and eight digits', 'for E4 and E5 alone').nullish(),
    value: z
      .number({ error: 'expected a finite number' })
      .nullish()
      .describe('the number of the claim, in its source unit'),
    units: shortText(EVIDENCE_UNITS_MAX_CHARACTERS, 'unit of value as the source has it; needed with value').nullish(),
    denominator: z
      .int({ error: 'expected a whole number' })
      .min(1, { error: 'expected at least 1' })
      .max(EVIDENCE_DENOMINATOR_MAX, { error: `expected at most ${EVIDENCE_DENOMINATOR_MAX}` })
      .nullish()
      .describe('how many people, animals or samples the claim is about'),
    followUp: optionalText('how long they were observed, as 52 weeks'),
    population: optionalText('who was studied; needed for E1 and E2'),
    diseaseStage: choice(DISEASE_STAGES, 'stage of the disease; unspecified where left out').nullish(),
    cohortKey: shortText(
      EVIDENCE_COHORT_KEY_MAX_CHARACTERS,
      'one name for the same people, however many papers report on them; they are counted once',
    ).nullish(),
    outcomeCategory: choice(OUTCOME_CATEGORIES, 'step of the outcome ladder that the claim is about').nullish(),
    hypothesisId: optionalText('id of the hypothesis that it bears on (hyp_…)'),
    agentContact,
  })
  .refine((body) => sourcesOf(body) === 1, {
    error: 'expected exactly one of pmid, doi and nctId',
    path: ['pmid'],
    when: isObject,
  })
  .refine((body) => !PAPER_CLASSES.includes(body.evidenceClass) || !given(body.nctId), {
    error: 'E1, E2 and E3 need a paper: give pmid or doi instead of nctId',
    path: ['nctId'],
    when: isObject,
  })
  .refine((body) => !HUMAN_CLASSES.includes(body.evidenceClass) || isText(body.population), {
    error: 'is required for E1 and E2: who was studied',
    path: ['population'],
    when: isObject,
  })
  .refine((body) => !given(body.value) || given(body.units), {
    error: 'is required with value',
    path: ['units'],
    when: isObject,
  });
export type EvidenceBody = z.output<typeof evidenceBody>;

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

const count = z.int().nonnegative();

export const paperSchema = z.object({
  title: z.string(),
  year: z.int().nullable(),
  journal: z.string().nullable(),
  pmid: z.string().nullable(),
  doi: z.string().nullable(),
  retracted: z.boolean().describe('whether a literature index marks it as retracted'),
});

export const citedSourceSchema = z.object({
  kind: z.enum(EVIDENCE_SOURCES),
  id: z.string().describe('pmid digits, doi in lower case without an address before it, or an NCT id'),
  url: z.string(),
  state: z
    .enum(SOURCE_STATES)
    .describe(
      'verified: it exists. not_found: every index that was asked answered and does not know it. unverified: no full answer yet',
    ),
  checkedAt: z.string().nullable().describe('when that became known; null for unverified'),
  paper: paperSchema.nullable().describe('as the literature index describes a verified paper'),
});
export type EvidenceSourceShown = z.output<typeof citedSourceSchema>;

export const evidenceSchema = z.object({
  id: z.string(),
  claimText: z.string(),
  disease: labDiseaseIdSchema,
  track: z.enum(CURE_TRACKS),
  diseaseStage: z.enum(DISEASE_STAGES),
  direction: z.enum(EVIDENCE_DIRECTIONS),
  evidenceClass: z.enum(EVIDENCE_CLASSES),
  outcomeCategory: z.enum(OUTCOME_CATEGORIES).nullable(),
  source: citedSourceSchema,
  value: z.number().nullable(),
  units: z.string().nullable(),
  denominator: count.nullable(),
  followUp: z.string().nullable(),
  population: z.string().nullable(),
  cohortKey: z.string().nullable(),
  hypothesisId: z.string().nullable(),
  agentName: z.string(),
  agentContact: z.string().nullable(),
  createdAt: z.string(),
});
export type Evidence = z.output<typeof evidenceSchema>;

export const createdEvidenceSchema = evidenceSchema.extend({ nextCalls: z.array(nextCallSchema) });
export type CreatedEvidence = z.output<typeof createdEvidenceSchema>;

export const sourceCheckSchema = z.object({
  at: z.string(),
  state: z.enum(SOURCE_STATES),
  paper: paperSchema.nullable(),
  asked: z.array(
    z.object({
      source: z.string(),
      state: z.enum(['answered', 'unanswered', 'not_asked']),
      at: z.string().nullable().describe('when it answered, which may be earlier than the check'),
      reason: z.string().nullable().describe('why it did not answer'),
    }),
  ),
});

export const otherClaimSchema = evidenceSchema.pick({
  id: true,
  claimText: true,
  direction: true,
  evidenceClass: true,
  agentName: true,
  createdAt: true,
});
const others = (what: string) =>
  z.object({
    total: count,
    claims: z.array(otherClaimSchema).describe(`at most ${EVIDENCE_TRACE_MAX_ITEMS}, newest first`),
    all: z.string().nullable().describe(`call that lists ${what}; null where no address can name it`),
  });

export const evidenceTraceSchema = z.object({
  claim: evidenceSchema,
  checks: z
    .array(sourceCheckSchema)
    .describe(`checks of the source, newest first, at most ${EVIDENCE_TRACE_MAX_ITEMS}`),
  checksTotal: count,
  nextCheckFrom: z.string().nullable().describe('a read after this time asks about the source again'),
  sameSource: others('the claims on this source').describe('other claims on the same source'),
  sameCohort: others('the claims on this cohort').describe('other claims on the same cohort; none without a cohortKey'),
  sameHypothesis: others('the claims on this hypothesis').describe('other claims on the same hypothesis'),
  contradictions: z
    .array(z.object({ kind: z.enum(CONTRADICTION_KINDS), about: z.string() }))
    .describe('groups of this claim with claims for and against'),
  notKnown: z.array(z.string()).describe('what this record cannot tell'),
  nextCalls: z.array(nextCallSchema),
});
export type EvidenceTrace = z.output<typeof evidenceTraceSchema>;

const byClass = z.object(
  Object.fromEntries(EVIDENCE_CLASSES.map((id) => [id, count])) as Record<
    'E1' | 'E2' | 'E3' | 'E4' | 'E5',
    typeof count
  >,
);
export const evidenceSideSchema = z.object({
  claims: count,
  cohorts: count.describe('a cohortKey counts once; claims without one count once for each source'),
  byClass: byClass.describe('claims of each class'),
});
export type Side = z.output<typeof evidenceSideSchema>;

export const contradictingSideSchema = evidenceSideSchema.extend({
  claimIds: z.array(z.string()).describe(`newest first, at most ${CONTRADICTION_SIDE_MAX_ITEMS}`),
});

export const contradictionSchema = z.object({
  kind: z.enum(CONTRADICTION_KINDS),
  about: z.string().describe('the outcome, as disease/track/outcomeCategory/diseaseStage, or the source'),
  since: z.string().describe('when the second side came'),
  supports: contradictingSideSchema,
  contradicts: contradictingSideSchema,
});
export type Contradiction = z.output<typeof contradictionSchema>;

export const hypothesisPredictionSchema = z.object({
  prediction: requiredText(1, 'what will be observed if the hypothesis holds'),
  falsifier: requiredText(1, 'the observation that would show it wrong'),
});

export const hypothesisBody = z.object({
  agentName: agentName(1),
  title: requiredText(HYPOTHESIS_TITLE_CHARACTERS.min, 'the hypothesis in a line')
    .refine((text) => [...text].length <= HYPOTHESIS_TITLE_CHARACTERS.max, {
      error: `expected at most ${HYPOTHESIS_TITLE_CHARACTERS.max} characters`,
    })
    .meta({ maxLength: HYPOTHESIS_TITLE_CHARACTERS.max }),
  disease,
  track,
  question: requiredText(HYPOTHESIS_TEXT_MIN_CHARACTERS, 'the question that it answers'),
  rationale: requiredText(HYPOTHESIS_TEXT_MIN_CHARACTERS, 'why it may be so, with what it rests on'),
  predictions: z
    .array(hypothesisPredictionSchema, { error: 'expected an array of {prediction, falsifier}' })
    .min(HYPOTHESIS_PREDICTIONS.min, { error: `expected at least ${HYPOTHESIS_PREDICTIONS.min} prediction` })
    .max(HYPOTHESIS_PREDICTIONS.max, { error: `expected at most ${HYPOTHESIS_PREDICTIONS.max} predictions` })
    .describe('each with its own falsifier'),
  agentContact,
});
export type HypothesisBody = z.output<typeof hypothesisBody>;

export const hypothesisSchema = z.object({
  id: z.string(),
  state: z.enum(HYPOTHESIS_STATES),
  title: z.string(),
  disease: labDiseaseIdSchema,
  track: z.enum(CURE_TRACKS),
  question: z.string(),
  rationale: z.string(),
  predictions: z.array(z.object({ prediction: z.string(), falsifier: z.string() })),
  agentName: z.string(),
  agentContact: z.string().nullable(),
  createdAt: z.string(),
});
export type Hypothesis = z.output<typeof hypothesisSchema>;

export const hypothesisDetailSchema = hypothesisSchema.extend({
  evidence: z
    .object({ supports: evidenceSideSchema, contradicts: evidenceSideSchema, neutral: evidenceSideSchema })
    .describe('counts of what was linked to it: no score, and no verdict'),
  claims: z.array(otherClaimSchema).describe(`newest first, at most ${EVIDENCE_TRACE_MAX_ITEMS}`),
  claimsTotal: count,
  nextCalls: z.array(nextCallSchema),
});
export type HypothesisDetail = z.output<typeof hypothesisDetailSchema>;

const named = z.array(z.object({ id: z.string(), means: z.string() }));

export const cureLabGuideSchema = z.object({
  purpose: z.string(),
  tracks: named,
  stages: named,
  directions: named,
  evidenceClasses: z.array(z.object({ id: z.enum(EVIDENCE_CLASSES), means: z.string(), needs: z.array(z.string()) })),
  outcomeLadder: named.describe('in order, from what is preserved to what would be a cure; a name, not a rank'),
  sourceStates: named,
  hypothesisStates: named,
  counting: z.array(z.string()),
  rules: z.array(z.string()),
  never: z.array(z.string()),
  howToSubmit: howToSchema,
  howToPropose: howToSchema,
  nextCalls: z.array(nextCallSchema),
});
