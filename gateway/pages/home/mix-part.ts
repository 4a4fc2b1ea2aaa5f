import { barChart } from '../../../charts/bars.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { LandscapeRecord } from '../../../contract/schemas/counts.ts';
import type { DrawnPictures } from '../drawn-pictures.ts';
import { type Html, html } from '../html.ts';
import { addressWith, count, picture, share, table } from '../parts.ts';
import type { Answered } from '../reads.ts';
import { named } from '../trials/words.ts';

interface Mix {
  /** The search filter for this value. */
  filter: 'phase' | 'status';
  title: string;
  parts: readonly { value: string; trials: number }[];
}

const ROW_PX = 28;
const FRAME_PX = 72;

/** Trials by phase and by status, as pictures and as numbers that link to the trials. */
export function mixPart({ data, meta }: Answered<LandscapeRecord>, pictures: DrawnPictures): Html {
  const mixes: Mix[] = [
    { filter: 'phase', title: 'Trials by phase', parts: data.phases },
    { filter: 'status', title: 'Trials by status', parts: data.statuses },
  ];
  return html`<div class="pictures">${mixes.map(
    (mix) => html`<div>
${drawn(mix, meta.snapshot ?? '', pictures)}
${table(
  mix.title,
  [
    { head: mix.filter === 'phase' ? 'Phase' : 'Status', cell: ({ value }) => linked(mix.filter, value) },
    { head: 'Trials', cell: ({ trials }) => count(trials), number: true },
    { head: 'Share', cell: ({ trials }) => share(trials, data.trials), number: true },
  ],
  mix.parts,
)}
</div>
`,
  )}</div>`;
}

function linked(filter: Mix['filter'], value: string): Html {
  const address = addressWith(pageOf('page-trials').path, new URLSearchParams(), { [filter]: value });
  return html`<a href="${address}">${named(value)}</a>`;
}

function drawn({ filter, title, parts }: Mix, snapshot: string, pictures: DrawnPictures): Html {
  const told = parts.map(({ value, trials }) => `${named(value)}: ${count(trials)}`).join('; ');
  const svg = pictures.draw(`${snapshot} home ${filter}`, () =>
    barChart(
      {
        categories: parts.map(({ value }) => named(value)),
        series: [{ name: 'Trials', values: parts.map(({ trials }) => trials) }],
        unit: 'trials',
        lying: true,
      },
      { id: `mix-${filter}`, width: 560, height: parts.length * ROW_PX + FRAME_PX, label: `${title}. ${told}.` },
    ),
  );
  return picture(svg, title);
}
