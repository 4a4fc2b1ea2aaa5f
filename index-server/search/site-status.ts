import { RECRUITMENT_STATUSES } from '../../contract/vocabularies.ts';
import { foldPlace, foldTerm, POSTING, type SiteParts, siteKey } from '../../snapshot/format/serving-columns.ts';
import { askedCountry } from '../../snapshot/format/words/countries.ts';

/**
 * Where a search asks for sites, and what it asks of their status. A trial that recruits may have closed its sites in one country, so
 * that its own status says nothing of a place.
 */

/** The place of a request, in the forms of posting keys. */
export interface SitePlace extends SiteParts {
  /** Whether `country` alone was asked for, which also has countries without a listed site. */
  isOfTrial: boolean;
}

interface PlaceFilters {
  country?: string | undefined;
  siteCountry?: string | undefined;
  sitePlace?: string | undefined;
}

/** A requirement of a search (filters.ts) that is made of posting keys alone. */
type KeyRequirement = string | { anyOf: KeyRequirement[] } | { allOf: KeyRequirement[] } | { not: KeyRequirement };

/** The city and the country that are asked for together are those of one site; the country of a site is meant before that of a trial. */
export function sitePlaceOf({ country, siteCountry, sitePlace }: PlaceFilters): SitePlace {
  const asked = siteCountry ?? country;
  return {
    country: asked === undefined ? undefined : foldTerm(askedCountry(asked) ?? asked),
    city: sitePlace === undefined ? undefined : foldPlace(sitePlace),
    isOfTrial: siteCountry === undefined && sitePlace === undefined,
  };
}

/** The key of the trials in a place; null where none is asked for. */
export function placeKey({ country, city, isOfTrial }: SitePlace): string | null {
  if (city !== undefined) return country === undefined ? POSTING.siteCity + city : siteKey({ country, city });
  if (country === undefined) return null;
  return (isOfTrial ? POSTING.country : POSTING.siteCountry) + country;
}

/** What a row must hold so that a site there states one of the statuses. */
export function statedThere(place: SiteParts, statuses: readonly string[]): KeyRequirement {
  return { anyOf: statuses.map((status) => siteKey({ ...place, status })) };
}

/** What a row must hold so that the trial's own status counts: no site there states one. */
export function standsForSites(place: SitePlace, statuses: readonly string[]): KeyRequirement {
  const key = placeKey(place);
  const own = { anyOf: statuses.map((status) => POSTING.recruitment + status) };
  return {
    allOf: [own, ...(key === null ? [] : [key]), { not: statedThere(place, RECRUITMENT_STATUSES) }],
  };
}

export function siteStatusRequirements(
  filters: PlaceFilters & { siteStatus?: string[] | undefined },
): KeyRequirement[] {
  const { siteStatus } = filters;
  if (siteStatus === undefined) return [];
  const place = sitePlaceOf(filters);
  return [{ anyOf: [statedThere(place, siteStatus), standsForSites(place, siteStatus)] }];
}
