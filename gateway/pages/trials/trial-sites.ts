import { mapHeight, siteMap } from '../../../charts/site-map.ts';
import type { RegistryId } from '../../../contract/ids.ts';
import type { RegistrationFieldsRecord, TrialRecord } from '../../../contract/schemas/trial.ts';
import { column, type DrawnPicture } from '../../pictures/picture.ts';
import { countryAddress } from '../countries/country-page.ts';
import { type Html, html } from '../html.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { counted } from '../kit/counted.ts';
import { table } from '../kit/table.ts';
import { count } from '../kit/words.ts';
import { type Extent, openIn } from './extent.ts';
import { named, REGISTRY_NAMES, trialAddress } from './words.ts';

type Site = RegistrationFieldsRecord['sites'][number];

interface SourcedSite extends Site {
  /** The registry that lists it, where both list sites. */
  by: string | null;
  registry: RegistryId;
}

interface SiteRequest {
  extent: Extent;
  /** Only sites of this country; null for all. */
  country: string | null;
  pictures: DrawnPictures;
  snapshot: string;
}

const NOWHERE = 'a country that is not stated';

function sitesOf({ registrations }: TrialRecord): SourcedSite[] {
  const listing = registrations.filter(({ fields }) => fields.sites.length > 0);
  return listing.flatMap(({ registry, fields }) =>
    fields.sites.map((site) => ({ ...site, registry, by: listing.length > 1 ? REGISTRY_NAMES[registry] : null })),
  );
}

/** Where a trial takes place: a map of what has coordinates, numbers by country, and every site by name. */
export function sites(trial: TrialRecord, { extent, country, pictures, snapshot }: SiteRequest): Html {
  const all = sitesOf(trial);
  if (all.length === 0)
    return html`<p class="soft">Sites: not stated${trial.countries.length > 0 && '; the countries stand above'}.</p>`;
  if (country !== null) return ofCountry(trial, all, country, extent);
  return html`${map(trial, all, { pictures, snapshot })}
${listed(all, extent)}`;
}

function byCountry(trial: TrialRecord, all: readonly SourcedSite[]): Html {
  const placed = new Map(countriesOf(all.filter(({ latitude }) => latitude !== null)));
  return table('Sites by country', countriesOf(all), [
    { head: 'Country', cell: ([name]) => countryLink(name) },
    { head: 'Sites', cell: ([name, number]) => counted(number, listAddress(trial, name)), number: true },
    { head: 'On the map', cell: ([name]) => count(placed.get(name) ?? 0), number: true },
  ]);
}

function countriesOf(all: readonly SourcedSite[]): [string, number][] {
  const numbers = new Map<string, number>();
  for (const { country } of all) numbers.set(country ?? NOWHERE, (numbers.get(country ?? NOWHERE) ?? 0) + 1);
  return [...numbers].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
}

function countryLink(name: string): Html {
  return name === NOWHERE ? html`${name}` : html`<a href="${countryAddress(name)}"><bdi>${name}</bdi></a>`;
}

function listAddress({ canonicalId }: TrialRecord, country: string): string {
  return `${trialAddress(canonicalId)}?${new URLSearchParams({ part: 'sites', country })}`;
}

function map(
  trial: TrialRecord,
  all: readonly SourcedSite[],
  { pictures, snapshot }: Pick<SiteRequest, 'pictures' | 'snapshot'>,
): Html {
  const picture = sitesPicture(trial);
  if (picture.draw === null)
    return html`<p class="soft">The registry gives no coordinates, so there is no map.</p>
<details><summary>Sites by country</summary>${byCountry(trial, all)}</details>`;
  return chart(pictures, {
    key: `${snapshot} sites of ${trial.canonicalId}`,
    picture,
    table: byCountry(trial, all),
  });
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
    draw: placed.length === 0 ? null : (width, id) => siteMap(placed, { id, label, width, height: mapHeight(width) }),
  };
}

function listed(all: readonly SourcedSite[], extent: Extent): Html {
  const sorted = all.toSorted((a, b) =>
    (a.country ?? '~') < (b.country ?? '~') ? -1 : (a.country ?? '~') > (b.country ?? '~') ? 1 : 0,
  );
  const shown = extent.of(sorted);
  const groups = Map.groupBy(shown, ({ country }) => country ?? NOWHERE);
  const title =
    shown.length === all.length
      ? `Every site by name: ${count(all.length)}`
      : `Sites by name: ${count(shown.length)} of ${count(all.length)}`;
  return html`<details${openIn(extent)}><summary>${title}</summary>
${[...groups].map(([country, inIt]) => html`<h3><bdi>${country}</bdi></h3><ul>${inIt.map((site) => html`<li>${place(site)}</li>`)}</ul>`)}</details>`;
}

function ofCountry(trial: TrialRecord, all: readonly SourcedSite[], country: string, extent: Extent): Html {
  const inIt = all.filter((site) => (site.country ?? NOWHERE) === country);
  return html`<p>${count(inIt.length)} ${inIt.length === 1 ? 'site' : 'sites'} in ${countryLink(country)}. <a href="${trialAddress(trial.canonicalId)}?part=sites">All sites</a></p>
<ul>${extent.of(inIt).map((site) => html`<li>${place(site)}</li>`)}</ul>`;
}

function place({ facility, city, state, status, by }: SourcedSite): Html {
  const parts = [facility, city, state].filter((part) => part !== null);
  return html`<bdi>${parts.length === 0 ? 'a place without a name' : parts.join(', ')}</bdi>${status !== null && html` <span class="soft">(${named(status).toLowerCase()})</span>`}${by !== null && html` <span class="soft">, ${by}</span>`}`;
}
