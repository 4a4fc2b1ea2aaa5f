import type { TrialFilters } from '../../../index-server/search/filters.ts';
import type { Registration, RegistryDate } from '../../../snapshot/format/registration.ts';
import { addMonths, dayNumber } from '../../../snapshot/format/words/dates.ts';
import { parseQuery } from '../../../snapshot/format/words/query.ts';
import { type TextUnit, textUnits } from '../../../snapshot/format/words/tokens.ts';
import type { CorpusTrial } from '../../builders/snapshot-tables.ts';
import { matchesQuery } from './plain-query.ts';

/** Search with plain arrays, the reference for the serving image. Slow and obvious on purpose. */
export function plainSearch(trials: CorpusTrial[], filters: TrialFilters): CorpusTrial[] {
  return trials.filter((trial) => meets(trial, filters)).sort(inResultOrder);
}

/** Scores by relevance: the sum of the points of each clause of `q`, for the best field that has its weakest word. */
export function plainScore({ registrations }: CorpusTrial, q: string): number {
  const texts = (of: (record: Registration) => (string | null)[]): string[] =>
    registrations.flatMap(of).filter((text) => text !== null);
  const title = texts((r) => [r.title, r.acronym]);
  const conditions = texts((r) => r.conditions);
  const interventions = texts((r) => r.interventions.flatMap((i) => [i.name, ...i.otherNames, i.description]));
  const others = texts((r) => [r.officialTitle, r.sponsorName]);
  const fields = [title, conditions, interventions, others];
  const pointsOf = (unit: TextUnit): number =>
    [4, 3, 2, 1].find((points) => matchesQuery([unit], fields.slice(0, 5 - points).flat())) ?? 0;
  return parseQuery(q)
    .map((clause) => Math.min(...(clause.kind === 'phrase' ? clause.units : [clause]).map(pointsOf)))
    .reduce((sum, points) => sum + points, 0);
}

function inResultOrder(a: CorpusTrial, b: CorpusTrial): number {
  const lastDay = (trial: CorpusTrial): number => {
    const updated = latest(trial);
    return updated === null ? Number.NEGATIVE_INFINITY : dayNumber(updated).last;
  };
  if (lastDay(a) !== lastDay(b)) return lastDay(b) > lastDay(a) ? 1 : -1;
  return a.canonicalId < b.canonicalId ? -1 : 1;
}

/** The later of the registrations' last updates, compared as text; ClinicalTrials.gov's at a tie. */
function latest({ registrations }: CorpusTrial): RegistryDate | null {
  const [ctgov, isrctn] = sides(registrations).map((side) => side?.dates.lastUpdated ?? null);
  if (!ctgov || !isrctn) return ctgov ?? isrctn ?? null;
  return isrctn.date > ctgov.date ? isrctn : ctgov;
}

/** The earlier of the days on which each registry first posted its record. */
function earliest(registrations: Registration[]): RegistryDate | null {
  const posted = registrations.flatMap(({ dates }) => dates.firstPosted ?? []);
  return posted.sort((a, b) => (a.date < b.date ? -1 : 1))[0] ?? null;
}

/** ClinicalTrials.gov first: its value is the trial's wherever it states one. */
function sides(registrations: Registration[]): [Registration | undefined, Registration | undefined] {
  const of = (registry: string) => registrations.find((record) => record.registry === registry);
  return [of('clinicaltrials_gov'), of('isrctn')];
}

function merged<T>(registrations: Registration[], value: (record: Registration) => T, blank: T): T {
  const stated = sides(registrations).flatMap((side) => (side ? [value(side)] : []));
  return stated.find((candidate) => candidate !== blank) ?? blank;
}

function meets({ registrations }: CorpusTrial, filters: TrialFilters): boolean {
  const texts = (of: (record: Registration) => (string | null)[]): string[] =>
    registrations.flatMap(of).filter((text) => text !== null);
  const interventions = texts((r) => r.interventions.flatMap((i) => [i.name, ...i.otherNames, i.description]));
  const sponsors = texts((r) => [r.sponsorName]);
  const all = [...texts((r) => [r.title, r.officialTitle, r.acronym, ...r.conditions]), ...interventions, ...sponsors];
  const statusSide = sides(registrations).find((side) => side && side.status !== 'unknown') ?? registrations[0]!;
  const phase = merged<string>(registrations, (r) => r.phase, 'not-stated');
  const type = merged<string>(registrations, (r) => r.studyType, 'unknown');
  const results = registrations.some((record) => record.resultsAvailable);
  const date = (name: 'start' | 'completion' | 'primaryCompletion' | 'resultsPosted') =>
    merged<RegistryDate | null>(registrations, (r) => r.dates[name], null);
  const sponsorSide =
    sides(registrations).find((side) => side && (side.sponsorName !== null || side.sponsorClass !== 'unknown')) ??
    registrations[0]!;
  const enrollment = merged<number | null>(registrations, (r) => r.enrollmentCount, null);
  const same = (a: string, b: string): boolean => fold(a) === fold(b);
  const due = plainDue(registrations, filters);
  return [
    () => filters.q === undefined || matchesQuery(parseQuery(filters.q), all),
    () => filters.intervention === undefined || matchesQuery(textUnits(filters.intervention), interventions),
    () =>
      filters.sponsor === undefined ||
      (filters.sponsorMatch === 'exact'
        ? sponsorSide.sponsorName !== null && same(sponsorSide.sponsorName, filters.sponsor)
        : matchesQuery(textUnits(filters.sponsor), sponsors)),
    () => filters.condition === undefined || texts((r) => r.conditions).some((term) => same(term, filters.condition!)),
    () => filters.country === undefined || texts((r) => r.countries).some((term) => same(term, filters.country!)),
    () =>
      filters.status === undefined ||
      filters.status.some((value) =>
        [statusSide.status, statusSide.recruitmentStatus].includes((value === 'active' ? 'running' : value) as never),
      ),
    () =>
      filters.phase === undefined ||
      filters.phase.some(
        (value) => value === phase || (filters.phaseMatch !== 'exact' && parts(phase).includes(value)),
      ),
    () => filters.studyType === undefined || filters.studyType.includes(type),
    () => filters.registry === undefined || registrations.some(({ registry }) => filters.registry!.includes(registry)),
    () => filters.resultsAvailable === undefined || filters.resultsAvailable === results,
    () => filters.sponsorClass === undefined || filters.sponsorClass.includes(sponsorSide.sponsorClass),
    () => filters.anySponsor === undefined || matchesQuery(textUnits(filters.anySponsor), organisations(registrations)),
    () => filters.inBoth === undefined || filters.inBoth === sides(registrations).every((side) => side !== undefined),
    () =>
      filters.resultsGap === undefined ||
      filters.resultsGap === (due !== null && due.on <= filters.asOfDay! && !due.posted),
    () => filters.resultsDue === undefined || filters.resultsDue === (due !== null && due.on <= filters.asOfDay!),
    () => filters.resultsDueAfter === undefined || (due !== null && due.on >= filters.resultsDueAfter),
    () => filters.resultsDueBefore === undefined || (due !== null && due.on <= filters.resultsDueBefore),
    () => filters.age === undefined || holdsAge(registrations, filters.age),
    () => filters.sex === undefined || takes(registrations, filters.sex, filters.sexMatch === 'exact'),
    () =>
      filters.siteCountry === undefined ||
      registrations.some(({ sites }) =>
        sites.some(({ country }) => country !== null && same(country, filters.siteCountry!)),
      ),
    () => filters.sitePlace === undefined || sitesThere(registrations, filters).length > 0,
    () =>
      filters.siteStatus === undefined || filters.siteStatus.some((one) => statusThere(registrations, filters, one)),
    () =>
      filters.keyword === undefined ||
      matchesQuery(
        textUnits(filters.keyword),
        texts((r) => r.keywords),
      ),
    () =>
      atLeast(enrollment, filters.enrollmentMin) &&
      atLeast(
        enrollment === null ? null : -enrollment,
        filters.enrollmentMax === undefined ? undefined : -filters.enrollmentMax,
      ),
    () => within(date('primaryCompletion'), filters.primaryCompletionAfter, filters.primaryCompletionBefore),
    () => within(earliest(registrations), filters.firstPostedAfter, filters.firstPostedBefore),
    () => within(date('resultsPosted'), filters.resultsPostedAfter, filters.resultsPostedBefore),
    () => within(date('start'), filters.startedAfter, filters.startedBefore),
    () => within(date('completion'), filters.completedAfter, filters.completedBefore),
    () => within(latest({ canonicalId: '', aliases: [], registrations }), filters.updatedAfter, filters.updatedBefore),
  ].every((holds) => holds());
}

function takes(registrations: Registration[], asked: string[], isExact: boolean): boolean {
  const stated = registrations.find(({ sex }) => sex !== 'not-stated')?.sex ?? 'not-stated';
  return (
    asked.includes(stated) || (!isExact && stated === 'all' && asked.some((one) => one === 'female' || one === 'male'))
  );
}

/** Sites of the city and the country that are asked for, both of one site. */
function sitesThere(registrations: Registration[], { country, siteCountry, sitePlace }: TrialFilters) {
  const there = siteCountry ?? country;
  return registrations
    .flatMap(({ sites }) => sites)
    .filter((one) => there === undefined || fold(one.country ?? '') === fold(there))
    .filter((one) => sitePlace === undefined || fold(one.city ?? '') === fold(sitePlace));
}

/** A status that sites there state, or where none states any, that of a trial that is there. */
function statusThere(registrations: Registration[], filters: TrialFilters, status: string): boolean {
  const sites = sitesThere(registrations, filters);
  const stated = sites.flatMap((one) => one.status ?? []);
  if (stated.length > 0) return stated.includes(status);
  const own = sides(registrations).find((side) => side && side.status !== 'unknown') ?? registrations[0]!;
  const isAnywhere = [filters.country, filters.siteCountry, filters.sitePlace].every((one) => one === undefined);
  const isThere = isAnywhere || sites.length > 0 || (filters.siteCountry ?? filters.sitePlace) === undefined;
  return isThere && own.recruitmentStatus === status;
}

function organisations(registrations: Registration[]): string[] {
  return registrations.flatMap(({ sponsors, collaborators, funders }) =>
    [...sponsors, ...collaborators, ...funders].flatMap(({ name }) => name ?? []),
  );
}

/** The day on which the results of a trial of the population fall due; null for any other trial, and without the date. */
export function plainDue(
  registrations: Registration[],
  { gapClock, gapMonths }: Pick<TrialFilters, 'gapClock' | 'gapMonths'>,
): { on: number; posted: boolean } | null {
  const [record] = sides(registrations);
  if (record?.studyType !== 'interventional' || record.status !== 'completed') return null;
  const { primaryCompletion, completion } = record.dates;
  const completed = gapClock === 'completion' ? completion : (primaryCompletion ?? completion);
  if (completed === null) return null;
  return { on: addMonths(dayNumber(completed).last, Number(gapMonths ?? 18)), posted: record.resultsAvailable };
}

function holdsAge(registrations: Registration[], age: number): boolean {
  const record = registrations.find(({ minimumAge, maximumAge }) => minimumAge !== null || maximumAge !== null);
  if (record === undefined) return false;
  const { minimumAge, maximumAge } = record;
  return (
    (minimumAge === null || Math.floor(minimumAge) <= age) && (maximumAge === null || Math.floor(maximumAge) >= age)
  );
}

function atLeast(value: number | null, least: number | undefined): boolean {
  return least === undefined || (value !== null && value >= least);
}

function within(date: RegistryDate | null, after: number | undefined, before: number | undefined): boolean {
  if (after === undefined && before === undefined) return true;
  if (date === null) return false;
  const { first, last } = dayNumber(date);
  return (after === undefined || last >= after) && (before === undefined || first <= before);
}

function parts(phase: string): string[] {
  return /^\d-\d$/.test(phase) ? phase.split('-') : [];
}

function fold(text: string): string {
  return text.normalize('NFC').trim().split(/\s+/u).join(' ').toLowerCase();
}
