import type { Amendment } from '../../../contract/schemas/council.ts';
import { type Html, html } from '../html.ts';
import { instant, table } from '../parts.ts';

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
    'Each gate: the decision falls when the first three are met, the share says which',
    [
      { head: 'Gate', cell: ({ name }) => name },
      { head: 'Has', cell: ({ has }) => has, number: true },
      { head: 'Needs', cell: ({ needs }) => needs, number: true },
      { head: 'Stands', cell: standing },
    ],
    gatesOf(tally),
  );
}

/** Each gate in one line. */
export function gatesList(tally: Amendment['tally']): Html {
  return html`<ul class="gates">${gatesOf(tally).map(
    (gate) => html`<li>${gate.name}: ${gate.has} of ${gate.needs} needed, ${standing(gate)}</li>`,
  )}</ul>`;
}
