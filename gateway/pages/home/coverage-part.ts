import { pageOf } from '../../../contract/interfaces/pages.ts';
import type { CoverageRecord, LandscapeRecord } from '../../../contract/schemas/trials/counts.ts';
import { type Html, html } from '../html.ts';
import { pathWith } from '../kit/address.ts';
import { chart } from '../kit/chart.ts';
import { heldNote } from '../kit/held.ts';
import { counted, table } from '../kit/parts.ts';
import { ageInWords, count, type DumpDay, dataOf, share, trialsInWords } from '../kit/words.ts';
import { coveragePicture, type MixRow, mixPicture } from '../pictures/mixes.ts';
import type { Answered } from '../reads.ts';
import { REGISTRY_NAMES } from '../words/trials.ts';

type Coverage = Answered<CoverageRecord>;
type Held = CoverageRecord['registries'][number];

/** The list of trials with these filters. */
function trialsWith(filters: Record<string, string>): string {
  return pathWith(pageOf('page-trials').path, filters);
}

/** Trials that only this registry holds. */
const onlyIn = ({ registry }: Held): string => trialsWith({ registry, inBoth: 'false' });

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
  dumpDay?: DumpDay;
}

export function coveragePart(coverage: Coverage): Html {
  const { data, meta } = coverage;
  const standings = (meta.freshness ?? []) as unknown as Standing[];
  const standingOf = ({ registry }: Held) => standings.find((standing) => standing.registry === registry);
  const held = table('What each registry holds', data.registries, [
    ['Registry', ({ registry }) => REGISTRY_NAMES[registry]],
    ['Standing', (one) => standingWords(one, standingOf(one))],
    ['Registrations held', ({ state, registrations }) => answered(state, registrations), 'number'],
    [
      'Trials only there',
      (one) => (one.state === 'unanswered' ? 'no answer' : counted(one.exclusive, onlyIn(one))),
      'number',
    ],
    ['Data of', (one) => dataOf(one.dataDay, standingOf(one)?.dumpDay)],
  ]);
  const picture = coveragePicture(data);
  return html`${picture.draw === null ? held : chart({ picture, table: held })}
<p>${data.inflation === null ? 'The overlap of the registries is unknown while one of them does not answer.' : html`Adding up the two would count ${trialsInWords(data.inflation)} twice.`} ${worldwideWords(coverage)}</p>
${heldNote(coverage.meta.provenance)}`;
}

function answered(state: Held['state'], value: number | null): string {
  return state === 'unanswered' ? 'no answer' : count(value);
}

function standingWords({ state, dataDay }: Held, standing: Standing | undefined): string {
  if (state === 'unanswered') return 'No answer: nothing is known of it';
  const answer = state === 'kept' ? `Kept: its last good set, of ${dataDay}` : 'Answered';
  if (standing === undefined) return answer;
  const age = standing.ageHours === null ? [] : [`${ageInWords(standing.ageHours)} old`];
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

/** Filters that find exactly the trials of a value. */
const FILTERS_OF = {
  phases: (phase: string) => ({ phase, phaseMatch: 'exact' }),
  statuses: (status: string) => ({ status }),
} as const;

/** Trials by phase and by status, as pictures and as numbers that lead to the trials. */
export function mixPart({ data }: Answered<LandscapeRecord>, unphased: Html | null): Html {
  const drawn = (['phases', 'statuses'] as const).map((name) => {
    const picture = mixPicture(name, data);
    return chart({
      picture,
      definition: html`${picture.definition} ${name === 'phases' && unphased}`,
      table: table(picture.title, picture.rows as unknown as MixRow[], [
        [name === 'phases' ? 'Phase' : 'Status', ({ title }) => title],
        [
          'Trials',
          ({ value, trials }) =>
            counted(trials, trials === null || trials === 0 ? null : trialsWith(FILTERS_OF[name](value))),
          'number',
        ],
        ['Share', ({ trials }) => (trials === null ? 'not known' : share(trials, data.trials)), 'number'],
      ]),
    });
  });
  return html`<div class="pictures">${drawn}</div>`;
}
