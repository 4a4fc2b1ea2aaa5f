import { foldTerm, POSTING } from '../../../snapshot/format/serving-columns.ts';
import { COUNTRY_NAMES } from '../../../snapshot/format/words/countries.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { compileFilters, type TrialFilters } from '../filters.ts';
import { readTrial } from '../hints/held-trial.ts';
import { matchingRows } from '../matching.ts';
import { pageOf, type RowSet } from '../row-set.ts';

export interface CountryRows {
  /** The name, folded. */
  folded: string;
  /** The trials that the filter `country` finds with the filters of sites that the request has. */
  rows: RowSet;
}

/** What of a request says where or of what status a site is; with `siteCountry` the place is the same whatever the country. */
export function siteFiltersOf({ siteCountry, sitePlace, siteStatus }: TrialFilters): TrialFilters | null {
  if (siteCountry !== undefined || (sitePlace ?? siteStatus) === undefined) return null;
  return { sitePlace, siteStatus };
}

/** Every country that a registration names. A site in the city or of the status that is asked for must lie in the country itself. */
export function rowsByCountry(image: SnapshotImage, asked: TrialFilters): CountryRows[] {
  const ofSites = siteFiltersOf(asked);
  return image.postingsFrom(POSTING.country).map(({ rest, posting }) => ({
    folded: rest,
    rows: ofSites === null ? posting : matchingRows(image, compileFilters({ ...ofSites, country: rest })),
  }));
}

const NAMES = new Map(COUNTRY_NAMES.map((name) => [foldTerm(name), name]));

/** The name as records have it; a place that no rule knows is read from one of its trials. */
export function countryName(image: SnapshotImage, folded: string): string {
  const known = NAMES.get(folded);
  const posting = image.posting(POSTING.country + folded);
  if (known !== undefined || posting === null) return known ?? folded;
  const [first] = pageOf(posting, 0, 1);
  const stated = readTrial(image, first as number).registrations.flatMap(({ fields }) => fields.countries);
  return stated.find((name) => foldTerm(name) === folded) ?? folded;
}
