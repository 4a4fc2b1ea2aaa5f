import { expect } from 'vitest';
import type { Cases } from './case.ts';

/** Parts of a trial of the sample corpus that both registries hold. */
const MERGED = { canonicalId: 'wt_r1r6vb1x9ja8', nct: 'NCT90000183' };

const CONTACTS = "Contacts are left out; the registry's record has them (citation.verifyAt)";

/** The sites that both registries list. */
const sites: Cases = {
  'the sites of a trial are read by country, a page at a time, with the registration that lists each': {
    operation: 'trials-sites',
    given: { id: MERGED.nct, country: 'ES', pageSize: 1 },
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
};

/** Parts of the payloads by JSON pointer. */
const payloads: Cases = {
  'a part of a payload comes as the registry wrote it, with the checksum of the whole; an XML payload has no such part':
    {
      operation: 'trials-detail',
      given: { canonicalId: MERGED.canonicalId, rawPath: '/protocolSection/identificationModule/nctId' },
      data: {
        raw: [
          {
            registration: MERGED.nct,
            checksum: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
            format: 'json',
            path: '/protocolSection/identificationModule/nctId',
            payload: '"NCT90000183"',
          },
        ],
      },
      meta: {
        notices: [
          CONTACTS,
          'rawPath=/protocolSection/identificationModule/nctId names nothing more: the payload of ISRCTN90531804 is XML, into which no JSON pointer leads; includeRaw=true without rawPath gives it whole.',
        ],
      },
    },
};

export const TRIAL_PART_CASES: Cases = { ...sites, ...payloads };
