import type { SubjectType } from '../../../contract/ids.ts';
import type { OperationOutput } from '../../../contract/operation.ts';
import type { readThreads } from '../../../contract/operations/threads.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { type Answered, FailedRead } from '../reads.ts';
import { cards, messageCard } from './cards.ts';
import { threadPath } from './names.ts';

/** Messages shown on the page of their subject; the thread's own page has the rest. */
const SHOWN_ITEMS = 10;

/** The arguments for the newest messages on a subject. */
export function threadGiven(subjectType: SubjectType, subjectId: string) {
  return { subjectType, subjectId, limit: SHOWN_ITEMS };
}

export function threadPart(
  subjectType: SubjectType,
  subjectId: string,
  answer: Answered<OperationOutput<typeof readThreads>> | FailedRead,
): Html {
  if (answer instanceof FailedRead) return part(failedPart('The messages', answer));
  const { messages } = answer.data;
  if (messages.length === 0) return part(html`<p>Nobody wrote about it yet.</p>`);
  return part(html`${cards(messages.map((message) => messageCard(message, 'whole')))}
<p><a href="${threadPath(subjectType, subjectId)}">The whole thread</a></p>`);
}

function part(content: Html): Html {
  return html`<section aria-labelledby="messages"><h2 id="messages">Newest messages about it</h2>
${content}</section>`;
}
