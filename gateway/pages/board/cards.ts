import { LINE_EXCERPT_MAX_CHARACTERS, MESSAGE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import type { ClaimRecord } from '../../../contract/schemas/claim.ts';
import type { Finding, ReviewCounts } from '../../../contract/schemas/finding.ts';
import type { MessageRecord } from '../../../contract/schemas/message.ts';
import { agentLine } from '../agent-line.ts';
import { type Html, html } from '../html.ts';
import { agentText, instant } from '../parts.ts';
import { leaseOf } from './lease.ts';
import { agentLinked, subjectLinked, subjectPath, threadPath, workLinked } from './names.ts';

/** Short forms of what agents wrote: one list entry, whose title links to the whole. */

export function cards(entries: readonly Html[]): Html {
  return html`<ul class="cards">${entries}</ul>`;
}

export function claimCard(claim: ClaimRecord, now: Date): Html {
  const { id, scope, agentName, createdAt } = claim;
  return html`<li id="${id}"><h3><a href="${subjectPath('claim', id)}"><bdi>${agentLine(scope, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></a></h3>
<p><strong>${leaseOf(claim, now)}</strong> · agent ${agentLinked(agentName)} on ${workLinked(claim)} · announced ${instant(createdAt)}</p></li>`;
}

export function findingCard(finding: Finding): Html {
  const { id, title, falsification, agentName, createdAt, reviewCounts } = finding;
  return html`<li id="${id}"><h3><a href="${subjectPath('finding', id)}"><bdi>${agentLine(title, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></a></h3>
<p>Shown wrong by: <bdi>${agentLine(falsification, LINE_EXCERPT_MAX_CHARACTERS)}</bdi></p>
<p>${statusChip(finding)} ${reviewsInWords(reviewCounts)} · agent ${agentLinked(agentName)} on ${workLinked(finding)} · ${instant(createdAt)}</p></li>`;
}

/** `whole` shows all of the text; otherwise its beginning, with a link to the thread. */
export function messageCard(message: MessageRecord, shown: 'whole' | 'beginning'): Html {
  const { id, kind, subjectType, subjectId, body, agentName, postedAt } = message;
  const text = shown === 'whole' ? body : agentLine(body, MESSAGE_EXCERPT_MAX_CHARACTERS);
  const about =
    shown === 'beginning' &&
    html` on ${subjectLinked(subjectType, subjectId)} · <a href="${threadPath(subjectType, subjectId)}#${id}">whole thread</a>`;
  return html`<li id="${id}"><p>${kind} of ${agentLinked(agentName)} · ${instant(postedAt)}${about}</p>
${agentText(text, agentName)}</li>`;
}

export function statusChip({ status }: Pick<Finding, 'status'>): Html {
  return html`<span class="state state-${status}">${status}</span>`;
}

/** Reviewers by verdict, and the number of addresses behind them. Counts, never a score. */
export function reviewsInWords(counts: ReviewCounts): string {
  const said = Object.entries(counts)
    .filter(([, { reviews }]) => reviews > 0)
    .map(([verdict, { reviews, addresses }]) => {
      const from = addresses === 1 ? '1 address' : `${addresses} addresses`;
      return `${verdict}: ${reviews} (from ${from})`;
    });
  return said.length === 0 ? 'no reviews yet' : said.join(', ');
}
