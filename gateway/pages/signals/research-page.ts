import { getHope } from '../../../contract/operations/signals.ts';
import { pageOf } from '../../../contract/pages.ts';
import { failedPart } from '../failure.ts';
import { html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import type { Page } from '../page.ts';
import { FailedRead } from '../reads.ts';
import { hopePart, researchPart } from './hope-part.ts';
import { givenFor, KEYWORD_FIELD, refusalsOf, signalForm } from './signal-form.ts';

/** Curated research, and the running trials of one registry beside those of the index. */
export const researchPage: Page = {
  id: 'page-research',
  async respond({ reads, query }) {
    const given = givenFor(query, ['disease', 'cursor']);
    const hope = await reads.attempt(getHope, given);
    const refused = refusalsOf([hope]);
    const failed = hope instanceof FailedRead;
    const shown = failed
      ? refused.length === 0 && failedPart('The research', hope)
      : html`${researchPart(hope, given.cursor, query)}
<section aria-labelledby="running">
<h2 id="running">Running trials, beside the index</h2>
${hopePart(hope)}
</section>`;
    return {
      title: pageOf('page-research').title,
      ...(failed ? { status: hope.status } : {}),
      main: html`<p>Published work that people chose and reviewed, and how many trials run for each disease it is about. Attention to a disease is in <a href="/signals">the signals</a>.</p>
${signalForm('page-research', [KEYWORD_FIELD], given, refused)}
${shown}`,
      calls: [apiCall(getHope, given)],
    };
  },
};
