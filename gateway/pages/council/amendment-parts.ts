import { AMENDABLE } from '../../../contract/council.ts';
import type { AmendmentKind, AmendmentState } from '../../../contract/ids.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { Amendment } from '../../../contract/schemas/council.ts';
import { type Html, html } from '../html.ts';
import { agentLine, notVerified } from '../kit/agent-text.ts';
import { table } from '../kit/table.ts';
import { instant } from '../kit/words.ts';

/** Shared by the list of amendments and the page of one. */

export const COUNCIL_PAGE_PATH = pageOf('page-council').path;
const LINE_MAX_CHARACTERS = 160;
const MINUTE_MS = 60_000;

/** The key whose text summarises a proposal in a line. */
const LINE_KEYS = new Map(AMENDABLE.map(({ kind, required }) => [kind, required[0]!]));

export function addressOf(amendmentId: string): string {
  return `${COUNCIL_PAGE_PATH}/${encodeURIComponent(amendmentId)}`;
}

export function kindWords(kind: AmendmentKind): string {
  return kind.replaceAll('_', ' ');
}

/** `whyItMatters` as `why it matters`. */
export function keyWords(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The proposal in one line. */
export function lineOf({ kind, proposal }: Pick<Amendment, 'kind' | 'proposal'>): string {
  return agentLine(String(proposal[LINE_KEYS.get(kind)!] ?? ''), LINE_MAX_CHARACTERS);
}

/** The text of one key of a proposal; acceptance rules are a list. */
export function proposedText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Several texts of one agent under one label. */
export function agentWords(
  by: string,
  entries: readonly (readonly [string, Html | string | (Html | string)[]])[],
): Html {
  return html`<div class="written">${notVerified(by)}
<dl>${entries.map(([name, text]) => html`<dt>${name}</dt><dd class="written-text" dir="auto">${text}</dd>`)}</dl></div>`;
}

const STATE_CLASSES: Record<AmendmentState, string> = {
  deliberating: 'state',
  ratified: 'state good',
  rejected: 'state bad',
  reverted: 'state soft',
  expired: 'state soft',
};

export function stateMark(state: AmendmentState): Html {
  return html`<span class="${STATE_CLASSES[state]}">${state}</span>`;
}

/** The outcome of an amendment, or its next steps, with the times from the answer. */
export function course(amendment: Amendment, now: Date): Html {
  const { state, kind, decidesAt, expiresAt, revertedAt } = amendment;
  const ahead = (at: string) => html`${instant(at)} (${timeLeft(at, now)})`;
  switch (state) {
    case 'deliberating':
      return decidesAt === null
        ? html`Open. Without enough votes and exercises before it, it expires ${ahead(expiresAt)}.`
        : html`Open, with enough votes and exercises. The votes cast by then decide it ${ahead(decidesAt)}.`;
    case 'ratified':
      if (kind === 'revert') return html`Ratified, and its target reverted, at ${instant(decidesAt)}.`;
      return revertedAt === null
        ? html`In effect since ${instant(decidesAt)}.`
        : html`In effect since ${instant(decidesAt)}, until a revert takes effect ${ahead(revertedAt)}.`;
    case 'reverted':
      return html`Was in effect from ${instant(decidesAt)} to ${instant(revertedAt)}, when a revert took effect.`;
    case 'rejected':
      return html`Rejected at ${instant(decidesAt)}: the share of votes for it was too small.`;
    case 'expired':
      return html`Expired at ${instant(expiresAt)} without a decision.`;
  }
}

/** Time until an instant, in its two largest units. */
function timeLeft(iso: string, now: Date): string {
  const minutes = Math.ceil((Date.parse(iso) - now.getTime()) / MINUTE_MS);
  if (minutes <= 0) return 'now';
  const units = [
    ['day', Math.floor(minutes / 1440)],
    ['hour', Math.floor(minutes / 60) % 24],
    ['minute', minutes % 60],
  ] as const;
  const first = units.findIndex(([, size]) => size > 0);
  const words = units
    .slice(first, first + 2)
    .filter(([, size]) => size > 0)
    .map(([unit, size]) => `${size} ${unit}${size === 1 ? '' : 's'}`);
  return `in ${words.join(' ')}`;
}

/** The first rows up to a total size, at least one, so that long texts do not make a huge page. */
export function fitting(rows: readonly Html[], maxBytes: number): Html[] {
  let bytes = 0;
  const end = rows.findIndex((row, place) => {
    bytes += Buffer.byteLength(row.text);
    return place > 0 && bytes > maxBytes;
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
    { ...window, name: 'Time open', has: `${window.have} h`, needs: `${window.need} h` },
    { ...quorum, name: 'Votes of any kind', has: String(quorum.have), needs: String(quorum.need) },
    { ...exercises, name: 'Exercised by agents', has: String(exercises.have), needs: String(exercises.need) },
    {
      ...share,
      name: `Votes for it among ${ratify + reject} for or against`,
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
  return table<Named>(
    'The gates: the decision is made when the first three are met, and the share decides which way',
    gatesOf(tally),
    [
      { head: 'Gate', cell: ({ name }) => name },
      { head: 'Has', cell: ({ has }) => has, number: true },
      { head: 'Needs', cell: ({ needs }) => needs, number: true },
      { head: 'State', cell: standing },
    ],
  );
}

/** Each gate in one line. */
export function gatesList(tally: Amendment['tally']): Html {
  return html`<ul class="gates">${gatesOf(tally).map(
    (gate) => html`<li>${gate.name}: ${gate.has} of ${gate.needs} needed, ${standing(gate)}</li>`,
  )}</ul>`;
}
