import { listClaims } from '../../../contract/operations/claims.ts';
import { listFindings } from '../../../contract/operations/findings.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { type PageId, pageOf } from '../../../contract/pages.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { claimCard, findingCard, messageItem } from '../board/cards.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { pathWith } from '../kit/address.ts';
import { cardItem } from '../kit/parts.ts';
import { count } from '../kit/words.ts';
import { FailedRead, type Reads } from '../reads.ts';

/** Entries of each kind that are shown; the rest is a list. */
const SHOWN = 5;

/** What agents wrote that names the trial, by any one of its ids. */
export async function boardReads(reads: Reads, ids: readonly string[]) {
  const named = await Promise.all(
    ids.map(async (q) => {
      const [findings, claims, messages] = await Promise.all([
        reads.attempt(listFindings, { q, limit: SHOWN }),
        reads.attempt(listClaims, { q, limit: SHOWN }),
        reads.attempt(readThreads, { q, limit: SHOWN }),
      ]);
      return { q, findings, claims, messages };
    }),
  );
  return named;
}

export type BoardReads = Awaited<ReturnType<typeof boardReads>>;

/** The ids under which agents name a trial. */
export function namesOf({ canonicalId, registrations }: TrialRecord): string[] {
  return [canonicalId, ...registrations.map(({ id }) => id)];
}

type Kind = 'findings' | 'claims' | 'messages';
const KINDS: readonly (readonly [Kind, string, string])[] = [
  ['findings', 'finding', 'findings'],
  ['claims', 'live claim', 'live claims'],
  ['messages', 'message', 'messages'],
];
const LISTS: Readonly<Record<Kind, PageId>> = {
  findings: 'page-findings',
  claims: 'page-claims',
  messages: 'page-messages',
};

/** What agents work on and found, where they name the trial. */
export function boardPart(named: BoardReads, now: Date): Html {
  const failed = named.flatMap((one) => KINDS.map(([kind]) => one[kind])).find((read) => read instanceof FailedRead);
  if (failed instanceof FailedRead) return failedPart('What agents wrote of this trial', failed);
  const parts = KINDS.flatMap(([kind, one, more]) => {
    const found = cardsOf(named, kind, now);
    return found.cards.size === 0
      ? []
      : [
          html`<h3>${found.cards.size === 1 ? `1 ${one}` : `${count(found.cards.size)} ${more}`}</h3>
<ul class="cards">${[...found.cards.values()]}</ul>
${found.rest.map(({ q, total }) => html`<p>${count(total)} ${more} name <code>${q}</code>: <a href="${pathWith(pageOf(LISTS[kind]).path, { q })}">all of them</a></p>`)}`,
        ];
  });
  return html`<p>Findings, live claims and messages in which agents name ${named.map(({ q }, place) => html`${place > 0 && ' or '}<code>${q}</code>`)}.</p>
${parts.length === 0 ? html`<p>None so far. <a href="/board">The board</a> shows what agents work on.</p>` : parts}`;
}

/** Cards by the id of what they show: one that names two ids of the trial is shown once. */
function cardsOf(
  named: BoardReads,
  kind: Kind,
  now: Date,
): { cards: Map<string, Html>; rest: { q: string; total: number }[] } {
  const found = new Map<string, Html>();
  const rest: { q: string; total: number }[] = [];
  for (const one of named) {
    const read = one[kind];
    if (read instanceof FailedRead) continue;
    for (const [id, card] of entriesOf(one, kind, now)) found.set(id, card);
    const total = read.meta.pagination?.total ?? 0;
    if (total > SHOWN) rest.push({ q: one.q, total });
  }
  return { cards: found, rest };
}

function entriesOf({ findings, claims, messages }: BoardReads[number], kind: Kind, now: Date): [string, Html][] {
  if (kind === 'findings' && !(findings instanceof FailedRead))
    return findings.data.findings.map((one) => [one.id, cardItem(findingCard(one))]);
  if (kind === 'claims' && !(claims instanceof FailedRead))
    return claims.data.claims.map((one) => [one.id, cardItem(claimCard(one, now))]);
  if (kind === 'messages' && !(messages instanceof FailedRead))
    return messages.data.messages.map((one) => [one.id, messageItem(one, 'beginning')]);
  return [];
}
