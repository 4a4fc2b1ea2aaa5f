import { ABROAD } from '../../../contract/fields/value-names.ts';
import { nearestNames } from '../../../contract/nearest-names.ts';
import { listTrialValues } from '../../../contract/operations/trials/trial-values.ts';
import { searchTrials } from '../../../contract/operations/trials/trials.ts';
import { type Html, html } from '../html.ts';
import { countryAddress } from '../kit/address.ts';
import { counted } from '../kit/parts.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { type Asked, FailedRead, type Reads } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { appliedFilters, searchAddress } from '../trials/search-asked.ts';
import { notHeld, SHOWN, subjectContent } from './subject.ts';

/** A country by any name or code of it; each leads to the one address with its common name. */
export const countryPage: Page = {
  id: 'page-country',
  async respond(request) {
    const { params } = request;
    const reads = request.reads.bare;
    const asked = params.name!;
    const found = await reads.attempt(searchTrials, { country: asked, sort: 'start', pageSize: SHOWN });
    if (found instanceof FailedRead) {
      if (found.status !== 400) throw found;
      return unknown(reads, asked);
    }
    const name = appliedFilters(found.meta.filters).country ?? asked;
    if (name !== asked) return redirect(countryAddress(name), 301);
    if (found.data.trials.length === 0) return unknown(reads, asked);
    const recruiting = { country: name, status: 'recruiting' };
    const open = await reads.attempt(searchTrials, { ...recruiting, siteStatus: 'recruiting', pageSize: 1 });
    return subjectContent(
      request,
      {
        title: name,
        filters: { country: name },
        counts: html`with <bdi>${name}</bdi> among the countries that a registry lists for them`,
        facets: ['condition', 'sponsor', 'phase'],
        notes: html`<p class="hint">A trial counts in each of its countries: numbers of countries never add up.</p>
${recruitingThere(recruiting, open, name)}
${!HOMES.includes(name) && html`<p class="hint">${ABROAD} <bdi>${name}</bdi> are not held here: trials that are registered only there are missing.</p>`}`,
      },
      { found, canonical: countryAddress(name) },
    );
  },
};

/** Countries of the two registries. */
const HOMES: readonly string[] = ['United States', 'United Kingdom'];

/** Trials that recruit at a site there, which are fewer than those of the country that recruit. */
function recruitingThere(
  filters: Record<string, string>,
  read: Asked<typeof searchTrials>,
  name: string,
): Html | false {
  if (read instanceof FailedRead) return false;
  const address = searchAddress({ ...filters, siteStatus: 'recruiting' });
  const total = read.meta.pagination?.totalItems ?? 0;
  return html`<p>Recruiting at a site in <bdi>${name}</bdi>, or by the trial’s own status where no site there states one: ${counted(total, total === 0 ? null : address)}.</p>`;
}

async function unknown(reads: Reads, name: string) {
  const values = await reads.attempt(listTrialValues, { field: 'country', limit: 100 });
  const near = nearValues(name, values, countryAddress);
  return notHeld({ name, kind: 'country', near, index: { title: 'See all countries', href: '/countries' } });
}

/** How unlike a name may be, as a share of its letters. */
const MOST_UNLIKE = 0.5;

/** Links to the values that are spelled most like a name; none where they could not be read. */
export function nearValues(
  name: string,
  read: Asked<typeof listTrialValues>,
  addressOf: (value: string) => string,
): Html[] {
  if (read instanceof FailedRead) return [];
  const { values } = read.data;
  const near = nearestNames(
    name,
    values.map(({ value }) => value),
    MOST_UNLIKE,
  );
  return near.map((value) => {
    const trials = values.find((one) => one.value === value)?.trials ?? 0;
    return html`<a href="${addressOf(value)}"><bdi>${value}</bdi></a> <span class="soft">${count(trials)}</span>`;
  });
}
