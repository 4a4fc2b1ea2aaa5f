import { z } from 'zod';
import { REGISTRY_IDS } from '../../ids.ts';
import { RECRUITMENT_STATUSES } from '../../vocabularies.ts';
import { siteSchema } from './registration-details.ts';

/** The sites of one trial: an addition to the interface. */

const count = z.int().min(0);

export const trialSitesSchema = z.object({
  canonicalId: z.string(),
  recruitmentStatus: z
    .enum(RECRUITMENT_STATUSES)
    .describe('of the trial as a whole; where it is unknown, what a site says of itself may be years old'),
  total: count.describe(
    'sites that its registrations list, before any filter; a place that both registries list counts twice',
  ),
  matching: count.describe('those that match every filter; the counts below are of these'),
  byCountry: z
    .array(z.object({ country: z.string().nullable().describe('null: not stated'), sites: count }))
    .describe('most sites first'),
  byStatus: z
    .array(
      z.object({
        status: z.string().nullable().describe('null: the registry states none, as ISRCTN never does'),
        sites: count,
      }),
    )
    .describe('most sites first'),
  sites: z
    .array(
      z.object({
        registry: z.enum(REGISTRY_IDS),
        registration: z.string().describe('the registration that lists it'),
        ...siteSchema.shape,
      }),
    )
    .describe('one page, in the order of the records'),
});
export type TrialSites = z.infer<typeof trialSitesSchema>;
