import { statusAsked } from '../../fields/registry-words.ts';
import {
  PAGE_NUMBER_MAX,
  QUERY_MAX_CHARACTERS,
  TRIAL_PAGE_DEFAULT_ITEMS,
  TRIAL_PAGE_MAX_ITEMS,
} from '../../limits/limits.ts';
import { defineOperation } from '../../operation.ts';
import { integerParameter, listParameter, textParameter } from '../../parameters.ts';
import { trialSitesSchema } from '../../schemas/trials/trial-sites.ts';
import { MEANT_STATUSES, RECRUITMENT_STATUSES } from '../../vocabularies.ts';
import { identifier } from './trials.ts';

export const getTrialSites = defineOperation({
  id: 'trials-sites',
  method: 'GET',
  path: '/api/v1/trials/{id}/sites',
  summary: 'Read the sites of a trial',
  description:
    'Where one trial takes place: every site that its registrations list, with its own status, by country, place and status, a page at a time, and how many there are in each country and status. Contacts of sites are not kept; the registry has them (citation.verifyAt of the trial). An addition to the interface.',
  whenToUse: 'To see where a trial takes place or recruits; the record of a trial with many sites is long.',
  next: ['trials-detail', 'trials-related'],
  server: 'index',
  names: { mcp: 'trials_sites', a2a: 'world_trial_sites', sdk: 'getTrialSites' },
  tool: {
    title: 'Where a trial takes place: its sites',
    description:
      'The sites (hospitals, centres, locations) of one trial: which are recruiting, in which country or city, and how many there are in each country.',
  },
  bucket: 'read',
  params: { id: identifier('Canonical id (wt_…) or a registry id.') },
  argumentNames: { id: 'canonicalId' },
  query: {
    country: textParameter(
      QUERY_MAX_CHARACTERS,
      'Only sites in this country: its English name, any name by which a registry lists it, or its ISO code of two or three letters, in any case.',
    ).optional(),
    place: textParameter(
      QUERY_MAX_CHARACTERS,
      'Only sites in this city, state or province, by its whole name, without regard to case and accents.',
    ).optional(),
    facility: textParameter(
      QUERY_MAX_CHARACTERS,
      'Only sites in the name of whose facility all of these words occur, as a search reads words.',
    ).optional(),
    status: listParameter(
      RECRUITMENT_STATUSES,
      "Only sites with one of these statuses of their own; unknown: the registry states none; ISRCTN never does, and ClinicalTrials.gov does so only of a study that recruits. A registry's own word is read too (RECRUITING).",
      { asked: statusAsked, meant: MEANT_STATUSES },
    ).optional(),
    page: integerParameter(1, PAGE_NUMBER_MAX, 'Page, from 1.').default(1),
    pageSize: integerParameter(1, TRIAL_PAGE_MAX_ITEMS, 'Sites a page.').default(TRIAL_PAGE_DEFAULT_ITEMS),
  },
  output: trialSitesSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE', 'TRIAL_NOT_FOUND'],
  cache: 'snapshot',
  example: '/api/v1/trials/{id}/sites?status=recruiting',
});

export const SITE_OPERATIONS = [getTrialSites] as const;
