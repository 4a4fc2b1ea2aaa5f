import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { GAP_CLOCKS } from '../../limits/limits.ts';
import { registryAnswer, registryDataDay } from './registry-answer.ts';
import { queryPartSchema } from './trial-facets.ts';

/** Shares of completed trials without posted results: an addition to the interface. */

export const GAP_GROUPS = ['disease', 'condition', 'sponsor', 'sponsorClass', 'year', 'phase', 'country'] as const;
export type GapGroup = (typeof GAP_GROUPS)[number];
export const GAP_SORTS = ['numerator', 'name'] as const;

const count = z.int().min(0);
const unknown = 'null while ClinicalTrials.gov never answered: unknown, never zero';

const shareFields = {
  numerator: count.nullable().describe(`trials of the denominator without posted results; ${unknown}`),
  denominator: count.nullable().describe(`trials whose results were due, posted or not; ${unknown}`),
  share: z.number().min(0).max(1).nullable().describe('numerator / denominator; null where there is no denominator'),
};
const overdue = {
  daysOverdue: z
    .object({ median: z.number(), longest: count })
    .nullable()
    .describe('days since the results of the trials in the numerator were due, on asOf; null where there are none'),
};
const lists = (what: string) => z.object({ numerator: queryPartSchema, denominator: queryPartSchema }).describe(what);

export const trialResultsGapSchema = z.object({
  asOf: z.iso.date().describe('the day of the snapshot, to which every clock counts'),
  definition: z.string().describe('what is counted, in words; to be shown with every share'),
  clock: z.enum(GAP_CLOCKS),
  months: z.int(),
  registry: z.literal('clinicaltrials_gov').describe('the one registry that is counted; none is ever added to it'),
  state: registryAnswer,
  dataDay: registryDataDay,
  held: count
    .nullable()
    .describe(`all registrations of ClinicalTrials.gov that this index holds, whatever the query; ${unknown}`),
  population: count
    .nullable()
    .describe(`completed interventional registrations of ClinicalTrials.gov among the matching trials; ${unknown}`),
  withoutDate: count.nullable().describe('those of them that state no date for the clock to run from: not counted'),
  notYetDue: count.nullable().describe('those whose months have not passed on asOf: not counted'),
  ...shareFields,
  ...overdue,
  queries: lists('filters of a search whose list has exactly the trials of this number'),
  clocks: z
    .array(
      z.object({
        clock: z.enum(GAP_CLOCKS),
        months: z.int(),
        ...shareFields,
        queries: lists('as above'),
        note: z.string().describe('how this number came to be'),
      }),
    )
    .describe('the same trials by each clock, so that no two numbers differ without a reason'),
  notCovered: z.array(
    z.object({
      registry: z.enum(REGISTRY_IDS),
      trials: count.nullable().describe('matching trials that ClinicalTrials.gov does not hold'),
      why: z.string(),
    }),
  ),
  groups: z
    .object({
      by: z.enum(GAP_GROUPS),
      definition: z.string(),
      exclusive: z.boolean().describe('false: a trial may be in several groups, so that they do not sum'),
      own: z.array(z.string()).describe('parameters of the request that a group replaces; every other filter stays'),
      queries: lists('filters that the list of every group has; add the query of the group'),
      total: count.describe('groups with a denominator'),
      values: z
        .array(
          z.object({
            value: z.string(),
            title: z.string(),
            query: queryPartSchema.nullable().describe('null where no filter can be sent for it'),
            ...shareFields,
            ...overdue,
          }),
        )
        .describe(
          'sorted by numerator or name, phases, classes and years in their own order: an order of numbers and no ranking of merit',
        ),
    })
    .nullable()
    .describe('null without by'),
});
export type TrialResultsGapRecord = z.infer<typeof trialResultsGapSchema>;
