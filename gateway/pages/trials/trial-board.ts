import { type PageId, pageOf } from '../../../contract/interfaces/pages.ts';
import { NAMED_TRIAL_MAX_IDS } from '../../../contract/limits/limits.ts';
import type { Operation, OperationOutput } from '../../../contract/operation.ts';
import { listClaims } from '../../../contract/operations/board/claims.ts';
import { listFindings } from '../../../contract/operations/board/findings.ts';
import { readThreads } from '../../../contract/operations/board/threads.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
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
  /** What names one of these ids: the newest entries, and how many there are in all; null where messages are too many to count. */
  read: (reads: Reads, trialId: string, now: Date) => Promise<Found | FailedRead>;
}
interface Found {
  cards: Html[];
  total: number | null;
}

function kind<const Read extends Operation>(
  page: PageId,
  nouns: Kind['nouns'],
  operation: Read,
  cardsOf: (data: OperationOutput<Read>, now: Date) => Found['cards'],
): Kind {
  return {
    ...{ page, nouns },
    async read(reads, trialId, now) {
      const answer = await reads.attempt(operation, { trialId, limit: READ });
      if (answer instanceof FailedRead) return answer;
      return { cards: cardsOf(answer.data, now), total: answer.meta.pagination?.total ?? null };
    },
  };
}

const KINDS: readonly Kind[] = [
  kind('page-findings', ['finding', 'findings'], listFindings, ({ findings }) =>
    findings.map((one) => cardItem(findingCard(one))),
  ),
  kind('page-claims', ['live claim', 'live claims'], listClaims, ({ claims }, now) =>
    claims.map((one) => cardItem(claimCard(one, now))),
  ),
  kind('page-messages', ['message', 'messages'], readThreads, ({ messages }) =>
    messages.map((one) => messageItem(one, 'beginning')),
  ),
];

/** What agents work on and found, where they name the trial by any one of its ids. */
export async function boardPart(reads: Reads, { canonicalId, registrations }: TrialRecord, now: Date): Promise<Html> {
  const names = [canonicalId, ...registrations.map(({ id }) => id)].slice(0, NAMED_TRIAL_MAX_IDS);
  const trialId = names.join(',');
  const found = await Promise.all(KINDS.map((one) => one.read(reads, trialId, now)));
  const failed = found.find((one) => one instanceof FailedRead);
  if (failed !== undefined) return failedPart('What agents wrote of this trial', failed);
  const parts = KINDS.flatMap((one, place) => entriesOf(one, trialId, found[place] as Found) ?? []);
  return html`<p>Findings, live claims and messages in which agents name ${joined(names.map(code), ' or ')}.</p>
${parts.length === 0 ? html`<p>None so far. <a href="/board">The board</a> shows what agents work on.</p>` : parts}`;
}

function entriesOf({ page, nouns }: Kind, trialId: string, { cards, total }: Found): Html | null {
  if (cards.length === 0) return null;
  const rest = cards.slice(SHOWN);
  return html`<h3>${total === null ? `Many ${nouns[1]}` : several(total, ...nouns)}</h3>
<ul class="cards">${cards.slice(0, SHOWN)}</ul>
${rest.length > 0 && folded(`${count(rest.length)} more`, html`<ul class="cards">${rest}</ul>`)}
${total !== cards.length && html`<p><a href="${pathWith(pageOf(page).path, { trialId })}">All ${nouns[1]} that name the trial</a></p>`}`;
}
