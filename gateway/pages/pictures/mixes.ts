import { named, REGISTRY_NAMES } from '../../../contract/fields/value-names.ts';
import type { CoverageRecord, LandscapeRecord } from '../../../contract/schemas/trials/counts.ts';
import { barChart } from '../../charts/bars.ts';
import { pathWith } from '../kit/address.ts';
import { column, type DrawnPicture, NOTE, type Own, type PictureRow, unansweredNote } from '../kit/picture.ts';
import { count } from '../kit/words.ts';

/** Trials by phase, status and class of sponsor: every value has a row, also one without a trial. */

const ROW_PX = 28;
const FRAME_PX = 72;

const MIXES = {
  phases: {
    of: 'phases',
    title: 'Trials by phase',
    definition: 'Each trial counts once, at the phase that it states; a combined phase such as 1/2 is one of its own.',
  },
  statuses: {
    of: 'statuses',
    title: 'Trials by status',
    definition:
      'Each trial counts once, at its status on the day of the snapshot; in ISRCTN, which states none, it is worked out from dates.',
  },
  'sponsor-classes': {
    of: 'sponsorClasses',
    title: 'Trials by class of the lead sponsor',
    definition: 'Each trial counts once, at the class of its one lead sponsor.',
  },
} as const;
type MixName = keyof typeof MIXES;

export type MixRow = Readonly<{ value: string; title: string; trials: number | null; note: string | null }>;

const VALUE = column('value', 'Value', 'for programs; the search takes it');
/** A spreadsheet would read the phase 1-2 as a day. */
const PHASE_VALUE = { ...VALUE, cell: ({ value }: PictureRow) => named(String(value)) };
const COLUMNS = [
  column('title', 'In words', 'the value in words'),
  column('trials', 'Trials', 'that state it; empty: not known', 'integer'),
  NOTE,
];

export function mixPicture(name: MixName, data: LandscapeRecord, own: Own = {}): DrawnPicture {
  const { of, title, definition } = MIXES[name];
  const note = unansweredNote(data.reportingGap, own.registry);
  const rows: MixRow[] = data[of].map(({ value, trials }) => ({
    ...{ value, title: named(value) },
    ...(trials === 0 && note !== null ? { trials: null, note } : { trials, note: null }),
  }));
  const known = rows.filter(({ trials }) => trials !== null);
  const told = rows.map((row) => `${row.title}: ${row.trials === null ? 'not known' : count(row.trials)}`).join('; ');
  return {
    ...{ name, own, title },
    definition: `${definition}${note === null ? '' : ` ${note}: a value that no held trial states is not known.`}`,
    page: Object.keys(own).length === 0 ? '/' : pathWith('/trials', own),
    columns: [name === 'phases' ? PHASE_VALUE : VALUE, ...COLUMNS],
    rows,
    draw: (width) =>
      barChart(
        {
          categories: known.map((row) => row.title),
          series: [{ name: 'Trials', values: known.map(({ trials }) => trials!) }],
          unit: 'trials',
          lying: true,
        },
        { width, height: known.length * ROW_PX + FRAME_PX, label: `${title}. ${told}.` },
      ),
  };
}

const HEIGHT_PX = 200;

const COVERAGE_COLUMNS = [
  column('registry', 'Registry', 'for programs'),
  column('title', 'In words', 'the registry by its name'),
  column('only_here', 'Trials only there', 'that no other registry holds', 'integer'),
  column('in_both', 'Trials in both', 'the same trials in each row, never to be added', 'integer'),
  column('trials', 'Trials', 'that the registry holds: only there, and in both', 'integer'),
  column('registrations', 'Registrations', 'records of the registry; a trial may have several', 'integer'),
  column('data_day', 'Data of', 'the day up to which its data are'),
  NOTE,
];

/** Draws the registries that answered, each split by whether the other registry holds the trial too. */
export function coveragePicture(data: CoverageRecord, own: Own = {}): DrawnPicture {
  const { inBoth, registries } = data;
  const held = registries.filter(({ exclusive }) => exclusive !== null);
  const words = held.map(
    ({ registry, exclusive }) => `${REGISTRY_NAMES[registry]} holds ${count(exclusive)} that the other does not`,
  );
  const label = `Trials by registry. ${words.join('; ')}; in both: ${count(inBoth)}.`;
  return {
    name: 'coverage',
    own,
    title: 'Trials that each registry holds, and how many of them are in both',
    definition:
      'Each trial is counted once in each registry that holds it; the parts in both are the same trials, so the bars must not be added. A registration is one record of a registry: a trial can have several, so registrations have no list of trials behind them.',
    page: Object.keys(own).length === 0 ? '/' : pathWith('/trials', own),
    columns: COVERAGE_COLUMNS,
    rows: registries.map(({ registry, state, exclusive, registrations, dataDay }) => ({
      ...{ registry, title: REGISTRY_NAMES[registry], only_here: exclusive, in_both: inBoth },
      trials: exclusive === null || inBoth === null ? null : exclusive + inBoth,
      ...{ registrations, data_day: dataDay },
      note:
        state === 'unanswered'
          ? `${REGISTRY_NAMES[registry]} never answered, so nothing is known of it`
          : inBoth === null
            ? 'the other registry never answered, so trials in both are not known'
            : null,
    })),
    draw:
      held.length === 0
        ? null
        : (width) =>
            barChart(
              {
                categories: held.map(({ registry }) => REGISTRY_NAMES[registry]),
                series: [
                  { name: 'in this registry only', values: held.map(({ exclusive }) => exclusive!) },
                  ...(inBoth === null ? [] : [{ name: 'in both', values: held.map(() => inBoth) }]),
                ],
                unit: 'trials',
                stacked: true,
                lying: true,
              },
              { width, height: HEIGHT_PX, label },
            ),
  };
}
