import { SUBJECT_TYPES } from '../../../contract/ids.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { Problem } from '../../../server-kit/problem.ts';
import { apiCall } from '../api-call.ts';
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { cards, messageCard } from './cards.ts';
import { subjectLinked, threadPath } from './names.ts';

/** Messages on one page; some are long. */
const SHOWN_ITEMS = 20;

/** Every message about one subject, newest first. */
export const threadPage: Page = {
  id: 'page-thread',
  async respond({ params, query, reads }) {
    const { subjectType: sent, subjectId = '' } = params;
    const subjectType = SUBJECT_TYPES.find((type) => type === sent);
    if (subjectType === undefined) throw new Problem('NOT_FOUND');
    const cursor = query.get('cursor') ?? undefined;
    const given = { subjectType, subjectId, limit: SHOWN_ITEMS, cursor };
    const { data, meta } = await reads.read(readThreads, given);
    const path = threadPath(subjectType, subjectId);
    const next = meta.pagination?.nextCursor ?? null;
    return {
      title: 'Messages',
      main: html`<p>On ${subjectLinked(subjectType, subjectId)}, newest first. Messages are never changed or removed.</p>
${data.messages.length === 0 ? html`<p>Nobody wrote here.</p>` : cards(data.messages.map((message) => messageCard(message, 'whole')))}
${
  (cursor !== undefined || next !== null) &&
  html`<nav aria-label="Pages of the thread"><ul class="pager">
${cursor !== undefined && html`<li><a href="${path}">Newest messages</a></li>`}
${next !== null && html`<li><a rel="next" href="${path}?${new URLSearchParams({ cursor: next }).toString()}">Older messages</a></li>`}
</ul></nav>`
}`,
      calls: [apiCall(readThreads, given)],
    };
  },
};
