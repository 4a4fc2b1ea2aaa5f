import { join } from 'node:path';
import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/vocabularies.ts';
import type { RegistryDate } from '../../../snapshot/format/registration.ts';
import { ROWS_FILE, SPONSORS_FILE, TRIAL_COUNT_KEY } from '../../../snapshot/format/serving.ts';
import {
  COMPLETENESS_FIELDS,
  type ColumnWidth,
  foldTerm,
  GAP,
  LINK_FLAGS,
  NO_AGE,
  NO_SPONSOR,
  NOT_STATED,
  ROW_COLUMNS,
  type RowColumn,
  registryNumber,
} from '../../../snapshot/format/serving-columns.ts';
import { dayNumber } from '../../../snapshot/format/words/dates.ts';
import { numberData, textData, writeColumns } from '../../../snapshot/image/arrow-file.ts';
import type { NumberArray } from '../../../snapshot/image/growable.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

type RowValues = Record<RowColumn, number>;

const ARRAYS: Record<ColumnWidth, new (length: number) => NumberArray> = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
};
const COLUMN_NAMES = Object.keys(ROW_COLUMNS) as RowColumn[];
/** Type of the identifiers by which a registration names records of the other registry. */
const OTHER_REGISTRY_ID = { clinicaltrials_gov: 'isrctn', isrctn: 'nct' } as const;
const LARGEST_INT32 = 2_147_483_647;

/** Gathers rows.arrow and sponsors.arrow. Every row is added once, in order. */
export class RowGatherer {
  readonly #columns: Record<RowColumn, NumberArray>;
  /** Numbers of sponsors by folded name; the first row that states one gives its spelling. */
  readonly #sponsors = new Map<string, number>();
  readonly #sponsorNames: string[] = [];

  constructor(trials: number) {
    this.#columns = Object.fromEntries(
      COLUMN_NAMES.map((name) => [name, new ARRAYS[ROW_COLUMNS[name]](trials)]),
    ) as Record<RowColumn, NumberArray>;
  }

  add(parts: TrialParts): void {
    const sponsor = this.#sponsorNumber(parts.merged.sponsor.name);
    const values: RowValues = { ...trialValues(parts), ...registrationValues(parts), sponsor };
    for (const name of COLUMN_NAMES) this.#columns[name][parts.row] = values[name];
  }

  write(outDir: string): void {
    const columns = Object.fromEntries(COLUMN_NAMES.map((name) => [name, numberData(this.#columns[name])]));
    const trials = this.#columns.status.length;
    writeColumns(join(outDir, ROWS_FILE), columns, { [TRIAL_COUNT_KEY]: String(trials) });
    writeColumns(join(outDir, SPONSORS_FILE), { name: textData(this.#sponsorNames) });
  }

  #sponsorNumber(name: string | null): number {
    if (name === null) return NO_SPONSOR;
    const folded = foldTerm(name);
    const known = this.#sponsors.get(folded);
    if (known !== undefined) return known;
    this.#sponsors.set(folded, this.#sponsorNames.length);
    return this.#sponsorNames.push(name) - 1;
  }
}

function trialValues({ trial, merged, registrations, identifiers, links }: TrialParts) {
  const start = days(merged.dates.start);
  const completion = days(merged.dates.completion);
  const updated = days(merged.dates.lastUpdated);
  const primaryCompletion = days(merged.dates.primaryCompletion);
  const unresolved = identifiers.filter(
    ({ registry, type, role, inIndex }) =>
      (role === 'declared' || role === 'repaired') && !inIndex && type === OTHER_REGISTRY_ID[registry],
  );
  return {
    status: place(TRIAL_STATUSES, merged.status, trial.canonical_id),
    recruitment: place(RECRUITMENT_STATUSES, merged.recruitmentStatus, trial.canonical_id),
    phase: place(PHASES, merged.phase, trial.canonical_id),
    studyType: place(STUDY_TYPES, merged.studyType, trial.canonical_id),
    sponsorClass: place(SPONSOR_CLASSES, merged.sponsor.class, trial.canonical_id),
    registries: registrations.reduce((bits, { registry }) => bits | (1 << registryNumber(registry)), 0),
    results: merged.resultsAvailable ? 1 : 0,
    startFirst: start.first,
    startLast: start.last,
    completionFirst: completion.first,
    completionLast: completion.last,
    updatedFirst: updated.first,
    updatedLast: updated.last,
    postedFirst: days(merged.dates.firstPosted).first,
    primaryCompletionFirst: primaryCompletion.first,
    primaryCompletionLast: primaryCompletion.last,
    resultsPostedFirst: days(merged.dates.resultsPosted).first,
    ...ages(registrations),
    enrollment: enrollment(merged.enrollment.count),
    links: linkFlags(links),
    unresolved: new Set(unresolved.map(({ registrationId, value }) => `${registrationId} ${value}`)).size,
  };
}

/** Both limits come from one registration: one that states the youngest age only has no limit above. */
function ages(registrations: readonly RegistrationRow[]): { minAge: number; maxAge: number } {
  const stating = registrations.find(
    ({ own: { eligibility } }) => eligibility.minimumAge !== null || eligibility.maximumAge !== null,
  );
  const { minimumAge = null, maximumAge = null } = stating?.own.eligibility ?? {};
  return { minAge: completedYears(minimumAge), maxAge: completedYears(maximumAge) };
}

/** Ages read from a registry are at most 150 years. */
function completedYears(age: number | null): number {
  return age === null ? NO_AGE : Math.floor(age);
}

function linkFlags(links: TrialParts['links']): number {
  let flags = 0;
  const registryOf = (id: string): string => id.replace(/\d+$/, '');
  for (const { verdict, direction, conflict, from, to } of links) {
    if (conflict) flags |= LINK_FLAGS.conflict;
    // One inside a registry leads to a superseded record and joins no registrations.
    if (verdict !== 'accepted' || registryOf(from) === registryOf(to)) continue;
    if (direction === 'mutual') flags |= LINK_FLAGS.mutual;
    else if (direction === 'one-way') flags |= LINK_FLAGS.oneWay;
    else flags |= LINK_FLAGS.shared;
  }
  return flags;
}

function registrationValues({ registrations }: TrialParts) {
  const values = {
    presence0: 0,
    presence1: 0,
    gap0: GAP.outside as number,
    gap1: GAP.outside as number,
    gapDay0: NOT_STATED,
    gapDay1: NOT_STATED,
  };
  for (const registration of registrations) {
    const number = registryNumber(registration.registry);
    const gap = resultsGap(registration);
    values[`presence${number}`] = presence(registration);
    values[`gap${number}`] = gap.standing;
    values[`gapDay${number}`] = gap.day;
  }
  return values;
}

function presence({ common, own, eligibility }: RegistrationRow): number {
  const fields = { ...common, ...own, eligibilityText: eligibility };
  return COMPLETENESS_FIELDS.reduce((bits, { stated }, bit) => (stated(fields) ? bits | (1 << bit) : bits), 0) >>> 0;
}

/**
 * Only completed interventional registrations are in the gap. Their clock runs from the primary completion, else from
 * the completion; a month counts as its last day.
 */
function resultsGap({ common }: RegistrationRow): { standing: number; day: number } {
  if (common.studyType !== 'interventional' || common.status !== 'completed') {
    return { standing: GAP.outside, day: NOT_STATED };
  }
  return {
    standing: common.resultsAvailable ? GAP.withResults : GAP.withoutResults,
    day: days(common.dates.primaryCompletion ?? common.dates.completion).last,
  };
}

type Days = ReturnType<typeof dayNumber>;
const NO_DAYS: Days = { first: NOT_STATED, last: NOT_STATED };
/** By text, which has the precision; registries use a few ten thousand different dates. */
const knownDays = new Map<string, Days>();

function days(date: RegistryDate | null): Days {
  if (date === null) return NO_DAYS;
  const found = knownDays.get(date.date) ?? dayNumber(date);
  knownDays.set(date.date, found);
  return found;
}

/** A count beyond 32 bits cannot be a number of people: the record keeps it, sums leave it out. */
function enrollment(count: number | null): number {
  return count === null || count > LARGEST_INT32 ? NOT_STATED : count;
}

function place(vocabulary: readonly string[], value: string, canonicalId: string): number {
  const found = vocabulary.indexOf(value);
  if (found < 0)
    throw new Error(`trial ${canonicalId} has the value "${value}", which is none of ${vocabulary.join(', ')}`);
  return found;
}
