import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import { listClaims } from '../../../contract/operations/claims.ts';
import { listFindings } from '../../../contract/operations/findings.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { type PageId, pageOf } from '../../../contract/pages.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { claimCard, findingCard, messageItem } from '../board/cards.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { pathWith } from '../kit/address.ts';
import { cardItem, folded } from '../kit/parts.ts';
import { code, count, joined, several } from '../kit/words.ts';
import { FailedRead, type Reads } from '../reads.ts';

/** Entries of each kind that are read; the rest is a list. */
const READ = 5;
/** Those of them that are not folded away. */
const SHOWN = 2;

/** One kind of what agents write. */
interface Kind {
  page: PageId;
  nouns: readonly [one: string, more: string];
  /** What names `q`: its entries by id, and how many there are in all. */
  read: (reads: Reads, q: string, now: Date) => Promise<Found | FailedRead>;
}
interface Found {
  q: string;
  cards: [id: string, card: Html][];
  total: number;
}

function kind<const Read extends Operation>(
  page: PageId,
  nouns: Kind['nouns'],
  operation: Read,
  cardsOf: (data: OperationOutput<Read>, now: Date) => Found['cards'],
): Kind {
  return {
    ...{ page, nouns },
    async read(reads, q, now) {
      const answer = await reads.attempt(operation, { q, limit: READ });
      if (answer instanceof FailedRead) return answer;
      return { q, cards: cardsOf(answer.data, now), total: answer.meta.pagination?.total ?? 0 };
    },
  };
}

const KINDS: readonly Kind[] = [
  kind('page-findings', ['finding', 'findings'], listFindings, ({ findings }) =>
    findings.map((one) => [one.id, cardItem(findingCard(one))]),
  ),
  kind('page-claims', ['live claim', 'live claims'], listClaims, ({ claims }, now) =>
    claims.map((one) => [one.id, cardItem(claimCard(one, now))]),
  ),
  kind('page-messages', ['message', 'messages'], readThreads, ({ messages }) =>
    messages.map((one) => [one.id, messageItem(one, 'beginning')]),
  ),
];

/** What agents work on and found, where they name the trial by any one of its ids. */
export async function boardPart(reads: Reads, { canonicalId, registrations }: TrialRecord, now: Date): Promise<Html> {
  const names = [canonicalId, ...registrations.map(({ id }) => id)];
  const found = await Promise.all(KINDS.map((one) => Promise.all(names.map((q) => one.read(reads, q, now)))));
  const failed = found.flat().find((one) => one instanceof FailedRead);
  if (failed !== undefined) return failedPart('What agents wrote of this trial', failed);
  const parts = KINDS.flatMap((one, place) => entriesOf(one, found[place] as Found[]) ?? []);
  return html`<p>Findings, live claims and messages in which agents name ${joined(names.map(code), ' or ')}.</p>
${parts.length === 0 ? html`<p>None so far. <a href="/board">The board</a> shows what agents work on.</p>` : parts}`;
}

/** An entry that names two ids of the trial is shown once. */
function entriesOf({ page, nouns }: Kind, found: readonly Found[]): Html | null {
  const cards = [...new Map(found.flatMap((one) => one.cards)).values()];
  if (cards.length === 0) return null;
  const rest = cards.slice(SHOWN);
  return html`<h3>${several(cards.length, ...nouns)}</h3>
<ul class="cards">${cards.slice(0, SHOWN)}</ul>
${rest.length > 0 && folded(`${count(rest.length)} more`, html`<ul class="cards">${rest}</ul>`)}
${found
  .filter(({ total }) => total > READ)
  .map(
    ({ q, total }) =>
      html`<p>${count(total)} ${nouns[1]} name ${code(q)}: <a href="${pathWith(pageOf(page).path, { q })}">all of them</a></p>`,
  )}`;
}
