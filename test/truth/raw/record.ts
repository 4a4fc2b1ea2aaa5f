/**
 * The held records as the registries wrote them, read here a second time: plain JSON and regular expressions, nothing of
 * the pipeline. A filter that is compared with this reading is compared with the registries, not with our own reading of
 * them. Words stay the registries' own; what a filter makes of them is written down beside each filter.
 */
export interface RawRecord {
  registry: 'clinicaltrials_gov' | 'isrctn';
  id: string;
  title: string;
  officialTitle: string;
  acronym: string;
  conditions: string[];
  /** Names and other names; a description where an intervention has no name. */
  interventions: string[];
  /** Name and the registry's kind of the lead sponsor, both empty where none is given. */
  sponsor: { name: string; kind: string };
  organisations: string[];
  /** What is going on, and whether people are recruited, in the registry's words. */
  status: { overall: string; recruitment: string };
  /** Each phase once; several where it is combined. */
  phases: string[];
  studyType: string;
  countries: string[];
  /** The status in the registry's words; empty where none is given, as in every ISRCTN record. */
  sites: { city: string; country: string; status: string }[];
  keywords: string[];
  hasResults: boolean;
  dates: Record<RawDate, Span | null>;
  enrollment: number | null;
  sex: string;
  /** Limits in completed years. */
  ages: { from: number | null; to: number | null };
}

export type RawDate = 'start' | 'primaryCompletion' | 'completion' | 'firstPosted' | 'updated' | 'resultsPosted';

/** First and last day that a date may mean, as texts that sort by day. */
export interface Span {
  first: string;
  last: string;
}

/** A day or a month (`2020-02-01T…`, `2020-02-01`, `2020-02`); null for any other text. */
export function span(date = ''): Span | null {
  const [, month, day] = /^(\d{4}-\d\d)(-\d\d)?(?:T|$)/.exec(date) ?? [];
  if (month === undefined) return null;
  if (day !== undefined) return { first: month + day, last: month + day };
  const [year, number] = month.split('-').map(Number) as [number, number];
  return { first: `${month}-01`, last: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
}

/** Six nines or more fill in a number that the form demands. */
export function people(count: string | number | undefined): number | null {
  const digits = String(count ?? '').replace(/\.0+$/, '');
  return /^\d+$/.test(digits) && !/^9{6,}$/.test(digits) ? Number(digits) : null;
}

const PER_YEAR: Record<string, number> = { year: 1, month: 12, week: 52.18, day: 365.25, hour: 8766, minute: 525_960 };

export function completedYears(age: string | undefined): number | null {
  const [, number, unit] = /^(\d+) (year|month|week|day|hour|minute)s?$/i.exec(age ?? '') ?? [];
  return number === undefined ? null : Math.floor(Number(number) / PER_YEAR[unit!.toLowerCase()]!);
}
