import type { Registration, RegistryDate } from '../../snapshot-format/registration.ts';

/** A registry date; its precision follows from its length. */
export function registryDate(date: string): RegistryDate {
  return { date, precision: date.length === 7 ? 'month' : 'day', type: null };
}

/** A registration that states nothing but its id and title, except for what is given. */
export function registration(id: string, given: Partial<Registration> = {}): Registration {
  const registry = id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn';
  return {
    registry,
    id,
    url: registry === 'isrctn' ? `https://www.isrctn.com/${id}` : `https://clinicaltrials.gov/study/${id}`,
    aliases: [],
    payloadSha256: '0'.repeat(64),
    retrievedAt: '2026-11-20T03:15:00.000Z',
    sourceVersion: null,
    title: `Trial ${id}`,
    officialTitle: null,
    acronym: null,
    status: 'unknown',
    recruitmentStatus: 'unknown',
    statusRaw: null,
    statusBasis: 'overallStatus',
    phase: 'not-stated',
    phaseRaw: null,
    studyType: 'unknown',
    studyTypeRaw: null,
    sponsorName: null,
    sponsorClass: 'unknown',
    sponsorClassRaw: null,
    enrollmentCount: null,
    enrollmentType: null,
    enrollmentRaw: null,
    enrollmentNote: null,
    countries: [],
    countriesRaw: [],
    conditions: [],
    interventions: [],
    primaryEndpoints: [],
    resultsAvailable: false,
    resultsBasis: 'hasResults',
    eligibilityText: null,
    ...given,
    dates: {
      start: null,
      primaryCompletion: null,
      completion: null,
      firstPosted: null,
      lastUpdated: null,
      resultsPosted: null,
      ...given.dates,
    },
  };
}
