import { named, REGISTRY_NAMES } from '../../../contract/fields/value-names.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { mapHeight, siteMap } from '../../charts/site-map.ts';
import { column, type DrawnPicture } from '../kit/picture.ts';
import { count } from '../kit/words.ts';
import { trialAddress } from '../words/trials.ts';

type Site = RegistrationFieldsRecord['sites'][number];

export interface SourcedSite extends Site {
  /** The registry that lists it, where both list sites. */
  by: string | null;
  registry: RegistryId;
}

export const NOWHERE = 'a country that is not stated';

export function sitesOf({ registrations }: TrialRecord): SourcedSite[] {
  const listing = registrations.filter(({ fields }) => fields.sites.length > 0);
  return listing.flatMap(({ registry, fields }) =>
    fields.sites.map((site) => ({ ...site, registry, by: listing.length > 1 ? REGISTRY_NAMES[registry] : null })),
  );
}

export function countriesOf(all: readonly SourcedSite[]): [string, number][] {
  const numbers = new Map<string, number>();
  for (const { country } of all) numbers.set(country ?? NOWHERE, (numbers.get(country ?? NOWHERE) ?? 0) + 1);
  return [...numbers].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}

const COLUMNS = [
  column('country', 'Country', 'of the site'),
  column('facility', 'Facility', 'its name'),
  column('city', 'City', 'of the site'),
  column('state', 'State', 'or province'),
  column('status', 'Status', 'of the site, in words'),
  column('latitude', 'Latitude', 'in degrees, as the registry gives it, often that of the city', 'number'),
  column('longitude', 'Longitude', 'in degrees, as the registry gives it', 'number'),
  column('registry', 'Registry', 'that lists the site'),
  column('note', 'Note', 'why the site is not on the map; empty: it is'),
];

/** Every site of a trial, and a map of those with coordinates. */
export function sitesPicture(trial: TrialRecord): DrawnPicture {
  const all = sitesOf(trial);
  const placed = all.flatMap(({ latitude, longitude }) =>
    latitude === null || longitude === null ? [] : [{ latitude, longitude }],
  );
  const without = all.length - placed.length;
  const missing =
    without === 0
      ? 'Every site has coordinates.'
      : `${count(without)} of ${count(all.length)} sites ${without === 1 ? 'has' : 'have'} no coordinates and ${without === 1 ? 'is' : 'are'} not on a map.`;
  const label = `Map of ${count(placed.length)} sites in ${count(countriesOf(all).length)} countries; the list below names each.`;
  return {
    name: 'sites',
    own: { trial: trial.canonicalId },
    title: `Where it takes place: ${count(all.length)} ${all.length === 1 ? 'site' : 'sites'}`,
    definition: `Coordinates are the registry's, often those of the city; sites close together are one circle with their number. ${missing} Coarse outlines: Natural Earth, public domain.`,
    page: trialAddress(trial.canonicalId),
    columns: COLUMNS,
    rows: all.map(({ country, facility, city, state, status, latitude, longitude, registry }) => ({
      ...{ country, facility, city, state, latitude, longitude },
      status: status === null ? null : named(status),
      registry: REGISTRY_NAMES[registry],
      note: latitude === null || longitude === null ? 'the registry gives no coordinates' : null,
    })),
    draw: placed.length === 0 ? null : (width) => siteMap(placed, { label, width, height: mapHeight(width) }),
  };
}
