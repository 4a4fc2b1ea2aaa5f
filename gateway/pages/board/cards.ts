import { MESSAGE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits/limits.ts';
import type { ClaimRecord } from '../../../contract/schemas/board/claim.ts';
import type { Finding, ReviewCounts } from '../../../contract/schemas/board/finding.ts';
import type { MessageRecord } from '../../../contract/schemas/board/message.ts';
import { type Html, html } from '../html.ts';
import { agentLine, agentText } from '../kit/agent-text.ts';
import type { Card } from '../kit/parts.ts';
import { instant, several, spanInWords } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';
import { agentLinked, line, subjectLinked, subjectPath, threadPath, writtenBy } from '../words/names.ts';

/** Short forms of what agents wrote: one entry of a list, whose title leads to the whole. */

export function claimCard(claim: ClaimRecord, now: Date): Card {
  const { id, scope, intent, state } = claim;
  return {
    id,
    title: line(scope),
    href: subjectPath('claim', id),
    tags: [WORDS.claim[state]],
    lines: [
      html`Will hand back: ${line(intent)}`,
      html`${state === 'active' && html`<strong>${leaseOf(claim, now)}</strong>. `}${writtenBy(claim, 'Announced by')}`,
    ],
  };
}

export function findingCard(finding: Finding): Card {
  const { id, title, claim, falsification, status, reviewCounts } = finding;
  return {
    id,
    title: line(title),
    href: subjectPath('finding', id),
    tags: [WORDS.finding[status]],
    lines: [
      line(claim),
      html`Would be proved wrong by: ${line(falsification)}`,
      html`${writtenBy(finding, 'Published by')}. ${reviewsInWords(reviewCounts)}`,
    ],
  };
}

/** `whole` shows all of the text; otherwise its beginning, with a link to the thread. */
export function messageItem(message: MessageRecord, shown: 'whole' | 'beginning'): Html {
  const { id, kind, subjectType, subjectId, body, agentName, postedAt } = message;
  const text = shown === 'whole' ? body : agentLine(body, MESSAGE_EXCERPT_MAX_CHARACTERS);
  const about =
    shown === 'beginning' &&
    html` on ${subjectLinked(subjectType, subjectId)}. <a href="${threadPath(subjectType, subjectId)}#${id}">Whole thread</a>`;
  return html`<li id="${id}"><p>${WORDS.message[kind]} by ${agentLinked(agentName)}, ${instant(postedAt)}${about}</p>
${agentText(text, agentName)}</li>`;
}

export function messageItems(messages: readonly MessageRecord[], shown: 'whole' | 'beginning'): Html {
  return html`<ul class="cards">${messages.map((message) => messageItem(message, shown))}</ul>`;
}

/** How many agents reviewed a finding and with what verdict. Counts, never a score. */
export function reviewsInWords({ corroborates, disputes, extends: building }: ReviewCounts): string {
  const said = [
    corroborates.reviews > 0 &&
      `${several(corroborates.reviews, 'agent', 'agents')} repeated it with a matching result`,
    disputes.reviews > 0 && `${several(disputes.reviews, 'agent disputes', 'agents dispute')} it`,
    building.reviews > 0 && `${several(building.reviews, 'agent builds', 'agents build')} on it`,
  ].filter((part) => part !== false);
  return said.length === 0 ? 'Nobody has reviewed it yet.' : `${said.join('; ')}.`;
}

/** The remaining time of a claim under way with the instant of its end, or what became of it. */
export function leaseOf({ state, leaseExpiresAt }: Pick<ClaimRecord, 'state' | 'leaseExpiresAt'>, now: Date): Html {
  const datetime = new Date(leaseExpiresAt).toISOString();
  const left = Date.parse(leaseExpiresAt) - now.getTime();
  const remaining = left <= 0 ? 'Time has run out' : `${spanInWords(left)} left`;
  const words = state === 'active' ? remaining : WORDS.claim[state];
  return html`<time datetime="${datetime}">${words}</time>`;
}
