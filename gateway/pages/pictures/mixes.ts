import { barChart } from '../../../charts/bars.ts';
import type { LandscapeRecord } from '../../../contract/schemas/counts.ts';
import { named } from '../../../contract/value-names.ts';
import { count } from '../kit/words.ts';
import { column, type DrawnPicture, NOTE, type Own, type PictureRow, pathWith, unansweredNote } from './picture.ts';

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
    draw: (width, id) =>
      barChart(
        {
          categories: known.map((row) => row.title),
          series: [{ name: 'Trials', values: known.map(({ trials }) => trials!) }],
          unit: 'trials',
          lying: true,
        },
        { id, width, height: known.length * ROW_PX + FRAME_PX, label: `${title}. ${told}.` },
      ),
  };
}
