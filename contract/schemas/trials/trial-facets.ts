import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { registryAnswer, registryDataDay } from './registry-answer.ts';

/** Which values the trials of a search have, and how many trials each finds: an addition to the interface. */

export const FACETS = [
  ...(['country', 'status', 'phase', 'startYear', 'condition', 'sponsorClass', 'sponsor'] as const),
  ...(['results', 'registry', 'modality'] as const),
] as const;
export type Facet = (typeof FACETS)[number];

const count = z.int().min(0);

/** Filters of a search by name, as they are sent. */
export const queryPartSchema = z.record(z.string(), z.string());

const facetSchema = z.object({
  facet: z.enum(FACETS),
  basis: z.enum(['registry', 'derived']).describe('derived: inferred, a judgement and no registry fact'),
  exclusive: z
    .boolean()
    .describe('true: a trial has at most one of the values; false: it may have several, so that they do not sum'),
  own: z.array(z.string()).describe('parameters that the query of a value replaces; every other filter stays'),
  trials: count.describe('distinct trials found without those parameters'),
  values: z
    .array(
      z.object({
        value: z.string(),
        title: z.string().describe('the value in words'),
        trials: count
          .nullable()
          .describe(
            'exactly what a search with this value finds; null: none is held, but a registry that the query covers never answered',
          ),
        query: queryPartSchema
          .nullable()
          .describe(
            'the filters that ask for it, to be sent in place of `own`; null where none can be sent, as for a name that is too long',
          ),
        applied: z.boolean().describe('whether the request asks for it already'),
      }),
    )
    .describe(
      'all values in the order of their vocabulary, years from the first to the last without gaps; of conditions, sponsors and countries those with the most trials first',
    ),
  total: count.describe('values there are'),
  others: z
    .object({
      values: count.describe('values that are not among those shown; `page` with `facet` lists them'),
      trials: count.nullable().describe('trials that have one of them; null where a trial may have several values'),
    })
    .nullable()
    .describe('null where all values are shown'),
});

export const trialFacetsSchema = z.object({
  asOf: z.iso.date().describe('the day of the snapshot'),
  trials: count.describe('distinct trials that match, as the coverage of the same query counts them'),
  registries: z.array(z.object({ registry: z.enum(REGISTRY_IDS), state: registryAnswer, dataDay: registryDataDay })),
  facets: z.array(facetSchema),
  pending: z
    .array(z.enum(FACETS))
    .describe(
      'facets that are left out because the labels of all trials are still being inferred, up to a minute after a new snapshot is served; `facet` waits for one of them; as a rule empty',
    ),
});
export type TrialFacetsRecord = z.infer<typeof trialFacetsSchema>;
