import { expect } from 'vitest';
import { type Case, one } from './case.ts';

/** One trial in both registries. */
const MERGED = { canonicalId: 'wt_r1r6vb1x9ja8', nct: 'NCT90000183' };

/** Sites of a trial of the sample corpus, which both registries list. */
export const SITE_CASES: readonly Case[] = [
  one(
    'the sites of a trial are read by country, a page at a time, with the registration that lists each',
    'trials-sites',
    { id: MERGED.nct, country: 'ES', pageSize: 1 },
    {
      data: {
        canonicalId: MERGED.canonicalId,
        recruitmentStatus: 'completed',
        total: 7,
        matching: 2,
        byCountry: [{ country: 'Spain', sites: 2 }],
        sites: [{ registration: MERGED.nct, facility: 'Invented Site 479', city: 'Málaga', country: 'Spain' }],
      },
      meta: { filters: { country: 'Spain' }, pagination: { totalItems: 2, returned: 1, hasMore: true } },
    },
  ),
  one(
    'a status says how many sites state none, which it cannot find',
    'trials-sites',
    { id: MERGED.canonicalId, status: 'recruiting' },
    {
      data: { total: 7, matching: 0, sites: [] },
      meta: {
        notices: [
          '7 of the 7 sites of this trial state no status of their own, so that status cannot find them; the trial as a whole is completed.',
          'None of the 7 sites of this trial matches every filter; leave one out.',
        ],
      },
    },
  ),
  one(
    'a place that no site is in is answered with those that are spelt most like it',
    'trials-sites',
    { id: MERGED.nct, place: 'Malga' },
    {
      data: { matching: 0 },
      meta: { notices: [expect.stringMatching(/spelt most like Malga: Málaga/)] },
    },
  ),
  one(
    'a country that nobody knows is refused, and no zero stands for it',
    'trials-sites',
    { id: MERGED.nct, country: 'Narnia' },
    { status: 400, code: 'INVALID_PARAM', parameter: 'country' },
  ),
];
