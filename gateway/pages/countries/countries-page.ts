import { httpInput } from '../../../contract/arguments.ts';
import { listTrialValues } from '../../../contract/operations/trial-values.ts';
import { html } from '../html.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { redirect } from '../redirect.ts';
import { nameAsked, nameForm, subjectTable } from '../subjects/subject-index.ts';
import { searchAddress } from '../trials/search-asked.ts';
import { countryAddress } from './country-page.ts';

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
      title: 'Countries',
      main: html`<p>The countries that registries list for their trials, most trials first. A trial counts in each of its countries: the numbers never add up.</p>
${nameForm('/countries', { label: 'Name or code of a country', hint: 'For example: UK, Czech Republic, KR' })}
${subjectTable(`${data.total > rows.length ? `The first ${rows.length} of ${count(data.total)} countries` : `${count(data.total)} countries`}`, 'Country', rows)}`,
      calls: [httpInput(listTrialValues, asked).path],
    };
  },
};
