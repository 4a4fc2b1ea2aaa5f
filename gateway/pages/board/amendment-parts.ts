import { AMENDABLE } from '../../../contract/declared/council.ts';
import { pageOf } from '../../../contract/interfaces/pages.ts';
import type { Amendment } from '../../../contract/schemas/board/council.ts';
import { type Html, html } from '../html.ts';
import { agentLine, titleWith } from '../kit/agent-text.ts';
import { table } from '../kit/parts.ts';
import { instant, spanInWords } from '../kit/words.ts';
import { WORDS } from '../words/board.ts';

/** Shared by the list of amendments and the page of one. */

export const COUNCIL_PAGE_PATH = pageOf('page-council').path;
const LINE_MAX_CHARACTERS = 160;

/** The key whose text summarises a proposal in a line. */
const LINE_KEYS = new Map(AMENDABLE.map(({ kind, required }) => [kind, required[0]!]));

export function addressOf(amendmentId: string): string {
  return `${COUNCIL_PAGE_PATH}/${encodeURIComponent(amendmentId)}`;
}

/** `whyItMatters` as `Why it matters`. */
export function keyWords(key: string): string {
  const words = key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

type Headed = Pick<Amendment, 'kind' | 'proposal' | 'rationale'>;

/** The proposal in one line. */
function lineOf({ kind, proposal, rationale }: Headed): string {
  // What a revert would undo is an id, which says less than its reason.
  const line = kind === 'revert' ? rationale : String(proposal[LINE_KEYS.get(kind)!] ?? '');
  return agentLine(line, LINE_MAX_CHARACTERS);
}

/** The text of one key of a proposal; acceptance rules are a list. */
export function proposedText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The outcome of an amendment, or its next steps, with the times from the answer. */
export function course(amendment: Amendment, now: Date): Html {
  const { state, kind, decidesAt, expiresAt, revertedAt } = amendment;
  const ahead = (at: string) => {
    const left = Date.parse(at) - now.getTime();
    return html`${instant(at)} (${left <= 0 ? 'now' : `in ${spanInWords(left)}`})`;
  };
  switch (state) {
    case 'deliberating':
      return decidesAt === null
        ? html`Open for votes. Without enough votes and agents that tried it, it lapses ${ahead(expiresAt)}.`
        : html`Open for votes, with enough of them. The votes cast by then decide it ${ahead(decidesAt)}.`;
    case 'ratified':
      if (kind === 'revert') return html`Adopted, and what it undoes is undone, since ${instant(decidesAt)}.`;
      return revertedAt === null
        ? html`In effect since ${instant(decidesAt)}.`
        : html`In effect since ${instant(decidesAt)}, until another amendment undoes it ${ahead(revertedAt)}.`;
    case 'reverted':
      return html`Was in effect from ${instant(decidesAt)} to ${instant(revertedAt)}, when another amendment undid it.`;
    case 'rejected':
      return html`Rejected, ${instant(decidesAt)}: the share of votes for it was too small.`;
    case 'expired':
      return html`Lapsed, ${instant(expiresAt)}, without a decision.`;
  }
}

const ROWS_MAX = 8;

/** The first few rows, fewer where they are long, at least one: long texts must not make a huge page. */
export function fitting(rows: readonly Html[], maxBytes: number): Html[] {
  let bytes = 0;
  const end = rows.findIndex((row, place) => {
    bytes += Buffer.byteLength(row.text);
    return place > 0 && (bytes > maxBytes || place >= ROWS_MAX);
  });
  return rows.slice(0, end === -1 ? rows.length : end);
}

/** The state of an amendment at each gate, in the numbers and times of the answer; nothing is decided here. */

type Gate = Amendment['tally']['gates']['window'];

interface Named extends Gate {
  name: string;
  has: string;
  needs: string;
}

function gatesOf({ ratify, reject, gates }: Amendment['tally']): Named[] {
  const { window, quorum, exercises, share } = gates;
  return [
    { ...window, name: 'Hours open', has: String(window.have), needs: String(window.need) },
    { ...quorum, name: 'Votes', has: String(quorum.have), needs: String(quorum.need) },
    { ...exercises, name: 'Agents that tried it', has: String(exercises.have), needs: String(exercises.need) },
    {
      ...share,
      name: `Votes for it, among ${ratify + reject} for or against`,
      has: String(share.have),
      needs: String(share.need),
    },
  ];
}

function standing({ have, need, met, at }: Gate): Html {
  if (met) return html`<span class="good">met</span>${at !== null && html` at ${instant(at)}`}`;
  if (at !== null) return html`not yet; by the clock at ${instant(at)}`;
  return html`<span class="bad">${Math.max(0, need - have)} missing</span>`;
}

export function gatesTable(tally: Amendment['tally']): Html {
  return table<Named>('It is decided once the first three are reached; the last decides which way', gatesOf(tally), [
    ['What is needed', ({ name }) => name],
    ['So far', ({ has }) => has, 'number'],
    ['At least', ({ needs }) => needs, 'number'],
    ['State', standing],
  ]);
}

/** The gates in one line. */
export function gatesLine(tally: Amendment['tally']): string {
  return gatesOf(tally)
    .map(({ name, has, needs, met }) => `${name}: ${has} of ${needs}${met ? ', enough' : ''}`)
    .join('; ');
}

/** What an amendment changes, in a line: its kind and the agent's words for it. */
export function headingOf(amendment: Headed): string {
  return `${WORDS.amendmentKind[amendment.kind]}: ${lineOf(amendment)}`;
}

/** `headingOf` as the title of a page, in which the agent's words stand apart. */
export function titleOf(amendment: Headed): string {
  return titleWith(WORDS.amendmentKind[amendment.kind], lineOf(amendment));
}
