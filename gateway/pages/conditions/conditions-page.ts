import { httpInput } from '../../../contract/arguments.ts';
import { getTrialFacets } from '../../../contract/operations/trial-facets.ts';
import { getTrialStats } from '../../../contract/operations/trials.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { count } from '../kit/words.ts';
import type { Page } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { redirect } from '../redirect.ts';
import { nameAsked, nameForm, subjectTable } from '../subjects/subject-index.ts';
import { searchAddress } from '../trials/search-asked.ts';
import type { FacetRecord } from '../trials/search-facets.ts';
import { conditionAddress } from './condition-page.ts';

const ASKED = { facet: 'condition', pageSize: 50 } as const;

export const conditionsPage: Page = {
  id: 'page-conditions',
  async respond({ query, reads }) {
    const name = nameAsked(query);
    if (name !== null) return redirect(conditionAddress(name));
    const [stats, written] = await Promise.all([reads.attempt(getTrialStats), reads.attempt(getTrialFacets, ASKED)]);
    return {
      title: 'Conditions',
      main: html`${nameForm('/conditions', { label: 'Name of a condition', hint: 'For example: heart attack, asthma, type 2 diabetes. Other names lead to the same page.' })}
<h2>Topics</h2>
<p>Reviewed by hand: each is a set of diseases and words. A trial can be in several. The page of a topic says <a href="/conditions/heart-failure#ways">which number to use for what</a>.</p>
${stats instanceof FailedRead ? failedPart('The topics', stats) : subjectTable('Curated topics', 'Topic', stats.data.topics.map(topicRow))}
<h2>Conditions as registries write them</h2>
<p>Most trials first. The number counts trials with exactly this text, in any case; the page of a condition counts its other names and narrower kinds too. <a href="/trials/by/condition">All conditions</a></p>
${written instanceof FailedRead ? failedPart('The conditions', written) : writtenTable(written.data.facets[0]!)}`,
      calls: [getTrialStats.path, httpInput(getTrialFacets, ASKED).path],
    };
  },
};

function writtenTable({ values, total }: FacetRecord): Html {
  return subjectTable(
    `The first ${count(values.length)} of ${count(total)} conditions`,
    'Condition',
    values.map(({ title, trials, query }) => ({
      ...{ name: title, href: conditionAddress(title), trials },
      trialsHref: query === null ? null : searchAddress(query),
    })),
  );
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
