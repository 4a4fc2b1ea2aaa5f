import { getHope, getMind, getTrends } from '../../../contract/operations/signals.ts';
import { pageOf } from '../../../contract/pages.ts';
import { apiCall } from '../api-call.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../page.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { feedsPart } from './feeds-part.ts';
import { askedFor, signalForm } from './form.ts';
import { hopePart, researchPart } from './hope-part.ts';
import { mindPart } from './mind-part.ts';
import { trendsPart } from './trends-part.ts';

/** Publications of feeds, and curated research: attention, never a count of trials. */
export const signalsPage: Page = {
  id: 'page-signals',
  async respond({ reads, pictures, query }) {
    const asked = askedFor(query);
    const { days, disease, cursor } = asked;
    const questions = { mind: { days, disease }, trends: { disease }, hope: { disease, cursor } };
    const [mind, trends, hope] = await Promise.all([
      reads.attempt(getMind, questions.mind),
      reads.attempt(getTrends, questions.trends),
      reads.attempt(getHope, questions.hope),
    ]);
    const refused = [mind, trends, hope].filter(
      (answer): answer is FailedRead => answer instanceof FailedRead && answer.status === 400,
    );
    const calls = [
      apiCall(getMind, questions.mind),
      apiCall(getTrends, questions.trends),
      apiCall(getHope, questions.hope),
    ];
    const content = { title: pageOf('page-signals').title, calls };
    const beginning = html`<p>What registries, regulators, funders, preprint servers, journals and news announce, sorted by published word lists and never by a model. It says what gets attention and money; it is no evidence and no count of trials.</p>
${signalForm(asked, refused)}`;
    if (refused.length > 0) return { ...content, status: 400, main: beginning };
    const part = <Data>(name: string, answer: Answered<Data> | FailedRead, show: (answer: Answered<Data>) => Html) =>
      answer instanceof FailedRead ? failedPart(name, answer) : show(answer);
    return {
      ...content,
      main: html`${beginning}
<section aria-labelledby="mind">
<h2 id="mind">Four capitals</h2>
${part('The mind signal', mind, (answer) => mindPart(answer, pictures))}
</section>
<section aria-labelledby="trends">
<h2 id="trends">Volume and momentum</h2>
${part('The trends signal', trends, (answer) => trendsPart(answer, pictures))}
</section>
<section aria-labelledby="hope">
<h2 id="hope">Running trials, beside the index</h2>
${part('The hope signal', hope, hopePart)}
</section>
${!(hope instanceof FailedRead) && researchPart(hope, asked, query)}
${!(mind instanceof FailedRead) && feedsPart(mind)}`,
    };
  },
};
