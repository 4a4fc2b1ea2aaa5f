import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import type { TrialSites } from '../../contract/schemas/trials/trial-sites.ts';
import type { RECRUITMENT_STATUSES } from '../../contract/vocabularies.ts';
import { foldPlace, foldTerm } from '../../snapshot/format/serving-columns.ts';
import { askedCountry } from '../../snapshot/format/words/countries.ts';
import { indexKeys } from '../../snapshot/format/words/tokens.ts';

export type ListedSite = TrialSites['sites'][number];

export interface SiteFilters {
  country?: string | undefined;
  place?: string | undefined;
  facility?: string | undefined;
  status?: readonly (typeof RECRUITMENT_STATUSES)[number][] | undefined;
}

/** Every site of a trial, in the order of its registrations and of their records. */
export function sitesOfTrial({ registrations }: Pick<TrialRecord, 'registrations'>): ListedSite[] {
  return registrations.flatMap(({ registry, id, fields }) =>
    fields.sites.map((site) => ({ registry, registration: id, ...site })),
  );
}

/** The sites that match every filter. */
export function matchingSites(sites: readonly ListedSite[], filters: SiteFilters): ListedSite[] {
  const { country, place, facility, status } = filters;
  const tests: ((site: ListedSite) => boolean)[] = [];
  if (country !== undefined) {
    const asked = foldTerm(askedCountry(country) ?? country);
    tests.push((site) => site.country !== null && foldTerm(site.country) === asked);
  }
  if (place !== undefined) {
    const asked = foldPlace(place);
    tests.push((site) => [site.city, site.state].some((name) => name !== null && foldPlace(name) === asked));
  }
  if (facility !== undefined) {
    const words = indexKeys(facility);
    tests.push((site) => {
      const held = new Set(indexKeys(site.facility ?? ''));
      return words.every((word) => held.has(word));
    });
  }
  if (status !== undefined) {
    const asked: ReadonlySet<string> = new Set(status);
    tests.push((site) => asked.has(site.status ?? 'unknown'));
  }
  return sites.filter((site) => tests.every((test) => test(site)));
}

/** How many sites have each value, most sites first and then by the order of the records. */
export function countedBy<Name extends 'country' | 'status'>(
  sites: readonly ListedSite[],
  name: Name,
): (Record<Name, string | null> & { sites: number })[] {
  const groups = [...Map.groupBy(sites, (site): string | null => site[name])];
  return groups
    .map(([value, inIt]) => ({ [name]: value, sites: inIt.length }) as Record<Name, string | null> & { sites: number })
    .sort((a, b) => b.sites - a.sites);
}
