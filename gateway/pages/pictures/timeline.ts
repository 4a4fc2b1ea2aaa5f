import { RESULTS_GAP_MONTHS } from '../../../contract/limits/limits.ts';
import type { RelatedResearch } from '../../../contract/schemas/trials/related.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import type { TrialHistory } from '../../../contract/schemas/trials/trial-change.ts';
import { dayNumber, dayToIso, parseFilterDate } from '../../../snapshot/format/words/dates.ts';
import { type TimelineMark, type TimelineRow, timeline, timelineHeight } from '../../charts/timeline.ts';
import { type Html, html } from '../html.ts';
import { column, type DrawnPicture } from '../kit/picture.ts';
import { count, instant, joined } from '../kit/words.ts';
import type { ResultsState } from '../words/results-state.ts';
import { REGISTRY_NAMES, registryDate, trialAddress } from '../words/trials.ts';

/** Versions told of a trial: in its picture, and on its page. */
export const VERSIONS_TOLD = 5;

type Dates = TrialRecord['dates'];
type Publication = NonNullable<RelatedResearch['registryDeclared']['publications']>[number];

/** An event of the trial: its row in the picture, and in the table beside it. */
interface Event {
  title: string;
  marks: readonly TimelineMark[];
  /** Of each mark: when it begins, and when it ends where it lasts. */
  dates: readonly (readonly [from: string, to: string | null])[];
  date: Html;
  /** Who states it, or by what it is counted. */
  from: Html | string;
  statedBy: readonly string[];
}

export interface Told {
  trial: TrialRecord;
  results: ResultsState;
  asOf: string;
  /** Of the registry that states the status. */
  dataDay: string | null;
  history: TrialHistory | null;
  publications: readonly Publication[] | null;
}

export const DEFINITION =
  'Filled: it happened. Hollow: planned. Days are counted to that of the snapshot, the dashed line.';

const COLUMNS = [
  column('event', 'Event', 'in words'),
  column('from', 'Date', 'as the registry gave it, a day or a month; a year of publications', 'date'),
  column('to', 'Until', 'the last day of what lasts; empty: it does not', 'date'),
  column('state', 'State', 'actual, planned, due, or overdue on the day of the snapshot'),
  column('stated_by', 'Stated by', 'the registries that state the date, or by what it is counted'),
];

export function timelinePicture(told: Told): DrawnPicture {
  const { trial, asOf, dataDay } = told;
  const today = parseFilterDate(asOf);
  const events = today === null ? [] : eventsOf(told, today);
  const rows: TimelineRow[] = events.filter(({ marks }) => marks.length > 0);
  const words = events.map(({ title, marks }) => `${title}${marks[0]?.text === undefined ? '' : ` ${marks[0].text}`}`);
  return {
    name: 'timeline',
    own: { trial: trial.canonicalId },
    title: 'When it was posted, began, ended and told its results',
    definition: `${DEFINITION} Results are due ${RESULTS_GAP_MONTHS} months after primary completion, as the results gap counts.`,
    page: trialAddress(trial.canonicalId),
    columns: COLUMNS,
    rows: events.flatMap(({ title, marks, dates, statedBy }) =>
      marks.map(({ kind }, at) => ({
        ...{ event: title, from: dates[at]?.[0] ?? null, to: dates[at]?.[1] ?? null, state: kind },
        stated_by: statedBy,
      })),
    ),
    draw:
      rows.length === 0 || today === null
        ? null
        : (width) =>
            timeline(
              { rows, today, todayText: todayWords(asOf, dataDay) },
              { width, height: timelineHeight(rows.length, width), label: `Timeline: ${words.join('; ')}` },
            ),
  };
}

/** Days are counted to that of the snapshot, on which a registry need not have been read. */
function todayWords(asOf: string, dataDay: string | null): string {
  const counted = shortDate(asOf, 'day');
  return dataDay === null || dataDay === asOf
    ? `snapshot of ${counted}`
    : `data of ${shortDate(dataDay, 'day')}, counted to ${counted}`;
}

export function eventsOf(told: Told, today: number): Event[] {
  const { results, history, publications } = told;
  return [
    ...dated(['First posted', 'First posted'], 'firstPosted', told),
    ...dated(['Started', 'Start'], 'start', told),
    ...dated(['Primary completion', 'Primary completion'], 'primaryCompletion', told),
    ...dated(['Completed', 'Completion'], 'completion', told),
    ...due(results, today),
    ...dated(['Results posted', 'Results posted'], 'resultsPosted', told),
    ...dated(['Last updated', 'Last updated'], 'lastUpdated', told),
    ...(history === null ? [] : changes(history)),
    ...(publications === null ? [] : published(publications, today)),
  ];
}

const STUDY_DATES: readonly (keyof Dates)[] = ['start', 'primaryCompletion', 'completion'];

/** `happened` and `planned` are the titles of a date in the past and of one that is planned. */
function dated([happened, planned]: readonly [string, string], name: keyof Dates, { trial, asOf }: Told): Event[] {
  const { dates, registrations } = trial;
  const date = dates[name];
  if (date === null) return [];
  const { first, last } = dayNumber(date);
  // A month is drawn at its middle.
  const day = Math.floor((first + last) / 2);
  const isEstimated = date.type === 'estimated';
  // The registry estimates days of posting too, but those are past. A day that has not come is planned, whoever states it.
  const isPlanned = (isEstimated && STUDY_DATES.includes(name)) || date.date > asOf;
  const text = `${shortDate(date.date, date.precision)}${isPlanned ? ', planned' : isEstimated ? ', estimated' : ''}`;
  const kind = isPlanned ? 'planned' : 'actual';
  const title = isPlanned ? planned : happened;
  const by = registrations.filter(({ fields }) => fields.dates[name]?.date === date.date);
  return [
    {
      title,
      marks: [{ from: day, to: day, kind, text }],
      dates: [[date.date, null]],
      date: registryDate(date),
      from: joined(by.map(({ registry }) => REGISTRY_NAMES[registry])),
      statedBy: by.map(({ registry }) => REGISTRY_NAMES[registry]),
    },
  ];
}

function due(results: ResultsState, today: number): Event[] {
  if (results.kind !== 'overdue' && results.kind !== 'awaited') return [];
  const from = parseFilterDate(results.due)!;
  const isLate = results.kind === 'overdue';
  const counted = `counted: ${RESULTS_GAP_MONTHS} months after its ${results.basis}`;
  const words = isLate ? `, ${count(results.days)} ${results.days === 1 ? 'day' : 'days'} ago` : '';
  return [
    {
      title: 'Results due',
      marks: [
        {
          from,
          to: isLate ? today : from,
          kind: isLate ? 'overdue' : 'due',
          text: `${shortDate(results.due, 'day')}${words}`,
        },
      ],
      dates: [[results.due, isLate ? dayToIso(today) : null]],
      date: html`${instant(results.due)}${words}`,
      from: counted,
      statedBy: [counted],
    },
  ];
}

/** The versions of this index in which something about the trial changed. */
function changes({ entries }: TrialHistory): Event[] {
  if (entries.length === 0) return [];
  const days = entries.map(({ publishedAt }) => parseFilterDate(publishedAt.slice(0, 10))!);
  return [
    {
      title: 'Changed in a snapshot',
      marks: days.map((day) => ({
        from: day,
        to: day,
        kind: 'actual',
        ...(days.length === 1 && { text: shortDate(dayToIso(day), 'day') }),
      })),
      date: joined(
        entries.map(
          ({ version, publishedAt }) => html`<a href="/snapshots/${version}">${instant(publishedAt.slice(0, 10))}</a>`,
        ),
      ),
      dates: entries.map(({ publishedAt }) => [publishedAt.slice(0, 10), null]),
      statedBy: ['compared here'],
      from: html`compared here, see <a href="#history">its history</a>`,
    },
  ];
}

/** Years of the publications that the registries list; a year is all that they state. */
function published(publications: readonly Publication[], today: number): Event[] {
  const years = [...new Set(publications.flatMap(({ year }) => year ?? []))].sort((a, b) => a - b);
  const inYear = (year: number): number => publications.filter((one) => one.year === year).length;
  if (years.length === 0) return [];
  return [
    {
      title: 'Publications listed',
      marks: years.map((year) => ({
        from: Date.UTC(year, 0, 1) / DAY_MS,
        // A year that is not over ends with what was read of it.
        to: Math.max(Date.UTC(year, 0, 1) / DAY_MS, Math.min(today, Date.UTC(year, 11, 31) / DAY_MS)),
        kind: 'actual',
        ...(years.length === 1 && { text: String(year) }),
      })),
      date: joined(years.map((year) => `${year}${inYear(year) > 1 ? ` (${count(inYear(year))})` : ''}`)),
      dates: years.map((year) => [String(year), null]),
      statedBy: ['listed by the registries; a mention is no result'],
      from: html`listed by the registries, see <a href="#publications">publications</a>; a mention is no result`,
    },
  ];
}

const DAY_MS = 86_400_000;

const SHORT_MONTH = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
/** Made once: to make one takes longer than everything else that is done with a date. */
const SHORT_DATES = {
  day: new Intl.DateTimeFormat('en-GB', { ...SHORT_MONTH, day: 'numeric' }),
  month: new Intl.DateTimeFormat('en-GB', SHORT_MONTH),
};

/** As "5 May 2024" or "May 2024": short enough for a picture. */
function shortDate(date: string, precision: 'day' | 'month'): string {
  const day = precision === 'day' ? date : `${date}-01`;
  return SHORT_DATES[precision].format(new Date(`${day}T00:00:00Z`));
}
