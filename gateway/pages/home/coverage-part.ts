import { barChart } from '../../../charts/bars.ts';
import type { CoverageRecord } from '../../../contract/schemas/counts.ts';
import type { DrawnPictures } from '../drawn-pictures.ts';
import { type Html, html } from '../html.ts';
import { count, figures, instant, picture, table } from '../parts.ts';
import type { Answered } from '../reads.ts';
import { REGISTRY_NAMES } from '../trials/words.ts';

type Coverage = Answered<CoverageRecord>;
type Held = CoverageRecord['registries'][number];

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
  return html`${figures([
    ['distinct trials', count(data.distinct)],
    ...data.registries.map(
      ({ registry, exclusive }) => [`only in ${REGISTRY_NAMES[registry]}`, count(exclusive)] as const,
    ),
    ['in both', count(data.inBoth)],
  ])}
${drawn(coverage, pictures)}
${table(
  'What each registry holds',
  [
    { head: 'Registry', cell: ({ registry }) => REGISTRY_NAMES[registry] },
    { head: 'Standing', cell: (held) => standingWords(held, standingOf(held)) },
    { head: 'Registrations held', cell: ({ state, registrations }) => answered(state, registrations), number: true },
    { head: 'Trials only there', cell: ({ state, exclusive }) => answered(state, exclusive), number: true },
    { head: 'Read last', cell: (held) => instant(standingOf(held)?.lastSuccessAt) },
  ],
  data.registries,
)}
<p>${data.inflation === null ? 'How far the registries overlap is not known while one of them gives no answer.' : html`Whoever added up the two would count ${count(data.inflation)} trials twice.`} ${worldwideWords(coverage)}</p>`;
}

function answered(state: Held['state'], value: number | null): string {
  return state === 'unanswered' ? 'no answer' : count(value);
}

function standingWords({ state }: Held, standing: Standing | undefined): string {
  if (state === 'unanswered') return 'No answer: nothing is known of it';
  if (standing === undefined) return 'Answered';
  const age = standing.ageHours === null ? [] : [`${standing.ageHours.toLocaleString('en-GB')} hours old`];
  const faults = [
    ...(standing.complete ? ['complete'] : ['not known to be complete']),
    ...(standing.stale ? ['out of date'] : []),
    ...(standing.degradedReason === undefined ? [] : [standing.degradedReason]),
  ];
  return ['Answered', ...age, ...faults].join(', ');
}

function worldwideWords({ meta }: Coverage): string {
  const isWorldwide = meta.provenance?.worldwide === true && meta.degraded !== true;
  return isWorldwide
    ? 'Both registries are complete and fresh, so the count may be called worldwide.'
    : 'The count may not be called worldwide: it is so only while both registries are real, complete and fresh.';
}

/** Bars of the registries that answered, each split by whether the other registry holds the trial too. */
function drawn({ data, meta }: Coverage, pictures: DrawnPictures): Html | false {
  const { inBoth } = data;
  const held = data.registries.filter(({ exclusive }) => exclusive !== null);
  if (held.length === 0) return false;
  const alone = held.map(({ exclusive }) => exclusive!);
  const words = held.map(
    ({ registry, exclusive }) => `${REGISTRY_NAMES[registry]} holds ${count(exclusive)} that the other does not`,
  );
  const label = `Trials by registry. ${words.join('; ')}; in both: ${count(inBoth)}.`;
  const svg = pictures.draw(`${meta.snapshot} home coverage`, () =>
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
      { id: 'coverage-picture', width: 760, height: 200, label },
    ),
  );
  return picture(svg, 'Trials that each registry holds, and how many of them are in both');
}
