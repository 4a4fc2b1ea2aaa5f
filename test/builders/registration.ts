import { FIELD_LIST } from '../../contract/fields/field-shapes.ts';
import type { Registration, RegistrationFields, RegistryDate } from '../../snapshot/format/registration.ts';

/** A registry date; its precision follows from its length. */
export function registryDate(date: string): RegistryDate {
  return { date, precision: date.length === 7 ? 'month' : 'day', type: null };
}

export function organisation(name: string): RegistrationFields['sponsors'][number] {
  return { name, class: 'unknown', classRaw: null, reference: null };
}

/** A site that states only its country and its city. */
export function site(country: string | null, city: string | null): RegistrationFields['sites'][number] {
  return { facility: null, city, state: null, country, status: null, latitude: null, longitude: null };
}

/**
 * A value of each field that states nothing: null where that is allowed, an empty list, or the last word of a
 * vocabulary.
 */
const NOTHING_STATED = Object.fromEntries(
  FIELD_LIST.filter(({ type }) => type !== 'date').map(({ name, type, words, null: absent }) => {
    if (absent !== undefined) return [name, null];
    if (type === 'word') return [name, words?.at(-1)];
    return [name, type === 'flag' ? false : type === 'text' ? '' : []];
  }),
) as Omit<RegistrationFields, 'dates'>;

type Given = Omit<Partial<Registration>, 'dates'> & { dates?: Partial<Registration['dates']> };

/** A registration that states only its id, its title and the given fields. */
export function registration(id: string, given: Given = {}): Registration {
  const registry = id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn';
  return {
    registry,
    id,
    url: registry === 'isrctn' ? `https://www.isrctn.com/${id}` : `https://clinicaltrials.gov/study/${id}`,
    aliases: [],
    payloadSha256: '0'.repeat(64),
    retrievedAt: '2026-11-20T03:15:00.000Z',
    sourceVersion: null,
    ...NOTHING_STATED,
    title: `Trial ${id}`,
    statusBasis: 'overallStatus',
    resultsBasis: 'hasResults',
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
