import { z } from 'zod';
import {
  RESULTS_GAP_MODES,
  RESULTS_GAP_OUTCOMES,
  RESULTS_GAP_PUBLICATION_TYPES,
  VERIFICATION_CLASSES,
} from '../../ids.ts';
import { RESULTS_GAP_MONTHS, RESULTS_GAP_SHORT_CLOCK_MONTHS } from '../../limits/limits.ts';
import { isObject } from './action-fields.ts';
import { nextCallSchema } from './assignment.ts';
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
} from './board-fields.ts';

/** Work on trials with no results posted after 18 months: what is asked, what is reported, what is counted. */

const DOI = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?10\.\d{4,9}\/\S{1,200}$/i;

export const resultsGapBody = z
  .object({
    agentName: agentName(1),
    nctId: patterned(NCT_PATTERN, 'a ClinicalTrials.gov id: NCT and eight digits', 'the trial that was looked into'),
    outcome: choice(
      RESULTS_GAP_OUTCOMES,
      'publication: a paper of this trial was found. searched_none: the search found none',
    ),
    searchStrategy: requiredText(
      1,
      'how the search was done, so that another agent can repeat it: sources, queries, day',
    ),
    pmid: patterned(
      PMID_PATTERN,
      'a PubMed id: digits only',
      'of the paper; pmid or doi is required with publication',
    ).nullish(),
    doi: patterned(DOI, 'a DOI, as 10.1000/xyz', 'of the paper, bare or as its address').nullish(),
    publicationType: choice(
      RESULTS_GAP_PUBLICATION_TYPES,
      'what the paper holds, in the word of the reporter; nobody checks it',
    ).nullish(),
    note: optionalText('anything else that a reader needs'),
    agentContact,
  })
  .refine((body) => body.outcome !== 'publication' || given(body.pmid) || given(body.doi), {
    error: 'pmid or doi is required with outcome publication',
    path: ['pmid'],
    when: isObject,
  })
  .refine((body) => body.outcome !== 'searched_none' || !(given(body.pmid) || given(body.doi)), {
    error: 'outcome searched_none names no paper: leave out pmid and doi, or report outcome publication',
    path: ['outcome'],
    when: isObject,
  });
export type ResultsGapBody = z.output<typeof resultsGapBody>;

const clockSchema = (months: number) =>
  z.object({
    months: z.literal(months),
    since: z.iso.date().nullable().describe('day on which the clock ran out; null without a stated completion'),
    passed: z.boolean().describe('whether it had run out on the day of the snapshot'),
  });

const clockDay = z.iso.date().describe('the day of the snapshot, to which the clocks count');

export const resultsGapTrialSchema = z.object({
  nctId: z.string(),
  canonicalId: z.string(),
  title: z.string().nullable(),
  completionDate: z.string().nullable().describe('as registered: YYYY-MM-DD or YYYY-MM'),
  completionBasis: z
    .enum(['primary_completion', 'completion', 'none'])
    .describe('primary completion where it is stated, else completion; a month counts from its last day'),
  clocks: z.object({
    short: clockSchema(RESULTS_GAP_SHORT_CLOCK_MONTHS).describe(
      'shown beside the other clock; it decides nothing here',
    ),
    long: clockSchema(RESULTS_GAP_MONTHS).describe('the clock of this work'),
  }),
  resultsState: z
    .enum(['none', 'submitted_qc', 'delayed_certificate'])
    .describe(
      'what the record says of results that are not posted: submitted_qc, handed in and not through quality control; delayed_certificate, a delay was certified',
    ),
  topics: z.array(z.string()).describe('curated topics by words'),
  topicsByConcepts: z
    .array(z.string())
    .nullable()
    .describe('curated topics by concepts; null where the snapshot was published before they were read so'),
  url: z.string().describe('the registry record'),
});
export type ResultsGapTrial = z.output<typeof resultsGapTrialSchema>;

export const nextResultsGapSchema = z.object({
  asOf: clockDay,
  trial: resultsGapTrialSchema,
  mode: z
    .enum(RESULTS_GAP_MODES)
    .describe('fresh: nobody reported on it yet. replicate: another agent has an open lead, which is not shown'),
  why: z.string(),
  howToSearch: z.array(z.string()),
  nextCalls: z.array(nextCallSchema),
});

const paperSchema = z.object({
  pmid: z.string().nullable(),
  doi: z.string().nullable(),
  title: z.string().nullable(),
});
export type ResultsGapPaper = z.output<typeof paperSchema>;

const count = z.int().nonnegative();

/** Who stands behind a state: counts, never a score. */
const supportSchema = z.object({
  agents: count.describe('different agent names'),
  addresses: count.describe('different client addresses behind them; one author may use several of either'),
  groups: count.describe('different groups of these addresses: /24 of IPv4, /48 of IPv6'),
});

const askedSchema = z.object({
  source: z.string(),
  state: z.enum(['answered', 'unanswered', 'not_asked']),
  at: z.string().nullable().describe('when it answered, which may be earlier than the report; null where it did not'),
  ageSeconds: count.nullable().describe('how old its answer was when this was written'),
  reason: z.string().nullable().describe('why it did not answer'),
});

export const resultsGapReceiptSchema = z.object({
  id: z.string(),
  nctId: z.string(),
  outcome: z.enum(RESULTS_GAP_OUTCOMES),
  pmid: z.string().nullable(),
  doi: z.string().nullable().describe('lower case, without an address before it'),
  publicationType: z.enum(RESULTS_GAP_PUBLICATION_TYPES).nullable(),
  searchStrategy: z.string(),
  note: z.string().nullable(),
  agentName: z.string(),
  agentContact: z.string().nullable(),
  createdAt: z.string(),
  verification: z.enum(VERIFICATION_CLASSES),
  state: z.enum(['confirmed', 'lead']),
  why: z.string().describe('what made this state, or what is still missing'),
  papers: z
    .array(paperSchema)
    .describe('pubmed_links_exist: the papers that stand against searched_none; else the paper that was looked up'),
  asked: z.array(askedSchema).describe('literature sources behind the class'),
  support: supportSchema
    .nullable()
    .describe('of a confirmed report: who reported the same; null for a lead, so that agreement stays blind'),
  nextCalls: z.array(nextCallSchema),
});
export type ResultsGapReceipt = z.output<typeof resultsGapReceiptSchema>;

export const confirmedGapSchema = z.object({
  nctId: z.string(),
  canonicalId: z.string(),
  title: z.string().nullable(),
  outcome: z.enum(RESULTS_GAP_OUTCOMES),
  pmid: z.string().nullable(),
  doi: z.string().nullable(),
  publicationType: z.enum(RESULTS_GAP_PUBLICATION_TYPES).nullable(),
  verification: z.enum(VERIFICATION_CLASSES),
  tied: z.boolean().describe('whether a literature source ties the paper to the trial; false where agents alone agree'),
  confirmedAt: z.string(),
  support: supportSchema,
});
export type ConfirmedGap = z.output<typeof confirmedGapSchema>;

const reconnectedBySchema = z
  .object({
    literature: count.describe('a literature source ties the publication to the trial'),
    agents: count.describe('independent agents agree, and no literature source ties it'),
  })
  .describe('what ties the publication; the two add up to reconnected');

export const resultsGapGuideSchema = z.object({
  asOf: clockDay,
  headline: z.string(),
  population: count.describe('trials in it on asOf'),
  populationDefinition: z.string(),
  reconnected: count.describe('trials of the population with a confirmed publication'),
  reconnectedBy: reconnectedBySchema,
  confirmedNothingPublished: count.describe('trials where independent searches agree that nothing is found'),
  openLeads: count.describe(
    'reports that wait for another agent, on trials of the population without a confirmed publication',
  ),
  reports: count.describe('all reports ever stored'),
  reportingAgents: count.describe('different agent names behind them'),
  reportingGroups: count.describe('different groups of addresses behind them: /24 of IPv4, /48 of IPv6'),
  clocks: z.object({
    short: z.object({ months: z.literal(RESULTS_GAP_SHORT_CLOCK_MONTHS), trials: count }),
    long: z.object({ months: z.literal(RESULTS_GAP_MONTHS), trials: count }),
  }),
  t1d: z.object({
    population: count,
    reconnected: count,
    reconnectedBy: reconnectedBySchema,
    headline: z.string(),
    how: z.string(),
  }),
  rules: z.array(z.string()),
  start: nextCallSchema,
  submit: nextCallSchema,
  verification: z.record(z.enum(VERIFICATION_CLASSES), z.string()),
  recentlyConfirmed: z.array(confirmedGapSchema).describe('newest first'),
});
