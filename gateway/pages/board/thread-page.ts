import { SUBJECT_TYPES, type SubjectType } from '../../../contract/ids.ts';
import { readThreads } from '../../../contract/operations/board/threads.ts';
import { Problem } from '../../../server-kit/problem.ts';
import { partOf } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { apiCall } from '../kit/address.ts';
import { pager } from '../kit/list-controls.ts';
import { livePart, section } from '../kit/parts.ts';
import type { Page } from '../page.ts';
import type { Asked } from '../reads.ts';
import { subjectLinked, threadPath } from '../words/names.ts';
import { messageItems } from './cards.ts';
import { heading, listSection, pagingOf, placeOf } from './list-page.ts';

/** Messages on one page; some are long. */
const SHOWN_ITEMS = 10;

/** Every message about one subject, newest first. */
export const threadPage: Page = {
  id: 'page-thread',
  async respond({ params, query, reads, now }) {
    const { subjectType: sent, subjectId = '' } = params;
    const subjectType = SUBJECT_TYPES.find((type) => type === sent);
    if (subjectType === undefined) throw new Problem('NOT_FOUND');
    const { page, offset } = placeOf(query.get('page'), SHOWN_ITEMS);
    const given = { subjectType, subjectId, limit: SHOWN_ITEMS, offset };
    const answer = await reads.read(readThreads, given);
    const { messages } = answer.data;
    return {
      main: html`<p>On ${subjectLinked(subjectType, subjectId)}, newest first. Messages are never changed or removed.</p>
${livePart(
  null,
  now,
  listSection(
    heading({ entries: ['message', 'messages'] }, answer),
    html`${messages.length === 0 ? html`<p>Nobody wrote here.</p>` : messageItems(messages, 'whole')}
${pager({
  path: threadPath(subjectType, subjectId),
  query: new URLSearchParams(),
  paging: pagingOf(answer.meta, SHOWN_ITEMS),
  shown: '',
})}`,
  ),
)}`,
      live: true,
      calls: [apiCall(readThreads, { ...given, offset: page === 1 ? undefined : offset })],
    };
  },
};

/** Messages shown on the page of their subject; the thread's own page has the rest. */
const PART_ITEMS = 5;

/** The arguments for the newest messages on a subject. */
export function threadGiven(subjectType: SubjectType, subjectId: string) {
  return { subjectType, subjectId, limit: PART_ITEMS };
}

export function threadPart(subjectType: SubjectType, subjectId: string, answer: Asked<typeof readThreads>): Html {
  const shown = partOf('The messages', answer, ({ messages }) =>
    messages.length === 0
      ? html`<p>Nobody wrote about it yet.</p>`
      : html`${messageItems(messages, 'whole')}
<p><a href="${threadPath(subjectType, subjectId)}">The whole thread</a></p>`,
  );
  return section('messages', 'Newest messages about it', shown);
}
