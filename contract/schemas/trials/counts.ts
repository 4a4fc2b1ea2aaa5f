import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { PHASES, RECRUITMENT_STATUSES, SPONSOR_CLASSES, STUDY_TYPES, TRIAL_STATUSES } from '../../vocabularies.ts';
import { landscapeAgainstSchema } from './landscape-against.ts';
import { modalityMixSchema } from './modality.ts';
import { registryAnswer, registryDataDay } from './registry-answer.ts';

/** Counts over a set of trials. A number about a registry that never answered is null, which is unknown, never zero. */

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const registryId = z.enum(REGISTRY_IDS);
const state = registryAnswer;

export const coverageSchema = z.object({
  distinct: count.describe('distinct trials: the only number to quote as a total'),
  registries: z.array(
    z.object({
      registry: registryId,
      state,
      dataDay: registryDataDay,
      registrations: count
        .nullable()
        .describe('registrations held of these trials; never to be summed across registries'),
      exclusive: count.nullable().describe('trials that only this registry holds'),
    }),
  ),
  inBoth: count.nullable().describe('trials that both registries hold; null while one of them is unanswered'),
  inflation: count.nullable().describe('by how many trials the sum over the registries is too large'),
  crossReferences: z
    .object({
      mutual: count.describe('trials in both registries that name each other'),
      oneWay: count.describe('trials in both registries where one registration names the other'),
      shared: count.describe(
        'trials in both registries by a EudraCT, EU CT or UTN number alone; the three sum to inBoth',
      ),
      conflicting: count.describe('trials touched by a link whose sides name different partners'),
      unresolved: count.describe('registry numbers declared for which no record is held'),
      trialsWithUnresolved: count,
    })
    .describe('how the two registries refer to each other among these trials'),
});
export type CoverageRecord = z.infer<typeof coverageSchema>;

const mix = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.object({ value: z.enum(values), trials: count }));

export const reportingGapSchema = z.object({
  registry: registryId,
  state,
  population: count.nullable().describe('completed interventional registrations of this registry'),
  withResults: count.nullable().describe('those with results held by the registry'),
  completionNotStated: count.nullable().describe('without results and without a completion date: no clock can run'),
  withoutResultsAfter12Months: count.nullable(),
  withoutResultsAfter18Months: count
    .nullable()
    .describe('no results posted 18 months after completion, on asOf; says nothing about any duty to post'),
});

export const landscapeSchema = z.object({
  asOf: z.iso
    .date()
    .describe('the day of the snapshot: windows of momentum and clocks of the reporting gap count to it, not to today'),
  trials: count,
  phases: mix(PHASES),
  statuses: mix(TRIAL_STATUSES),
  recruitmentStatuses: mix(RECRUITMENT_STATUSES),
  studyTypes: mix(STUDY_TYPES),
  sponsorClasses: mix(SPONSOR_CLASSES),
  sponsors: z.object({
    trialsWithSponsor: count,
    sponsors: count.describe('different names; case and white space folded, nothing more'),
    top: z.array(z.object({ name: z.string(), trials: count, share })),
    topShare: share.nullable(),
    hhi: share.nullable().describe('Herfindahl-Hirschman index: sum of squared shares'),
  }),
  enrollment: z.object({
    stated: count,
    notStated: count,
    lowerQuartile: z.number().nullable(),
    median: z.number().nullable(),
    upperQuartile: z.number().nullable(),
  }),
  momentum: z
    .array(
      z.object({
        days: z.union([z.literal(30), z.literal(90), z.literal(365)]),
        current: count,
        previous: count,
        change: z.int(),
        ended: z
          .boolean()
          .describe(
            'false: the data of a registry that the query covers ends before asOf, so current lacks trials and change is no decline; an addition to the interface',
          ),
      }),
    )
    .describe('trials first posted in so many days up to asOf, and in as many before those'),
  reportingGap: z
    .array(reportingGapSchema)
    .describe('each registry apart, never combined: they do not post results in the same sense'),
  fieldCompleteness: z.array(
    z.object({
      registry: registryId,
      state,
      registrations: count.nullable(),
      fields: z.array(z.object({ field: z.string(), stated: count, share: share.nullable() })).nullable(),
    }),
  ),
  modality: modalityMixSchema.optional().describe('only with include=modality or the filter modality'),
  against: landscapeAgainstSchema
    .optional()
    .describe('only with against: the same query in an earlier version; an addition to the interface'),
});
export type LandscapeRecord = z.infer<typeof landscapeSchema>;

export const statsSchema = z.object({
  corpus: coverageSchema,
  topics: z
    .array(
      z.object({
        id: z.string(),
        title: z.string(),
        trials: count.describe('by words, as the filter reads it by default'),
        trialsByConcepts: count
          .nullable()
          .describe('with match=concepts; null where the snapshot was published before topics were read so'),
      }),
    )
    .describe('curated topics; ids for the filter `topic`'),
});
export type StatsRecord = z.infer<typeof statsSchema>;
