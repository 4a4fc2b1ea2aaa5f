import { httpInput } from '../../../contract/arguments.ts';
import { getTrialFacets } from '../../../contract/operations/trial-facets.ts';
import { html } from '../html.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { redirect } from '../redirect.ts';
import { nameAsked, nameForm, subjectTable } from '../subjects/subject-index.ts';
import { searchAddress } from '../trials/search-asked.ts';
import { sponsorAddress } from './sponsor-page.ts';

const ASKED = { facet: 'sponsor', pageSize: 50 } as const;

export const sponsorsPage: Page = {
  id: 'page-sponsors',
  async respond({ query, reads }) {
    const name = nameAsked(query);
    if (name !== null) return redirect(sponsorAddress(name));
    const { data } = await reads.read(getTrialFacets, ASKED);
    const { values, total } = data.facets[0]!;
    const rows = values.map(({ value, title, trials, query: filters }) => ({
      ...{ name: title, href: sponsorAddress(value), trials },
      trialsHref: filters === null ? null : searchAddress(filters),
    }));
    return {
      title: 'Sponsors',
      main: html`<p>Who leads the most trials. Each name counts as the registries write it, in any case: one sponsor may be written in several ways, which a search for words of its name finds together.</p>
${nameForm('/sponsors', { label: 'Name of a sponsor', hint: 'Any words of it: Oxford, Novo Nordisk, Assistance Publique' })}
${subjectTable(`The first ${count(rows.length)} of ${count(total)} sponsors`, 'Sponsor', rows)}
<p><a href="/trials/by/sponsor">All sponsors</a></p>`,
      calls: [httpInput(getTrialFacets, ASKED).path],
    };
  },
};
