import { httpInput } from '../../../contract/interfaces/arguments.ts';
import { getTrialFacets } from '../../../contract/operations/trials/trial-facets.ts';
import { listTrialValues } from '../../../contract/operations/trials/trial-values.ts';
import { getTrialStats } from '../../../contract/operations/trials/trials.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { conditionAddress, countryAddress, sponsorAddress } from '../kit/address.ts';
import { type Column, counted, table } from '../kit/parts.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { searchAddress } from '../trials/search-asked.ts';
import type { FacetRecord } from '../trials/search-facets.ts';

/** Parts of the pages that list sponsors, conditions and countries. */

/** A name typed into the form of an index page; null where none is. */
export function nameAsked(query: URLSearchParams): string | null {
  const name = query.get('name')?.trim() ?? '';
  return name === '' ? null : name;
}

/** A form that leads to the page of a name. */
export function nameForm(path: string, { label, hint }: { label: string; hint: string }): Html {
  return html`<form class="search" action="${path}" method="get" aria-label="${label}">
<div class="query"><label for="name">${label}</label>
<div class="box"><input id="name" name="name" type="search" autocomplete="off" required aria-describedby="name-hint"><button type="submit">Go</button></div>
<p class="hint" id="name-hint">${hint}</p></div>
</form>`;
}

export interface Listed {
  name: string;
  /** Its page. */
  href: string;
  trials: number | null;
  /** The search that finds exactly so many. */
  trialsHref: string | null;
}

export function subjectTable(caption: string, head: string, rows: readonly Listed[]): Html {
  const columns: Column<Listed>[] = [
    [head, ({ name, href }) => html`<a href="${href}"><bdi>${name}</bdi></a>`],
    ['Trials', ({ trials, trialsHref }) => counted(trials, trialsHref), 'number'],
  ];
  return html`<div class="narrow">${table(caption, rows, columns)}</div>`;
}

const SPONSORS_ASKED = { facet: 'sponsor', pageSize: 50 } as const;

export const sponsorsPage: Page = {
  id: 'page-sponsors',
  async respond({ query, reads }) {
    const name = nameAsked(query);
    if (name !== null) return redirect(sponsorAddress(name));
    const { data } = await reads.read(getTrialFacets, SPONSORS_ASKED);
    return {
      main: html`<p>Who leads the most trials. Each name counts as the registries write it, in any case: one sponsor may be written in several ways, which a search for words of its name finds together.</p>
${nameForm('/sponsors', { label: 'Name of a sponsor', hint: 'Any words of it: Oxford, Novo Nordisk, Assistance Publique' })}
${facetTable('Sponsor', data.facets[0]!, sponsorAddress)}
<p><a href="/trials/by/sponsor">All sponsors</a></p>`,
      calls: [httpInput(getTrialFacets, SPONSORS_ASKED).path],
    };
  },
};

const CONDITIONS_ASKED = { facet: 'condition', pageSize: 50 } as const;

export const conditionsPage: Page = {
  id: 'page-conditions',
  async respond({ query, reads }) {
    const name = nameAsked(query);
    if (name !== null) return redirect(conditionAddress(name));
    const [stats, written] = await Promise.all([
      reads.attempt(getTrialStats),
      reads.attempt(getTrialFacets, CONDITIONS_ASKED),
    ]);
    return {
      main: html`${nameForm('/conditions', { label: 'Name of a condition', hint: 'For example: heart attack, asthma, type 2 diabetes. Other names lead to the same page.' })}
<h2>Topics</h2>
<p>Reviewed by hand: each is a set of diseases and words. A trial can be in several. The page of a topic says <a href="/conditions/heart-failure#ways">which number to use for what</a>.</p>
${stats instanceof FailedRead ? failedPart('The topics', stats) : subjectTable('Curated topics', 'Topic', stats.data.topics.map(topicRow))}
<h2>Conditions as registries write them</h2>
<p>Most trials first. The number counts trials with exactly this text, in any case; the page of a condition counts its other names and narrower kinds too. <a href="/trials/by/condition">All conditions</a></p>
${written instanceof FailedRead ? failedPart('The conditions', written) : facetTable('Condition', written.data.facets[0]!, conditionAddress)}`,
      calls: [getTrialStats.path, httpInput(getTrialFacets, CONDITIONS_ASKED).path],
    };
  },
};

/** The first values of a facet, each with its page. */
function facetTable(head: string, { values, total }: FacetRecord, addressOf: (name: string) => string): Html {
  const rows = values.map(({ value, title, trials, query }) => ({
    ...{ name: title, href: addressOf(value), trials },
    trialsHref: query === null ? null : searchAddress(query),
  }));
  return subjectTable(`The first ${count(rows.length)} of ${count(total)} ${head.toLowerCase()}s`, head, rows);
}

interface Topic {
  id: string;
  title: string;
  trials: number;
  trialsByConcepts: number | null;
}

/** By concepts, as the page of the topic counts; by words where the snapshot has no concepts. */
function topicRow({ id, title, trials, trialsByConcepts }: Topic) {
  const filters = trialsByConcepts === null ? { topic: id } : { topic: id, match: 'concepts' };
  const number = trialsByConcepts ?? trials;
  const trialsHref = number === 0 ? null : searchAddress(filters);
  return { name: title, href: conditionAddress(id), trials: number, trialsHref };
}

const SHOWN = 100;

export const countriesPage: Page = {
  id: 'page-countries',
  async respond({ query, reads }) {
    const name = nameAsked(query);
    if (name !== null) return redirect(countryAddress(name));
    const asked = { field: 'country', limit: SHOWN };
    const { data } = await reads.read(listTrialValues, asked);
    const rows = data.values.map(({ value, trials }) => ({
      ...{ name: value, href: countryAddress(value) },
      ...{ trials, trialsHref: searchAddress({ country: value }) },
    }));
    return {
      main: html`<p>The countries that registries list for their trials, most trials first. A trial counts in each of its countries: the numbers never add up.</p>
${nameForm('/countries', { label: 'Name or code of a country', hint: 'For example: UK, Czech Republic, KR' })}
${subjectTable(`${data.total > rows.length ? `The first ${rows.length} of ${count(data.total)} countries` : `${count(data.total)} countries`}`, 'Country', rows)}`,
      calls: [httpInput(listTrialValues, asked).path],
    };
  },
};
