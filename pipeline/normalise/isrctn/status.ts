import type {
  RecruitmentStatus,
  RegistrationFields,
  RegistryDate,
  TrialStatus,
} from '../../../snapshot/format/registration.ts';
import { readCount } from '../enrollment.ts';
import { EVERY_DAY, type ValidDays } from '../record.ts';

/** A date of the record that the derivation looks at. */
export type StatusDate = 'overallEndDate' | 'overallStartDate' | 'recruitmentStart' | 'recruitmentEnd';

/**
 * ISRCTN states no status: its site derives one from two overrides, three dates and the present day. We do the same for
 * a stated day.
 */
export interface StatusInputs {
  overallStatusOverride: string | null;
  recruitmentStatusOverride: string | null;
  recruitmentStartStatusOverride: string | null;
  overallEndDate: RegistryDate | null;
  recruitmentStart: RegistryDate | null;
  recruitmentEnd: RegistryDate | null;
  /** Texts of the dates that are stated and cannot be read. */
  unreadable: Partial<Record<StatusDate, string>>;
  totalFinalEnrolment: string | null;
}

/** The fields that follow from dates and the as-of day. No other field may change because a day has passed. */
export type DerivedFields = Pick<RegistrationFields, 'status' | 'recruitmentStatus' | 'statusBasis'>;

const OVERALL_OVERRIDES: ReadonlyMap<string, TrialStatus> = new Map<string, TrialStatus>([
  ['stopped', 'terminated'],
  ['suspended', 'suspended'],
  // The start was put off; like a suspended trial, the trial may still go on.
  ['deferred', 'suspended'],
  ['completed', 'completed'],
  ['ongoing', 'running'],
]);

const RECRUITMENT_OVERRIDES: ReadonlyMap<string, RecruitmentStatus> = new Map<string, RecruitmentStatus>([
  ['suspended', 'suspended'],
  ['stopped', 'active_not_recruiting'],
  ['no longer recruiting', 'active_not_recruiting'],
  ['recruiting', 'recruiting'],
  ['not yet recruiting', 'not_yet_recruiting'],
  ['deferred', 'not_yet_recruiting'],
  ['enrolling by invitation', 'enrolling_by_invitation'],
]);

interface Verdict<T> {
  value: T;
  /** The fields and values that it follows from. */
  because: string[];
  /** True when it depends on the as-of day. */
  dated: boolean;
}

type Override = 'overallStatusOverride' | 'recruitmentStatusOverride' | 'recruitmentStartStatusOverride';

/** The first of these overrides that is a known word decides; else what the basis says of the others. */
function overridden<T>(inputs: StatusInputs, fields: Override[], words: ReadonlyMap<string, T>): Verdict<T> | string[] {
  const unknown: string[] = [];
  for (const field of fields) {
    const text = inputs[field];
    if (text === null) continue;
    const value = words.get(text.toLowerCase());
    if (value !== undefined) return { value, because: [`${field} ${text}`], dated: false };
    unknown.push(`${field} ${text} (not a known value)`);
  }
  return unknown;
}

/** The first day that a date may mean. */
function firstDay({ date, precision }: RegistryDate): string {
  return precision === 'month' ? `${date}-01` : date;
}

/** The first day after all that a date may mean. */
function dayAfter({ date, precision }: RegistryDate): string {
  const next = new Date(date);
  if (precision === 'month') next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 'YYYY-MM-DD'.length);
}

function isPast(date: RegistryDate | null, asOf: string): boolean {
  return date !== null && asOf >= dayAfter(date);
}

function isAhead(date: RegistryDate | null, asOf: string): boolean {
  return date !== null && asOf < firstDay(date);
}

/** The days around `asOf` on which the record has the same status, so that it need not be read again. */
export function validDays(inputs: StatusInputs, asOf: string): ValidDays {
  const dates = [inputs.overallEndDate, inputs.recruitmentStart, inputs.recruitmentEnd];
  const valid = { ...EVERY_DAY };
  for (const date of dates) {
    for (const day of date === null ? [] : [firstDay(date), dayAfter(date)]) {
      if (day > asOf && day < valid.until) valid.until = day;
      if (day <= asOf && day > valid.from) valid.from = day;
    }
  }
  return valid;
}

/** Longest text of an unreadable date that a basis shows. */
const SHOWN_CHARACTERS = 80;

/** What a basis says of dates that are stated and cannot be read. */
function unreadableOf({ unreadable }: StatusInputs, ...dates: StatusDate[]): string[] {
  return dates.flatMap((date) => {
    const text = unreadable[date];
    return text === undefined ? [] : [`${date} ${text.slice(0, SHOWN_CHARACTERS)} (unreadable)`];
  });
}

function overallStatus(inputs: StatusInputs, asOf: string): Verdict<TrialStatus> {
  const { overallEndDate: end, recruitmentStart, recruitmentEnd } = inputs;
  const unknown = overridden(inputs, ['overallStatusOverride'], OVERALL_OVERRIDES);
  if (!Array.isArray(unknown)) return unknown;
  const unreadable = unreadableOf(inputs, 'overallEndDate');
  const because = [...unknown, ...unreadable];
  const from = (value: TrialStatus, field: StatusDate, { date }: RegistryDate): Verdict<TrialStatus> => {
    return { value, because: [...because, `${field} ${date}`], dated: true };
  };
  if (end !== null) return from(isPast(end, asOf) ? 'completed' : 'running', 'overallEndDate', end);
  if (recruitmentEnd !== null && !isPast(recruitmentEnd, asOf))
    return from('running', 'recruitmentEnd', recruitmentEnd);
  if (recruitmentStart !== null && isAhead(recruitmentStart, asOf))
    return from('running', 'recruitmentStart', recruitmentStart);
  if (unreadable.length === 0) because.push('no overallEndDate');
  return { value: 'unknown', because, dated: false };
}

/** The finer value of a running trial. */
function recruitmentOfRunning(inputs: StatusInputs, asOf: string): Verdict<RecruitmentStatus> {
  const fields: Override[] = ['recruitmentStatusOverride', 'recruitmentStartStatusOverride'];
  const because = overridden(inputs, fields, RECRUITMENT_OVERRIDES);
  if (!Array.isArray(because)) return because;
  const { recruitmentStart: start, recruitmentEnd: end } = inputs;
  because.push(...unreadableOf(inputs, 'recruitmentStart', 'overallStartDate', 'recruitmentEnd'));
  if (start !== null) because.push(`recruitmentStart ${start.date}`);
  if (end !== null) because.push(`recruitmentEnd ${end.date}`);
  if (isAhead(start, asOf)) return { value: 'not_yet_recruiting', because, dated: true };
  if (isPast(end, asOf)) return { value: 'active_not_recruiting', because, dated: true };
  if (start !== null) return { value: 'recruiting', because, dated: true };
  return { value: 'unknown', because: [...because, 'no recruitmentStart that can be read'], dated: false };
}

function recruitmentStatus(status: TrialStatus, inputs: StatusInputs, asOf: string): Verdict<RecruitmentStatus> {
  if (status === 'running') return recruitmentOfRunning(inputs, asOf);
  if (status === 'expanded_access') throw new Error('ISRCTN has no expanded access');
  return { value: status, because: [], dated: false };
}

/**
 * Whether the record itself says that the trial has ended: by its override, else by an end before its last update. A
 * planned end that has passed since says nothing.
 */
export function saysEnded(inputs: StatusInputs, updated: RegistryDate | null): boolean {
  const override = overridden(inputs, ['overallStatusOverride'], OVERALL_OVERRIDES);
  if (!Array.isArray(override)) return override.value === 'completed' || override.value === 'terminated';
  return updated !== null && isPast(inputs.overallEndDate, updated.date);
}

/**
 * Status of an ISRCTN record as of a day (YYYY-MM-DD). An end date before that day means ended; the end day itself still
 * counts as running, as on the registry's site.
 */
export function deriveIsrctnStatus(inputs: StatusInputs, asOf: string): DerivedFields {
  const overall = overallStatus(inputs, asOf);
  const recruitment = recruitmentStatus(overall.value, inputs, asOf);
  const because = [...overall.because, ...recruitment.because];
  if (overall.value === 'terminated' && readCount(inputs.totalFinalEnrolment, '').count === 0) {
    because.push('totalFinalEnrolment 0, so it may have stopped before anyone took part');
  }
  const dated = overall.dated || recruitment.dated;
  return {
    status: overall.value,
    recruitmentStatus: recruitment.value,
    statusBasis: dated ? `derived from ${because.join(', ')} as of the snapshot's day` : because.join(', '),
  };
}
