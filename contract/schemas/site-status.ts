import { z } from 'zod';
import { RECRUITMENT_STATUSES } from '../vocabularies.ts';

/** What an answer says of sites, where a status and a place meet in a request: additions to the interface. */

const count = z.int().min(0);
const statuses = z.array(z.enum(RECRUITMENT_STATUSES));
const place = z
  .object({ country: z.string(), city: z.string() })
  .partial()
  .describe('the country (of siteCountry, else country) and the city of sitePlace; empty: anywhere');

export const sitesThereSchema = z.object({
  place,
  statuses: statuses.describe('of the sites there, or of the trial'),
  basis: z
    .enum(['site', 'trial'])
    .describe('site: the sites state them; trial: no site there states a status, so it is that of the trial'),
});
export type SitesThere = z.infer<typeof sitesThereSchema>;

export const siteStatusSchema = z.object({
  place,
  statuses: statuses.describe('those that siteStatus asks for, else those of status in which a trial goes on'),
  trials: count.describe('trials of this answer'),
  atSite: count.describe('trials with a site there that states one of the statuses'),
  byTrial: count.describe('trials there with one of the statuses, none of whose sites there states any'),
  call: z
    .string()
    .optional()
    .describe('path of the same request for these two alone; absent where these are all of them'),
});
export type SiteStatusRecord = z.infer<typeof siteStatusSchema>;
