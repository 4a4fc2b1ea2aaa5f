import type { GapGroup, TrialResultsGapRecord } from '../../../contract/schemas/trials/trial-results-gap.ts';
import { barChart } from '../../charts/bars.ts';
import { pathWith } from '../kit/address.ts';
import { column, type DrawnPicture, NOTE, type Own } from '../kit/picture.ts';
import { count } from '../kit/words.ts';

export const GROUP_TITLES: Readonly<Record<GapGroup, string>> = {
  disease: 'Disease',
  condition: 'Condition',
  sponsor: 'Sponsor',
  sponsorClass: 'Class of sponsor',
  year: 'Year due',
  phase: 'Phase',
  country: 'Country',
};

/** Groups of one picture; /results-gap.csv has all of them. */
const DRAWN = 12;
const BAR_PX = 34;
const AXES_PX = 110;

const COLUMNS = [
  column('value', 'Value', 'of the group, for programs'),
  column('title', 'In words', 'the group in words'),
  column('trials', 'Without results', 'due, and not posted; empty: not known', 'integer'),
  column('among', 'Due', 'posted or not; empty: not known', 'integer'),
  column('share', 'Share', 'the first by the second; empty: none was due, or not known', 'number'),
  NOTE,
];

/** Numerator and the rest of the denominator, one beside the other, so that no share stands without its whole. */
export function gapPicture(data: TrialResultsGapRecord, own: Own): DrawnPicture {
  const { groups, clock, months, definition, state } = data;
  const by = groups?.by ?? 'disease';
  const values = groups?.values.slice(0, DRAWN) ?? [];
  const total = groups?.total ?? 0;
  const title = `Trials whose results were due, by ${GROUP_TITLES[by].toLowerCase()}${total > values.length ? `: ${count(values.length)} of ${count(total)} groups` : ''}`;
  const told = values.map(
    (bar) => `${bar.title}: ${count(bar.numerator)} of ${count(bar.denominator)} without posted results`,
  );
  return {
    ...{ name: 'results-gap', own, title },
    definition: `${definition}${groups === null ? '' : ` ${groups.definition}`}${state === 'unanswered' ? ' ClinicalTrials.gov never answered, so nothing is known.' : ''}`,
    page: pathWith('/results-gap', own),
    counts: ['clinicaltrials_gov'],
    columns: COLUMNS,
    rows: values.map(({ value, title: words, numerator, denominator }) => ({
      // A spreadsheet would read the phase 1-2 as a day.
      ...{ value: by === 'phase' ? words : value, title: words, trials: numerator, among: denominator },
      share: numerator === null || denominator === null || denominator === 0 ? null : numerator / denominator,
      note: numerator === null || denominator === null ? 'ClinicalTrials.gov never answered' : null,
    })),
    draw:
      values.length === 0
        ? null
        : (width) =>
            barChart(
              {
                categories: values.map((bar) => bar.title),
                series: [
                  { name: 'No results posted', values: values.map(({ numerator }) => numerator ?? 0) },
                  {
                    name: 'Results posted',
                    values: values.map(({ numerator, denominator }) => (denominator ?? 0) - (numerator ?? 0)),
                  },
                ],
                unit: 'trials',
                stacked: true,
                lying: true,
              },
              {
                ...{ width, height: values.length * BAR_PX + AXES_PX },
                label: `${title}, by the ${clock === 'completion' ? 'completion' : 'primary completion'} and ${months} months. ${told.join('; ')}.`,
              },
            ),
  };
}
