import { listTrialValues } from '../../../contract/operations/trial-values.ts';
import { searchTrials } from '../../../contract/operations/trials.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { FailedRead, type Reads } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { nearValues } from '../subjects/near-values.ts';
import { notHeld } from '../subjects/not-held.ts';
import { SHOWN, subjectContent } from '../subjects/subject.ts';
import { appliedFilters } from '../trials/search-asked.ts';

export function countryAddress(name: string): string {
  return `/countries/${encodeURIComponent(name)}`;
}

/** A country by any name or code of it; each leads to the one address with its common name. */
export const countryPage: Page = {
  id: 'page-country',
  async respond(request) {
    const { reads, params } = request;
    const asked = params.name!;
    const found = await reads.attempt(searchTrials, { country: asked, sort: 'start', pageSize: SHOWN });
    if (found instanceof FailedRead) {
      if (found.status !== 400) throw found;
      return unknown(reads, asked);
    }
    const name = appliedFilters(found.meta.filters).country ?? asked;
    if (name !== asked) return redirect(countryAddress(name), 301);
    if (found.data.trials.length === 0) return unknown(reads, asked);
    return subjectContent(
      request,
      {
        title: name,
        filters: { country: name },
        counts: html`with <bdi>${name}</bdi> among the countries that a registry lists for them`,
        facets: ['condition', 'sponsor', 'phase'],
        notes: html`<p class="hint">A trial counts in each of its countries: numbers of countries never add up.</p>`,
      },
      { found, canonical: countryAddress(name) },
    );
  },
};

async function unknown(reads: Reads, name: string) {
  const values = await reads.attempt(listTrialValues, { field: 'country', limit: 100 });
  return notHeld({
    name,
    kind: 'country',
    near: nearValues(name, values, countryAddress),
    index: { title: 'See all countries', href: '/countries' },
  });
}
