import type { RawDate, RawRecord, Span } from './record.ts';
import type { RawTrial } from './trials.ts';

/**
 * What filters mean over the registries' own records. Each is written by hand from the parameter's description and
 * docs/filters.md: it names the registries' words, and uses neither the vocabularies nor the word rules of the index.
 */
export type Test = (trial: RawTrial) => boolean;
type RecordTest = (record: RawRecord) => boolean;

/** Some record of the trial. */
export const some =
  (test: RecordTest): Test =>
  ({ records }) =>
    records.some(test);

/** The first record that states the value decides, ClinicalTrials.gov's before ISRCTN's. */
const first =
  (states: RecordTest, test: RecordTest): Test =>
  ({ records }) => {
    const record = records.find(states);
    return record !== undefined && test(record);
  };

export const not =
  (test: Test): Test =>
  (trial) =>
    !test(trial);

export const all =
  (...tests: Test[]): Test =>
  (trial) =>
    tests.every((test) => test(trial));

/** Every pattern is found somewhere in the texts of the trial. */
export const words =
  (of: (record: RawRecord) => string[], ...patterns: RegExp[]): Test =>
  ({ records }) => {
    const text = plainLetters(records.flatMap(of).join('\n'));
    return patterns.every((pattern) => pattern.test(text));
  };

/** Without accents and ligatures that a reader would not type. */
function plainLetters(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

export const interventions = ({ interventions: names }: RawRecord): string[] => names;
export const lead = ({ sponsor }: RawRecord): string[] => [sponsor.name];
export const organisations = ({ organisations: names }: RawRecord): string[] => names;
export const searched = (record: RawRecord): string[] => [
  record.title,
  record.officialTitle,
  record.acronym,
  ...record.conditions,
  ...record.interventions,
  record.sponsor.name,
];

export const isCondition = (name: string): Test =>
  some(({ conditions }) => conditions.some((one) => one.toLowerCase() === name));

const isOngoing: RecordTest = ({ status }) =>
  /^(?:NOT_YET_RECRUITING|RECRUITING|ENROLLING_BY_INVITATION|ACTIVE_NOT_RECRUITING|Ongoing)$/.test(status.overall);
export const statesStatus: RecordTest = ({ status }) => !/^(?:UNKNOWN|)$/.test(status.overall);

/** Overall status in the registries' words; of a trial that is under way, the recruitment status too. */
export function status(overall: RegExp, recruitment = /^$/): Test {
  const test: RecordTest = (record) =>
    overall.test(record.status.overall) || (isOngoing(record) && recruitment.test(record.status.recruitment));
  return ({ records }) => test(records.find(statesStatus) ?? records[0]!);
}

export const isUnderWay: Test = ({ records }) => isOngoing(records.find(statesStatus) ?? records[0]!);

/** The registries' phases, each as its parts: `PHASE1+PHASE2` and `Phase I/II` are 1 and 2. */
const PHASES: Record<string, string[]> = {
  NA: ['none'],
  'Not Applicable': ['none'],
  EARLY_PHASE1: ['0'],
  PHASE1: ['1'],
  PHASE2: ['2'],
  PHASE3: ['3'],
  PHASE4: ['4'],
  'Phase I/II': ['1', '2'],
  'Phase III': ['3'],
  'Phase IV': ['4'],
};

const partsOf = ({ phases }: RawRecord): string[] =>
  phases.flatMap((phase) => PHASES[phase] ?? [`unread: ${phase}`]).sort();

export const phase = (test: (parts: string[]) => boolean): Test =>
  first(
    ({ phases }) => phases.length > 0,
    (record) => test(partsOf(record)),
  );

export const country = (spelling: RegExp): Test =>
  some(({ countries }) => countries.some((name) => spelling.test(name)));
export const UNITED_KINGDOM = /^(?:United Kingdom|England|Scotland|Wales|Northern Ireland)$/;

export const isIn = (registry: RawRecord['registry']): Test => some((record) => record.registry === registry);
export const inBoth: Test = ({ records }) => records.length === 2;
export const hasResults = some((record) => record.hasResults);

/** Whether some day that the date may mean lies between the days; never without a date. */
export function between(span: Span | null, after: string, before: string): boolean {
  return span !== null && span.last >= after && span.first <= before;
}

export const dated = (name: RawDate, after: string, before = '9999'): Test =>
  first(
    ({ dates }) => dates[name] !== null,
    ({ dates }) => between(dates[name], after, before),
  );

/** The later update of a trial in both registries, and the day on which it was posted first. */
export function updatedOf({ records }: RawTrial): Span | null {
  const spans = records.flatMap(({ dates }) => dates.updated ?? []);
  return spans.sort((one, other) => (one.last < other.last ? 1 : -1))[0] ?? null;
}
export function postedOf({ records }: RawTrial): Span | null {
  const spans = records.flatMap(({ dates }) => dates.firstPosted ?? []);
  return spans.sort((one, other) => (one.first < other.first ? -1 : 1))[0] ?? null;
}

export const people = (least: number, most: number): Test =>
  first(
    ({ enrollment }) => enrollment !== null,
    ({ enrollment }) => enrollment! >= least && enrollment! <= most,
  );

export const age = (years: number): Test =>
  first(
    ({ ages }) => ages.from !== null || ages.to !== null,
    ({ ages }) => (ages.from ?? 0) <= years && (ages.to ?? years) >= years,
  );

export const statesSex: RecordTest = (record) => /^(?:ALL|Both|FEMALE|MALE)$/i.test(record.sex);
export const sex = (word: RegExp): Test => first(statesSex, (record) => word.test(record.sex));

type RawSite = RawRecord['sites'][number];

export const site = (test: (place: RawSite) => boolean): Test => some(({ sites }) => sites.some(test));

/** A site there has the status; where none of the trial's states one there, the trial is there and has it. */
export const siteStatus =
  (there: (place: RawSite) => boolean, own: RegExp, ofTrial: Test): Test =>
  (trial) => {
    const stated = trial.records.flatMap(({ sites }) => sites.filter((one) => there(one) && one.status !== ''));
    return stated.length > 0 ? stated.some((one) => own.test(one.status)) : ofTrial(trial);
  };

export const keywords = ({ keywords: words }: RawRecord): string[] => words;
/** A name without case, accents and punctuation. */
export const bareName = (name: string): string =>
  plainLetters(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
export const city = (name: string): Test => site((place) => bareName(place.city) === name);

export const sponsorKind = (kind: RegExp): Test =>
  first(
    ({ sponsor }) => sponsor.name !== '' || sponsor.kind !== '',
    ({ sponsor }) => kind.test(sponsor.kind),
  );

/** 18 months before SERVED_DAY. */
export const GAP_BEGINS_BY = '2025-05-21';

const studyDone = ({ records }: RawTrial): RawRecord | undefined =>
  records.find(
    ({ registry, studyType, status: { overall } }) =>
      registry === 'clinicaltrials_gov' && studyType === 'INTERVENTIONAL' && overall === 'COMPLETED',
  );

/** Of the kind that the results gap counts, with the date from which its clock runs. */
export function gapDate(trial: RawTrial): string | null {
  const study = studyDone(trial);
  return study?.hasResults === false ? ((study.dates.primaryCompletion ?? study.dates.completion)?.last ?? null) : null;
}

export const inGap: Test = (trial) => {
  const date = gapDate(trial);
  return date !== null && date <= GAP_BEGINS_BY;
};

/** The clock of a completed interventional study began between these days, whether its results are posted or not. */
export const began =
  (from: string, until: string): Test =>
  (trial) => {
    const dates = studyDone(trial)?.dates;
    const date = (dates?.primaryCompletion ?? dates?.completion)?.last;
    return date !== undefined && date >= from && date <= until;
  };

/** The completion alone, 12 months before SERVED_DAY. */
export const missedByCompletion: Test = (trial) => {
  const study = studyDone(trial);
  const date = study?.hasResults === false ? study.dates.completion?.last : undefined;
  return date !== undefined && date <= '2025-11-21';
};

export const leadIs = (name: RegExp): Test =>
  first(
    ({ sponsor }) => sponsor.name !== '' || sponsor.kind !== '',
    ({ sponsor }) => name.test(sponsor.name),
  );

/** Both records give the date, and no day fits both. */
export const datesDiffer =
  (name: RawDate): Test =>
  ({ records: [one, other] }) => {
    const [here, there] = [one?.dates[name] ?? null, other?.dates[name] ?? null];
    return here !== null && there !== null && !between(here, there.first, there.last);
  };
