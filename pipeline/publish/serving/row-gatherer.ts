import {
  PHASES,
  RECRUITMENT_STATUSES,
  SPONSOR_CLASSES,
  STUDY_TYPES,
  TRIAL_STATUSES,
} from '../../../contract/schemas/trial.ts';
import { dayNumber } from '../../../snapshot-format/dates.ts';
import type { RegistryDate } from '../../../snapshot-format/registration.ts';
import { TRIAL_COUNT_KEY } from '../../../snapshot-format/serving.ts';
import {
  COMPLETENESS_FIELDS,
  type ColumnWidth,
  foldTerm,
  GAP,
  LINK_FLAGS,
  NO_SPONSOR,
  NOT_STATED,
  ROW_COLUMNS,
  type RowColumn,
  registryNumber,
} from '../../../snapshot-format/serving-columns.ts';
import { ArrowFile, BINARY, binaryData, INT32, numberData, UINT8, UINT16, UINT32 } from './arrow-file.ts';
import { ByteColumn, Growable } from './growable.ts';
import { registrationFields } from './present-trial.ts';
import type { RegistrationRow, TrialParts } from './trial-parts.ts';

type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array;
type RowValues = Record<RowColumn, number>;

const ARRAYS: Record<ColumnWidth, new (length: number) => NumberArray> = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  i32: Int32Array,
};
const TYPES = { u8: UINT8, u16: UINT16, u32: UINT32, i32: INT32 };
const COLUMN_NAMES = Object.keys(ROW_COLUMNS) as RowColumn[];
/** Identifier type by which a registration names a record of the other registry. */
const OTHER_REGISTRY_ID = { clinicaltrials_gov: 'isrctn', isrctn: 'nct' } as const;
const LARGEST_INT32 = 2_147_483_647;

/** Gathers the fixed-width columns of rows.arrow and the sponsor names of sponsors.arrow. */
export class RowGatherer {
  readonly #columns = new Map<RowColumn, Growable<NumberArray>>(
    COLUMN_NAMES.map((name) => [name, new Growable(ARRAYS[ROW_COLUMNS[name]])]),
  );
  /** Number of a sponsor by its folded name; the spelling met first is the one that is shown. */
  readonly #sponsorNumbers = new Map<string, number>();
  readonly #sponsorNames = new ByteColumn();
  #rows = 0;

  add(parts: TrialParts): void {
    const values: RowValues = { ...trialValues(parts), ...registrationValues(parts), sponsor: this.#sponsor(parts) };
    for (const name of COLUMN_NAMES) this.#columns.get(name)?.push(values[name]);
    this.#rows += 1;
  }

  write(rowsPath: string, sponsorsPath: string): void {
    const types = Object.fromEntries(COLUMN_NAMES.map((name) => [name, TYPES[ROW_COLUMNS[name]]]));
    using rows = new ArrowFile(rowsPath, types, { [TRIAL_COUNT_KEY]: String(this.#rows) });
    rows.write(COLUMN_NAMES.map((name) => numberData((this.#columns.get(name) as Growable<NumberArray>).view())));
    rows.close();
    using sponsors = new ArrowFile(sponsorsPath, { name: BINARY });
    sponsors.write([binaryData(this.#sponsorNames.take())]);
    sponsors.close();
  }

  #sponsor({ trial }: TrialParts): number {
    if (trial.sponsor_name === null) return NO_SPONSOR;
    const folded = foldTerm(trial.sponsor_name);
    const known = this.#sponsorNumbers.get(folded);
    if (known !== undefined) return known;
    const number = this.#sponsorNumbers.size;
    this.#sponsorNumbers.set(folded, number);
    this.#sponsorNames.appendText(trial.sponsor_name);
    return number;
  }
}

function trialValues({ trial, registrations, identifiers, links }: TrialParts) {
  const start = days(trial.start_date);
  const completion = days(trial.completion_date);
  const updated = days(trial.last_updated_date);
  const unresolved = identifiers.filter(
    ({ registry, type, role, inIndex }) => role === 'declared' && !inIndex && type === OTHER_REGISTRY_ID[registry],
  );
  return {
    status: place(TRIAL_STATUSES, trial.status, trial.canonical_id),
    recruitment: place(RECRUITMENT_STATUSES, trial.recruitment_status, trial.canonical_id),
    phase: place(PHASES, trial.phase, trial.canonical_id),
    studyType: place(STUDY_TYPES, trial.study_type, trial.canonical_id),
    sponsorClass: place(SPONSOR_CLASSES, trial.sponsor_class, trial.canonical_id),
    registries: registrations.reduce((bits, { registry }) => bits | (1 << registryNumber(registry)), 0),
    results: trial.results_available ? 1 : 0,
    startFirst: start.first,
    startLast: start.last,
    completionFirst: completion.first,
    completionLast: completion.last,
    updatedFirst: updated.first,
    updatedLast: updated.last,
    postedFirst: days(trial.first_posted_date).first,
    enrollment: enrollment(trial.enrollment_count),
    links: linkFlags(links),
    unresolved: new Set(unresolved.map(({ registrationId, value }) => `${registrationId} ${value}`)).size,
  };
}

function linkFlags(links: TrialParts['links']): number {
  let flags = 0;
  for (const { verdict, direction, conflict } of links) {
    if (conflict) flags |= LINK_FLAGS.conflict;
    if (verdict !== 'accepted') continue;
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

function presence(registration: RegistrationRow): number {
  const fields = { ...registrationFields(registration), eligibilityText: registration.eligibility_text };
  return COMPLETENESS_FIELDS.reduce((bits, { stated }, bit) => (stated(fields) ? bits | (1 << bit) : bits), 0);
}

/** Completed interventional registrations; the clock runs from primary, else overall, completion (a month's last day). */
function resultsGap(registration: RegistrationRow): { standing: number; day: number } {
  if (registration.study_type !== 'interventional' || registration.status !== 'completed') {
    return { standing: GAP.outside, day: NOT_STATED };
  }
  return {
    standing: registration.results_available ? GAP.withResults : GAP.withoutResults,
    day: days(registration.primary_completion_date ?? registration.completion_date).last,
  };
}

type Days = ReturnType<typeof dayNumber>;
const NO_DAYS: Days = { first: NOT_STATED, last: NOT_STATED };
/** Registries name a few ten thousand dates, again and again. */
const CACHED_DATES = 100_000;
const knownDays = { day: new Map<string, Days>(), month: new Map<string, Days>() };

function days(date: RegistryDate | null): Days {
  if (date === null) return NO_DAYS;
  const cache = knownDays[date.precision];
  const known = cache.get(date.date);
  if (known !== undefined) return known;
  const found = dayNumber(date);
  if (cache.size >= CACHED_DATES) cache.clear();
  cache.set(date.date, found);
  return found;
}

/** Counts beyond 32 bits are no people; they are kept in the record and left out of the sums. */
function enrollment(count: number | null): number {
  return count === null || count > LARGEST_INT32 ? NOT_STATED : count;
}

function place(vocabulary: readonly string[], value: string, canonicalId: string): number {
  const found = vocabulary.indexOf(value);
  if (found < 0)
    throw new Error(`trial ${canonicalId} has the value "${value}", which is none of ${vocabulary.join(', ')}`);
  return found;
}
