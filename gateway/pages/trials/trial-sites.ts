import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import { type Html, html } from '../html.ts';
import { countryAddress } from '../kit/address.ts';
import { chart } from '../kit/chart.ts';
import { counted, table } from '../kit/parts.ts';
import { count, several } from '../kit/words.ts';
import { countriesOf, NOWHERE, type SourcedSite, sitesOf, sitesPicture } from '../pictures/sites.ts';
import { named, trialAddress } from '../words/trials.ts';
import { type Extent, openIn } from './extent.ts';

interface SiteRequest {
  extent: Extent;
  /** Only sites of this country; null for all. */
  country: string | null;
}

/** Where a trial takes place: a map of what has coordinates, numbers by country, and every site by name. */
export function sites(trial: TrialRecord, { extent, country }: SiteRequest): Html {
  const all = sitesOf(trial);
  if (all.length === 0)
    return html`<p class="soft">Sites: not stated${trial.countries.length > 0 && '; the countries stand above'}.</p>`;
  if (country !== null) return ofCountry(trial, all, country, extent);
  return html`${map(trial, all)}
${listed(trial, all, extent)}`;
}

function byCountry(trial: TrialRecord, all: readonly SourcedSite[]): Html {
  const placed = new Map(countriesOf(all.filter(({ latitude }) => latitude !== null)));
  return table('Sites by country', countriesOf(all), [
    ['Country', ([name]) => countryLink(name)],
    ['Sites', ([name, number]) => counted(number, listAddress(trial, name)), 'number'],
    ['On the map', ([name]) => count(placed.get(name) ?? 0), 'number'],
  ]);
}

function countryLink(name: string): Html {
  return name === NOWHERE ? html`${name}` : html`<a href="${countryAddress(name)}"><bdi>${name}</bdi></a>`;
}

function listAddress({ canonicalId }: TrialRecord, country: string): string {
  return `${trialAddress(canonicalId)}?${new URLSearchParams({ part: 'sites', country })}`;
}

function map(trial: TrialRecord, all: readonly SourcedSite[]): Html {
  const picture = sitesPicture(trial);
  if (picture.draw === null)
    return html`<p class="soft">The registry gives no coordinates, so there is no map.</p>
<details><summary>Sites by country</summary>${byCountry(trial, all)}</details>`;
  return chart({
    picture,
    table: byCountry(trial, all),
  });
}

/** In the order of the countries of the trial. */
function listed({ countries }: TrialRecord, all: readonly SourcedSite[], extent: Extent): Html {
  const placeOf = ({ country }: SourcedSite): number => (country === null ? Infinity : countries.indexOf(country));
  const shown = extent.of(all.toSorted((a, b) => placeOf(a) - placeOf(b) || 0));
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
  return html`<p>${several(inIt.length, 'site', 'sites')} in ${countryLink(country)}. <a href="${trialAddress(trial.canonicalId)}?part=sites">All sites</a></p>
<ul>${extent.of(inIt).map((site) => html`<li>${place(site)}</li>`)}</ul>`;
}

function place({ facility, city, state, status, by }: SourcedSite): Html {
  const parts = [facility, city, state].filter((part) => part !== null);
  return html`<bdi>${parts.length === 0 ? 'a place without a name' : parts.join(', ')}</bdi>${status !== null && html` <span class="soft">(${named(status).toLowerCase()})</span>`}${by !== null && html` <span class="soft">, ${by}</span>`}`;
}
