import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { PHASES, RECRUITMENT_STATUSES, SPONSOR_CLASSES, STUDY_TYPES, TRIAL_STATUSES } from '../../vocabularies.ts';
import { registryAnswer, registryDataDay } from './registry-answer.ts';

/** A landscape against a version that was published before: an addition to the interface. */

const count = z.int().min(0);
const beforeAndNow = {
  before: count.describe('distinct trials of the same query in that version'),
  now: count,
  change: z
    .int()
    .nullable()
    .describe('null where a registry that the query covers answered in only one of both versions'),
};
const mix = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.object({ value: z.enum(values), ...beforeAndNow }));
const side = z.object({ state: registryAnswer, dataDay: registryDataDay });

export const landscapeAgainstSchema = z.object({
  version: z.string().describe('the version that is compared with; _meta.snapshot names the other'),
  createdAt: z.iso.datetime(),
  asOf: z.iso.date(),
  sameRules: z
    .boolean()
    .describe('false: other rules of deduplication held then, so that a part of a change can be theirs'),
  registries: z.array(z.object({ registry: z.enum(REGISTRY_IDS), before: side, now: side })),
  trials: z.object(beforeAndNow),
  phases: mix(PHASES),
  statuses: mix(TRIAL_STATUSES),
  recruitmentStatuses: mix(RECRUITMENT_STATUSES),
  studyTypes: mix(STUDY_TYPES),
  sponsorClasses: mix(SPONSOR_CLASSES),
});
export type LandscapeAgainst = z.infer<typeof landscapeAgainstSchema>;
