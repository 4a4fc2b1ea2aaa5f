import { z } from 'zod';
import type { EXPLORE_AGE_BANDS, EXPLORE_STAGES } from '../../declared/research.ts';
import { REGISTRY_IDS } from '../../ids.ts';
import { PHASES, TRIAL_STATUSES } from '../../vocabularies.ts';

const text = z.string();
const trials = z.int();

const mixSchema = {
  trials: trials.describe('distinct trials'),
  withResults: trials.describe('those with results that a registry itself holds'),
  statuses: z
    .array(z.object({ value: z.enum(TRIAL_STATUSES), trials }))
    .describe('every value, those without a trial too'),
  phases: z.array(z.object({ value: z.enum(PHASES), trials })),
};

export const explorationSchema = z.object({
  condition: z.object({
    term: text.describe('as it was sent; compared whole, in any case'),
    ...mixSchema,
    registrations: z
      .array(z.object({ registry: z.enum(REGISTRY_IDS), trials }))
      .describe('trials that hold a registration of it; never to be summed'),
  }),
  criteria: z
    .array(
      z.object({
        parameter: z.enum(['stage', 'ageBand', 'markers']),
        value: text,
        anyOf: z.array(text).describe('searches, in the syntax of q; at least one of them must match'),
        searchedIn: z.array(text),
        trials: trials.describe('trials of the condition that meet this criterion alone'),
      }),
    )
    .describe('how each parameter was read; empty where none was given'),
  narrowed: z
    .object(mixSchema)
    .describe('trials that meet the stage, the age band and any of the markers that were given, all at once'),
  examples: z
    .array(
      z.object({
        canonicalId: text,
        title: text.nullable(),
        status: z.enum(TRIAL_STATUSES),
        phase: z.enum(PHASES),
        registrations: z.array(text),
        url: text,
      }),
    )
    .describe('the first of the narrowed trials by title; the alphabet is no merit'),
  score: z.null(),
  plausibility: z.null(),
  whyNull: text,
  notHeld: z
    .array(text)
    .describe('what the index does not hold, and which counts therefore say less than they seem to'),
  words: z.object({ id: text, reviewed: z.iso.date() }).describe('the reviewed words of stage and ageBand'),
});
export type Exploration = z.infer<typeof explorationSchema>;
export type ExploreStage = (typeof EXPLORE_STAGES)[number];
export type ExploreAgeBand = (typeof EXPLORE_AGE_BANDS)[number];
