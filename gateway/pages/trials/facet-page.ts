import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { getTrialFacets } from '../../../contract/operations/trials/trial-facets.ts';
import { FACETS, type Facet } from '../../../contract/schemas/trials/trial-facets.ts';
import { Problem } from '../../../server-kit/problem.ts';
import { type Html, html } from '../html.ts';
import { hiddenFields } from '../kit/form.ts';
import { chips, type FacetValue, pager } from '../kit/list-controls.ts';
import { counted, table } from '../kit/parts.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { redirect } from '../redirect.ts';
import { silentNotes } from './not-stated.ts';
import { addressOf, appliedChips, appliedFilters, askedSearch, cleanAddress } from './search-asked.ts';
import { FACET_WORDS, valuesOf } from './search-facets.ts';

/** So many rows stay below the length of a page on a phone. */
const PAGE_SIZE = 60;
/** Facets with so many values that a reader looks for one by its words. */
const SEARCHED: readonly Facet[] = ['country', 'condition', 'sponsor'];

/** Every value of one facet of a search, at an address of its own. */
export const facetPage: Page = {
  id: 'page-trial-facet',
  async respond({ params, query, reads }) {
    const facet = FACETS.find((one) => one === params.facet);
    if (facet === undefined) throw new Problem('NOT_FOUND');
    const path = `/trials/by/${facet}`;
    const clean = cleanAddress(path, query);
    if (clean !== null) return redirect(clean);
    const [text, page] = [query.get('text') ?? '', Number(query.get('page') ?? '1') || 1];
    const asked = { ...askedSearch(query).filters, facet, ...(text !== '' && { text }) };
    const { data, meta } = await reads.read(getTrialFacets, { ...asked, page, pageSize: PAGE_SIZE });
    const found = data.facets[0]!;
    const silent = (await silentNotes(reads, askedSearch(query).filters, { data, meta }))[facet];
    const applied = appliedFilters(meta.filters);
    const address = addressOf(applied, { sort: 'updated', view: 'list' });
    const { title, plural, note } = FACET_WORDS[facet];
    const here = new URLSearchParams([...address, ...(text === '' ? [] : [['text', text]])]);
    return {
      title: `Trials by ${title.toLowerCase()}`,
      crumbs: [['Trials', address.size === 0 ? '/trials' : `/trials?${address}`]],
      main: html`${chips('Of the trials with', appliedChips(applied, address, path))}
${(note ?? silent) !== undefined && html`<p class="hint">${note} ${silent}</p>`}
${SEARCHED.includes(facet) && textForm(path, { address, text, plural })}
${valueTable(found.total === 0 ? `No ${plural}` : `${count(found.total)} ${plural}`, title, valuesOf(found, address))}
${pager({
  path,
  query: here,
  paging: { page, pageSize: PAGE_SIZE, totalItems: found.total, hasMore: null },
  shown: `${count(found.values.length)} of ${count(found.total)} ${plural}`,
})}`,
      calls: [httpInput(getTrialFacets, { ...asked, pageSize: PAGE_SIZE, ...(page > 1 && { page }) }).path],
    };
  },
};

function valueTable(caption: string, head: string, values: readonly FacetValue[]): Html {
  const name = ({ title, applied }: FacetValue) =>
    applied ? html`<strong><bdi>${title}</bdi></strong> (applied)` : html`<bdi>${title}</bdi>`;
  return html`<div class="narrow">${table(caption, values, [
    [head, name],
    ['Trials', ({ trials, href, applied }) => counted(trials, applied ? null : href), 'number'],
  ])}</div>`;
}

interface TextForm {
  address: URLSearchParams;
  text: string;
  plural: string;
}

function textForm(path: string, { address, text, plural }: TextForm): Html {
  return html`<form class="search" action="${path}" method="get">
${hiddenFields([...address])}
<div class="query"><label for="text">Find among these ${plural}</label>
<div class="box"><input id="text" name="text" type="search" autocomplete="off" value="${text}"><button type="submit">Find</button></div></div>
</form>`;
}
