import { dayNumber } from '../../snapshot/format/words/dates.ts';
import { registration, registryDate } from './registration.ts';
import type { Corpus } from './snapshot-tables.ts';

/** A corpus of three trials, one of both registries, for the tests of the serving image. */

export const day = (date: string): number => dayNumber({ date, precision: 'day' }).first;

const PACE_CT = registration('NCT00000026', {
  title: 'Gastro-oesophageal reflux in children with tumours.',
  conditions: ['Gastroesophageal Reflux', 'Neoplasms'],
  sponsorName: 'Acme  Pharma',
  sponsorClass: 'industry',
  status: 'completed',
  statusRaw: 'COMPLETED',
  recruitmentStatus: 'completed',
  phase: '1-2',
  studyType: 'interventional',
  enrollmentCount: 40,
  enrollmentType: 'actual',
  countries: ['United Kingdom'],
  interventions: [{ type: 'drug', name: 'Omeprazole', otherNames: ['Losec'], description: null }],
  eligibilityText: 'Inclusion: "any" child',
  aliases: ['NCT00000039'],
  dates: {
    start: registryDate('2020-02'),
    primaryCompletion: registryDate('2025-05'),
    completion: registryDate('2025-06-15'),
    firstPosted: registryDate('2020-01-10'),
    lastUpdated: registryDate('2026-03-05'),
  },
});
const PACE_UK = registration('ISRCTN12345678', {
  title: 'Reflux in children',
  conditions: ['neoplasms', 'gastroesophageal  reflux'],
  sponsorName: 'Royal Hospital',
  sponsorCodes: ['RG 0367-23'],
  status: 'running',
  recruitmentStatus: 'recruiting',
  phase: '2',
  studyType: 'interventional',
  enrollmentCount: 40,
  countries: ['United Kingdom', 'Ireland'],
  interventions: [{ type: null, name: null, otherNames: [], description: 'Acid blockers for a type 1 response' }],
  dates: {
    start: registryDate('2020-02-20'),
    completion: registryDate('2025-07-01'),
    firstPosted: registryDate('2020-01-10'),
    lastUpdated: registryDate('2026-02-01'),
  },
});
const DIABETES = registration('NCT00000052', {
  title: 'Type 1 diabetes and type 2 response',
  conditions: ['Type 1 Diabetes'],
  sponsorName: 'acme pharma',
  status: 'running',
  recruitmentStatus: 'recruiting',
  phase: '3',
  studyType: 'interventional',
  enrollmentCount: 100_000,
  resultsAvailable: true,
  dates: { firstPosted: registryDate('2026-11-01'), lastUpdated: registryDate('2026-03') },
});
const BARE = registration('ISRCTN87654323');

export const CORPUS: Corpus = {
  trials: [
    { canonicalId: 'wt_bbbbbbbbbbbb', aliases: ['wt_oldoldoldold'], registrations: [PACE_CT, PACE_UK] },
    { canonicalId: 'wt_aaaaaaaaaaaa', aliases: [], registrations: [DIABETES] },
    { canonicalId: 'wt_cccccccccccc', aliases: [], registrations: [BARE] },
  ],
  identifiers: [
    ...[PACE_CT, PACE_UK, DIABETES, BARE].map((record) => ({
      registry: record.registry,
      registrationId: record.id,
      type: record.registry === 'isrctn' ? ('isrctn' as const) : ('nct' as const),
      value: record.id,
      role: 'own' as const,
      field: 'id',
      rawValue: record.id,
      suspect: false,
      inIndex: true,
      resolvesTo: record.id,
    })),
    stated(PACE_UK.id, 'nct', PACE_CT.id, PACE_CT.id),
    stated(PACE_CT.id, 'eudract', '2008-005514-40', null),
    stated(PACE_UK.id, 'eudract', '2008-005514-40', null),
    stated(BARE.id, 'nct', 'NCT99999990', null),
  ],
  links: [
    { linkId: 'ln_one', from: PACE_UK, to: PACE_CT, direction: 'one-way', verdict: 'accepted', conflict: false },
    { linkId: 'ln_two', from: BARE, to: DIABETES, direction: 'one-way', verdict: 'rejected', conflict: true },
  ],
  relations: [{ from: BARE, to: DIABETES, reason: 'ambiguous', linkId: 'ln_two' }],
};

function stated(
  by: string,
  type: 'nct' | 'eudract',
  value: string,
  resolvesTo: string | null,
): Corpus['identifiers'][number] {
  return {
    registry: by.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn',
    registrationId: by,
    type,
    value,
    role: 'declared',
    field: 'secondaryIds',
    rawValue: value,
    suspect: false,
    inIndex: resolvesTo !== null,
    resolvesTo,
  };
}
