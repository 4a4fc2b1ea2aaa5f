import { barChart } from '../../../charts/bars.ts';
import { pageOf } from '../../../contract/pages.ts';
import type { CoverageRecord, LandscapeRecord } from '../../../contract/schemas/counts.ts';
import type { ChartName } from '../../../contract/take-away.ts';
import { type Html, html } from '../html.ts';
import { addressWith } from '../kit/address.ts';
import { chart, type DrawnPictures } from '../kit/chart.ts';
import { counted } from '../kit/counted.ts';
import { table } from '../kit/table.ts';
import { chartFiles } from '../kit/take-away.ts';
import { count, instant, share } from '../kit/words.ts';
import type { Answered } from '../reads.ts';
import { named, REGISTRY_NAMES } from '../trials/words.ts';

type Coverage = Answered<CoverageRecord>;
type Held = CoverageRecord['registries'][number];

/** The list of trials with these filters. */
function trialsWith(filters: Record<string, string>): string {
  return addressWith(pageOf('page-trials').path, new URLSearchParams(), filters);
}

/** Trials that only this registry holds. */
function onlyIn({ registry }: Held): string {
  return trialsWith({ registry, inBoth: 'false' });
}

/** The numbers of the whole index, each with its list. */
export function headline({ data }: Coverage): Html {
  return html`<ul class="facts">
<li><b>${counted(data.distinct, trialsWith({}))}</b> distinct trials</li>
${data.registries.map((held) => html`<li><b>${counted(held.exclusive, onlyIn(held))}</b> only in ${REGISTRY_NAMES[held.registry]}</li>`)}
<li><b>${counted(data.inBoth, trialsWith({ inBoth: 'true' }))}</b> in both</li>
</ul>`;
}

/** A registry's state when the answer was made, from `_meta.freshness`. */
interface Standing {
  registry: string;
  lastSuccessAt: string | null;
  ageHours: number | null;
  complete: boolean;
  stale: boolean;
  degraded: boolean;
  degradedReason?: string;
}

export function coveragePart(coverage: Coverage, pictures: DrawnPictures): Html {
  const { data, meta } = coverage;
  const standings = (meta.freshness ?? []) as unknown as Standing[];
  const standingOf = ({ registry }: Held) => standings.find((standing) => standing.registry === registry);
  const held = table('What each registry holds', data.registries, [
    { head: 'Registry', cell: ({ registry }) => REGISTRY_NAMES[registry] },
    { head: 'Standing', cell: (one) => standingWords(one, standingOf(one)) },
    { head: 'Registrations held', cell: ({ state, registrations }) => answered(state, registrations), number: true },
    {
      head: 'Trials only there',
      cell: (one) => (one.state === 'unanswered' ? 'no answer' : counted(one.exclusive, onlyIn(one))),
      number: true,
    },
    { head: 'Data of', cell: ({ dataDay }) => instant(dataDay) },
  ]);
  const bars = coverageBars(coverage);
  return html`${
    bars === null
      ? held
      : chart(pictures, {
          key: `${meta.snapshot} home coverage`,
          draw: bars,
          caption: 'Trials that each registry holds, and how many of them are in both',
          definition:
            'Each trial is counted once in each registry that holds it; the parts in both are the same trials, so the bars must not be added. A registration is one record of a registry: a trial can have several, so registrations have no list of trials behind them.',
          table: held,
        })
  }
<p>${data.inflation === null ? 'The overlap of the registries is unknown while one of them does not answer.' : html`Adding up the two would count ${counted(data.inflation, null)} trials twice.`} ${worldwideWords(coverage)}</p>`;
}

function answered(state: Held['state'], value: number | null): string {
  return state === 'unanswered' ? 'no answer' : count(value);
}

function standingWords({ state, dataDay }: Held, standing: Standing | undefined): string {
  if (state === 'unanswered') return 'No answer: nothing is known of it';
  const answer = state === 'kept' ? `Kept: its last good set, of ${dataDay}` : 'Answered';
  if (standing === undefined) return answer;
  const age = standing.ageHours === null ? [] : [`${standing.ageHours.toLocaleString('en-GB')} hours old`];
  const faults = [
    ...(standing.complete ? ['complete'] : ['not known to be complete']),
    ...(standing.stale ? ['out of date'] : []),
    ...(standing.degradedReason === undefined ? [] : [standing.degradedReason]),
  ];
  return [answer, ...age, ...faults].join(', ');
}

function worldwideWords({ meta }: Coverage): string {
  const isWorldwide = meta.provenance?.worldwide === true && meta.degraded !== true;
  return isWorldwide
    ? 'Both registries are complete and fresh, so the count may be called worldwide.'
    : 'The count may not be called worldwide: for that, both registries must be real, read live to the end of what they count, and fresh.';
}

/** Draws the registries that answered, each split by whether the other registry holds the trial too; null if none did. */
function coverageBars({ data }: Coverage): ((width: number, id: string) => string) | null {
  const { inBoth } = data;
  const held = data.registries.filter(({ exclusive }) => exclusive !== null);
  if (held.length === 0) return null;
  const alone = held.map(({ exclusive }) => exclusive!);
  const words = held.map(
    ({ registry, exclusive }) => `${REGISTRY_NAMES[registry]} holds ${count(exclusive)} that the other does not`,
  );
  const label = `Trials by registry. ${words.join('; ')}; in both: ${count(inBoth)}.`;
  return (width, id) =>
    barChart(
      {
        categories: held.map(({ registry }) => REGISTRY_NAMES[registry]),
        series: [
          { name: 'in this registry only', values: alone },
          ...(inBoth === null ? [] : [{ name: 'in both', values: held.map(() => inBoth) }]),
        ],
        unit: 'trials',
        stacked: true,
        lying: true,
      },
      { id, width, height: 200, label },
    );
}

interface Mix {
  chart: ChartName;
  /** Its title, and the head of its values. */
  title: string;
  head: string;
  parts: readonly { value: string; trials: number }[];
  /** Filters that find exactly the trials of a value. */
  filtersOf: (value: string) => Record<string, string>;
  definition: Html | string;
}

const ROW_PX = 28;
const FRAME_PX = 72;

/** Trials by phase and by status, as pictures and as numbers that lead to the trials. */
export function mixPart(
  { data, meta }: Answered<LandscapeRecord>,
  pictures: DrawnPictures,
  unphased: Html | null,
): Html {
  const mixes: Mix[] = [
    {
      chart: 'phases',
      title: 'Trials by phase',
      head: 'Phase',
      parts: data.phases,
      filtersOf: (phase) => ({ phase, phaseMatch: 'exact' }),
      definition: html`Each trial counts once, at the phase that it states; a combined phase such as 1/2 is one of its own. ${unphased}`,
    },
    {
      chart: 'statuses',
      title: 'Trials by status',
      head: 'Status',
      parts: data.statuses,
      filtersOf: (status) => ({ status }),
      definition:
        'Each trial counts once, at its status on the day of the snapshot; in ISRCTN, which states none, it is worked out from dates.',
    },
  ];
  return html`<div class="pictures">${mixes.map((mix) => mixChart(mix, data.trials, meta.snapshot ?? '', pictures))}</div>`;
}

function mixChart(mix: Mix, whole: number, snapshot: string, pictures: DrawnPictures): Html {
  const { title, head, parts, filtersOf, definition } = mix;
  const told = parts.map(({ value, trials }) => `${named(value)}: ${count(trials)}`).join('; ');
  return chart(pictures, {
    key: `${snapshot} home ${title}`,
    draw: (width, id) =>
      barChart(
        {
          categories: parts.map(({ value }) => named(value)),
          series: [{ name: 'Trials', values: parts.map(({ trials }) => trials) }],
          unit: 'trials',
          lying: true,
        },
        { id, width, height: parts.length * ROW_PX + FRAME_PX, label: `${title}. ${told}.` },
      ),
    caption: title,
    definition,
    table: table(title, parts, [
      { head, cell: ({ value }) => named(value) },
      { head: 'Trials', cell: ({ value, trials }) => counted(trials, trialsWith(filtersOf(value))), number: true },
      { head: 'Share', cell: ({ trials }) => share(trials, whole), number: true },
    ]),
    takeAway: chartFiles(mix.chart, title),
  });
}
