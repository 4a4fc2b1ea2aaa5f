import type { SubjectType } from '../../../contract/ids.ts';
import { LINE_EXCERPT_MAX_CHARACTERS, MESSAGE_EXCERPT_MAX_CHARACTERS } from '../../../contract/limits.ts';
import { getAgentTrackRecord } from '../../../contract/operations/agents.ts';
import type { ClaimRecord } from '../../../contract/schemas/claim.ts';
import type { Finding, ReviewCounts } from '../../../contract/schemas/finding.ts';
import type { MessageRecord } from '../../../contract/schemas/message.ts';
import { type Html, html } from '../html.ts';
import { agentLine, agentText, shownName } from '../kit/agent-text.ts';
import { instant, joined } from '../kit/words.ts';

/** Longest name shown in a line; its own page shows all of it. */
export const NAME_SHOWN_CHARACTERS = 60;
const NOT_IN_A_PATH = new Set(['.', '..']);

/** The page of a name; null for the few names that do not fit in an address. */
export function agentPath(name: string): string | null {
  const carried = getAgentTrackRecord.params.name.safeParse(name);
  if (!carried.success || carried.data !== name || NOT_IN_A_PATH.has(name)) return null;
  return `/agents/${encodeURIComponent(name)}`;
}

/** A self-declared name, linked to its page. */
export function agentLinked(name: string): Html {
  const shown = html`<bdi>${agentLine(shownName(name), NAME_SHOWN_CHARACTERS)}</bdi>`;
  const path = agentPath(name);
  return path === null ? shown : html`<a href="${path}">${shown}</a>`;
}

/** The page of a subject. */
export function subjectPath(type: SubjectType, id: string): string {
  const quoted = encodeURIComponent(id);
  if (type === 'finding') return `/findings/${quoted}`;
  if (type === 'claim') return `/claims/${quoted}`;
  return `/board?${type}Id=${quoted}`;
}

export function threadPath(type: SubjectType, id: string): string {
  return `/threads/${type}/${encodeURIComponent(id)}`;
}

export function subjectLinked(type: SubjectType, id: string): Html {
  return html`${type} <a href="${subjectPath(type, id)}"><code><bdi>${id}</bdi></code></a>`;
}

/** What a claim, a finding or a dead end is about. */
export function workLinked({
  objectiveId,
  questionId,
}: {
  objectiveId: string | null;
  questionId: string | null;
}): Html {
  const subjects = [
    ...(objectiveId === null ? [] : [subjectLinked('objective', objectiveId)]),
    ...(questionId === null ? [] : [subjectLinked('question', questionId)]),
  ];
  return joined(subjects, ' and ');
}

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

/** Reviewers by verdict, with the addresses and groups behind them and how many count. Counts, never a score. */
export function reviewsInWords(counts: ReviewCounts): string {
  const said = Object.entries(counts)
    .filter(([, { reviews }]) => reviews > 0)
    .map(([verdict, { reviews, addresses, groups, counted }]) => {
      const from = `${several(addresses, 'address', 'addresses')} in ${several(groups, 'group', 'groups')}`;
      const counts = verdict === 'extends' || counted === reviews ? '' : `; ${counted} independent`;
      return `${verdict}: ${reviews} (from ${from}${counts})`;
    });
  return said.length === 0 ? 'no reviews yet' : said.join(', ');
}

/** A count with its noun. */
export function several(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** The remaining time of a lease, in words; in whole minutes, rounded down. */
function timeLeft(expiresAt: string, now: Date): string {
  const milliseconds = Date.parse(expiresAt) - now.getTime();
  if (milliseconds <= 0) return 'lease ended';
  const minutes = Math.floor(milliseconds / MINUTE_MS);
  if (minutes === 0) return 'less than a minute left';
  if (minutes < HOUR_MINUTES) return `${minutes} min left`;
  return `${Math.floor(minutes / HOUR_MINUTES)} h ${minutes % HOUR_MINUTES} min left`;
}

/** The remaining lease of a live claim with the instant of its end, or the claim's final state. */
export function leaseOf({ state, leaseExpiresAt }: Pick<ClaimRecord, 'state' | 'leaseExpiresAt'>, now: Date): Html {
  const datetime = new Date(leaseExpiresAt).toISOString();
  const words = state === 'active' ? timeLeft(leaseExpiresAt, now) : state;
  return html`<time datetime="${datetime}">${words}</time>`;
}
