import { barChart } from '../../../charts/bars.ts';
import type { LandscapeRecord } from '../../../contract/schemas/counts.ts';
import { type Html, html } from '../html.ts';
import { type DrawnPictures, picture } from '../kit/chart.ts';
import { table } from '../kit/table.ts';
import { count, share } from '../kit/words.ts';
import { named } from './words.ts';

const WIDTH_PX = 820;
const BAR_PX = 24;
const AXES_PX = 100;
const CAPTION = 'Trials found by status and by phase';

interface Mix {
  name: 'Status' | 'Phase';
  values: readonly { value: string; trials: number }[];
}

/** The statuses and phases of the trials found, as one picture, because drawing is costly, and as tables. */
export function mixPicture(landscape: LandscapeRecord, snapshot: string, pictures: DrawnPictures): Html | false {
  if (landscape.trials === 0) return false;
  const present = (values: Mix['values']): Mix['values'] => values.filter(({ trials }) => trials > 0);
  const mixes: Mix[] = [
    { name: 'Status', values: present(landscape.statuses) },
    { name: 'Phase', values: present(landscape.phases) },
  ];
  const svg = pictures.draw(`${snapshot} trials-mix ${JSON.stringify(mixes)}`, () => drawn(mixes));
  return html`<section aria-labelledby="mix"><h2 id="mix">Status and phase</h2>
${picture(svg, `${CAPTION}. Each trial counts once among the statuses and once among the phases.`)}
<details><summary>The same numbers as tables</summary>
${mixes.map(({ name, values }) =>
  table(`Trials by ${name.toLowerCase()}`, values, [
    { head: name, cell: ({ value }) => named(value) },
    { head: 'Trials', cell: ({ trials }) => count(trials), number: true },
    { head: 'Share', cell: ({ trials }) => share(trials, landscape.trials), number: true },
  ]),
)}</details></section>`;
}

/** Statuses and phases on one axis, each as its own series. */
function drawn(mixes: readonly Mix[]): string {
  const bars = mixes.flatMap(({ name, values }) =>
    values.map(({ value, trials }) => ({ kind: name, name: barName(name, value), trials })),
  );
  return barChart(
    {
      categories: bars.map(({ name }) => name),
      series: mixes.map(({ name }) => ({ name, values: bars.map(({ kind, trials }) => (kind === name ? trials : 0)) })),
      unit: 'trials',
      lying: true,
      stacked: true,
    },
    {
      id: 'trials-mix',
      width: WIDTH_PX,
      height: AXES_PX + BAR_PX * bars.length,
      label: `${CAPTION}: ${bars.map(({ name, trials }) => `${name} ${count(trials)}`).join(', ')}`,
    },
  );
}

/** The name of a value among both statuses and phases. */
function barName(kind: Mix['name'], value: string): string {
  const name = named(value);
  return ['unknown', 'not-stated', 'not-applicable'].includes(value) ? `${kind} ${name.toLowerCase()}` : name;
}
