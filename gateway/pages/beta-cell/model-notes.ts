import type { OperationOutput } from '../../../contract/operation.ts';
import type { getBetaCellGuide } from '../../../contract/operations/twin-beta-cell.ts';
import { type Html, html } from '../html.ts';
import { table } from '../parts.ts';
import { type Answered, FailedRead } from '../reads.ts';

export type ReadGuide = Answered<OperationOutput<typeof getBetaCellGuide>> | FailedRead;

/** The parts of the model, from its guide, and links to read on. */
export function modelNotes(guide: ReadGuide): Html {
  return html`${!(guide instanceof FailedRead) && fromGuide(guide)}
<h2>Further</h2>
<ul>
<li><a href="/docs#beta-cell">The guide of this model</a> and <a href="/docs#beta-cell-run">its run over the API</a>, with the same bounds</li>
<li><a href="/docs#twin-experiment">Experiments</a>: a reaction network of your own, its arms and its uncertainties; <a href="/docs#twin-benchmark">benchmarks</a> compare two or three</li>
<li><a href="/docs#twin-explore">Explore</a>: what is registered around an assumption, by condition, stage and markers</li>
<li><a href="/docs#finding-submit">Publish a finding</a> with the hashes of a run, so that others can repeat it; <a href="/board">the board</a> shows what is there</li>
</ul>`;
}

function fromGuide({ data: { version, equations, rules, sources } }: Exclude<ReadGuide, FailedRead>): Html {
  return html`<h2>The model</h2>
<p>Version <code>${version}</code>. k is fitted (loss per week), h is fitted (stressed over functional mass at week 0), r is assumed (recovery per week), t is in weeks.</p>
${table(
  'Equations',
  [
    { head: 'Quantity', cell: ({ name }) => name },
    { head: 'Equation', cell: ({ equation }) => html`<code>${equation}</code>` },
    { head: 'Meaning', cell: ({ meaning }) => meaning },
  ],
  equations,
)}
<h3>Rules</h3>
<ul>${rules.map((rule) => html`<li>${rule}</li>`)}</ul>
<h3>Sources</h3>
<ul>${sources.map(({ title, url, use }) => html`<li><a href="${url}">${title}</a>: ${use}</li>`)}</ul>`;
}
