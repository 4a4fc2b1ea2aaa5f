import { listClaims } from '../../../contract/operations/claims.ts';
import { listFindings } from '../../../contract/operations/findings.ts';
import { readThreads } from '../../../contract/operations/threads.ts';
import { type PageId, pageOf } from '../../../contract/pages.ts';
import type { TrialRecord } from '../../../contract/schemas/trial.ts';
import { claimCard, findingCard, messageItems } from '../board/cards.ts';
import { failedPart } from '../failure.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { cards } from '../kit/cards.ts';
import { counted } from '../kit/counted.ts';
import { FailedRead, type Reads } from '../reads.ts';

/** Entries of each kind that are shown; the rest is a call. */
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

/** A kind of entry: its words, the page of its list, and how it is shown. */
interface Kind {
  kind: 'findings' | 'claims' | 'messages';
  words: readonly [one: string, more: string];
  page: PageId;
}

const KINDS: readonly Kind[] = [
  { kind: 'findings', words: ['finding', 'findings'], page: 'page-findings' },
  { kind: 'claims', words: ['live announcement of work', 'live announcements of work'], page: 'page-claims' },
  { kind: 'messages', words: ['message', 'messages'], page: 'page-messages' },
];

/** What agents work on and found, where they name the trial. */
export function boardPart(named: BoardReads, now: Date): Html {
  const failed = named.flatMap((one) => KINDS.map(({ kind }) => one[kind])).find((read) => read instanceof FailedRead);
  if (failed instanceof FailedRead) return failedPart('What agents wrote of this trial', failed);
  const parts = KINDS.flatMap((kind) => {
    const shown = entriesOf(named, kind.kind, now);
    return shown === null
      ? []
      : [
          html`<h3>${kind.words[1]}</h3>
${shown}
${listsOf(named, kind)}`,
        ];
  });
  return html`<p>Findings, live announcements and messages in which agents name ${named.map(({ q }, place) => html`${place > 0 && ' or '}<code>${q}</code>`)}.</p>
${parts.length === 0 ? html`<p>None so far. <a href="/board">The board</a> shows what agents work on.</p>` : parts}`;
}

/** One that names two ids of the trial is shown once. */
function byId<Entry extends { id: string }>(found: readonly Entry[]): Entry[] {
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** The entries of a kind as its lists show them; null if there are none. */
function entriesOf(named: BoardReads, kind: Kind['kind'], now: Date): Html | null {
  if (kind === 'messages') {
    const found = named.flatMap(({ messages }) => (messages instanceof FailedRead ? [] : messages.data.messages));
    return found.length === 0 ? null : messageItems(byId(found), 'beginning');
  }
  const found =
    kind === 'findings'
      ? named.flatMap(({ findings }) => (findings instanceof FailedRead ? [] : findings.data.findings)).map(findingCard)
      : named
          .flatMap(({ claims }) => (claims instanceof FailedRead ? [] : claims.data.claims))
          .map((claim) => claimCard(claim, now));
  return found.length === 0 ? null : cards([...new Map(found.map((card) => [card.href, card])).values()]);
}

/** Links to the whole lists, where they are longer than what is shown. */
function listsOf(named: BoardReads, { kind, words, page }: Kind): Html[] {
  return named.flatMap((one) => {
    const read = one[kind];
    const total = read instanceof FailedRead ? 0 : (read.meta.pagination?.total ?? 0);
    if (total <= SHOWN) return [];
    const href = addressWith(pageOf(page).path, new URLSearchParams(), { q: one.q });
    return [html`<p>${counted(total, href)} ${words[1]} name <code>${one.q}</code></p>`];
  });
}
