import { httpInput } from '../../../contract/arguments.ts';
import { getTrialFacets } from '../../../contract/operations/trial-facets.ts';
import { Problem } from '../../../server-kit/problem.ts';
import { html } from '../html.ts';
import { chips } from '../kit/chips.ts';
import { counted } from '../kit/counted.ts';
import { table } from '../kit/table.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { redirect } from '../redirect.ts';
import { addressOf, appliedFilters, askedSearch, cleanAddress } from './search-asked.ts';
import { appliedChips } from './search-chips.ts';
import { FACET_NAMES, FACETS, facetAddress, valuesOf } from './search-facets.ts';

/** Every value of one facet of a search, at an address of its own. */
export const facetPage: Page = {
  id: 'page-trial-facet',
  async respond({ params, query, reads }) {
    const name = FACET_NAMES.find((one) => one === params.facet);
    if (name === undefined) throw new Problem('NOT_FOUND');
    const clean = cleanAddress(`/trials/by/${name}`, query);
    if (clean !== null) return redirect(clean);
    const { filters } = askedSearch(query);
    const { data, meta } = await reads.read(getTrialFacets, filters);
    const found = data.facets.find(({ filter }) => filter === name) ?? { filter: name, values: [], others: 0 };
    const applied = appliedFilters(meta.filters);
    const address = addressOf(applied, { sort: 'updated', view: 'list' });
    const { title, note } = FACETS[name];
    const values = valuesOf(found, name, address);
    return {
      title: `Trials by ${title.toLowerCase()}`,
      canonical: facetAddress(name, address),
      main: html`${chips('Of the trials with', appliedChips(applied, address, `/trials/by/${name}`))}
${note !== null && html`<p class="hint">${note}</p>`}
<div class="narrow">${table(`${count(values.length)} values, most trials first`, values, [
        { head: title, cell: (value) => (value.applied ? html`<strong><bdi>${value.title}</bdi></strong> (applied)` : html`<bdi>${value.title}</bdi>`) },
        { head: 'Trials', cell: (value) => counted(value.trials, value.href), number: true },
      ])}</div>
${found.others > 0 && html`<p>${count(found.others)} more values have fewer trials. Narrow the search to see them.</p>`}
<p><a href="/trials${address.size > 0 && `?${address}`}">Back to the trials</a></p>`,
      calls: [httpInput(getTrialFacets, applied).path],
    };
  },
};
