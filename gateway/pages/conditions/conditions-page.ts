import { httpInput } from '../../../contract/arguments.ts';
import { listTrialValues } from '../../../contract/operations/trial-values.ts';
import { getTrialStats } from '../../../contract/operations/trials.ts';
import { failedPart } from '../failure.ts';
import { html } from '../html.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { nameAsked, nameForm, subjectTable } from '../subjects/subject-index.ts';
import { searchAddress } from '../trials/search-asked.ts';
import { conditionAddress } from './condition-page.ts';

const SHOWN = 50;

export const conditionsPage: Page = {
  id: 'page-conditions',
  async respond({ query, reads }) {
    const name = nameAsked(query);
    if (name !== null) return redirect(conditionAddress(name));
    const asked = { field: 'condition', limit: SHOWN };
    const [stats, values] = await Promise.all([reads.attempt(getTrialStats), reads.attempt(listTrialValues, asked)]);
    return {
      title: 'Conditions',
      main: html`${nameForm('/conditions', { label: 'Name of a condition', hint: 'For example: heart attack, asthma, type 2 diabetes. Other names lead to the same page.' })}
<h2>Topics</h2>
<p>Reviewed by hand: each is a set of diseases and words. A trial can be in several.</p>
${stats instanceof FailedRead ? failedPart('The topics', stats) : subjectTable('Curated topics', 'Topic', stats.data.topics.map(topicRow))}
<h2>Conditions as registries write them</h2>
<p>Most trials first. The number counts trials with exactly this text, in any case; the page of a condition counts its other names and narrower kinds too.</p>
${
  values instanceof FailedRead
    ? failedPart('The conditions', values)
    : subjectTable(
        `The first ${count(values.data.values.length)} of ${count(values.data.total)} conditions`,
        'Condition',
        values.data.values.map(({ value, trials }) => ({
          ...{ name: value, href: conditionAddress(value) },
          ...{ trials, trialsHref: searchAddress({ condition: value }) },
        })),
      )
}`,
      calls: [getTrialStats.path, httpInput(listTrialValues, asked).path],
    };
  },
};

interface Topic {
  id: string;
  title: string;
  trials: number;
  trialsByConcepts: number | null;
}

/** By concepts, as the page of the topic counts; by words where the snapshot has no concepts. */
function topicRow({ id, title, trials, trialsByConcepts }: Topic) {
  const filters = trialsByConcepts === null ? { topic: id } : { topic: id, match: 'concepts' };
  return {
    name: title,
    href: conditionAddress(id),
    trials: trialsByConcepts ?? trials,
    trialsHref: searchAddress(filters),
  };
}
