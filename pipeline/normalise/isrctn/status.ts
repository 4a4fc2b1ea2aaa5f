import type {
  RecruitmentStatus,
  RegistrationFields,
  RegistryDate,
  TrialStatus,
} from '../../../snapshot/format/registration.ts';
import { EVERY_DAY, type ValidDays } from '../record.ts';
import { readCount } from '../values.ts';

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

/** True when the whole day or month lies before the day. */
function isPast(date: RegistryDate, asOf: string): boolean {
  return asOf >= dayAfter(date);
}

/** True when the whole day or month lies after the day. */
function isAhead(date: RegistryDate, asOf: string): boolean {
  return asOf < firstDay(date);
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
  const { overallStatusOverride: override, overallEndDate: end, recruitmentStart, recruitmentEnd } = inputs;
  const overridden = override === null ? undefined : OVERALL_OVERRIDES.get(override.toLowerCase());
  if (overridden !== undefined) {
    return { value: overridden, because: [`overallStatusOverride ${override}`], dated: false };
  }
  const unreadable = unreadableOf(inputs, 'overallEndDate');
  const because = [
    ...(override === null ? [] : [`overallStatusOverride ${override} (not a known value)`]),
    ...unreadable,
  ];
  if (end !== null) {
    because.push(`overallEndDate ${end.date}`);
    return { value: isPast(end, asOf) ? 'completed' : 'running', because, dated: true };
  }
  if (recruitmentEnd !== null && !isPast(recruitmentEnd, asOf)) {
    return { value: 'running', because: [...because, `recruitmentEnd ${recruitmentEnd.date}`], dated: true };
  }
  if (recruitmentStart !== null && isAhead(recruitmentStart, asOf)) {
    return { value: 'running', because: [...because, `recruitmentStart ${recruitmentStart.date}`], dated: true };
  }
  return {
    value: 'unknown',
    because: unreadable.length > 0 ? because : [...because, 'no overallEndDate'],
    dated: false,
  };
}

/** The finer value of a running trial. */
function recruitmentOfRunning(inputs: StatusInputs, asOf: string): Verdict<RecruitmentStatus> {
  const overrides = [
    ['recruitmentStatusOverride', inputs.recruitmentStatusOverride],
    ['recruitmentStartStatusOverride', inputs.recruitmentStartStatusOverride],
  ] as const;
  const because: string[] = [];
  for (const [field, override] of overrides) {
    if (override === null) continue;
    const value = RECRUITMENT_OVERRIDES.get(override.toLowerCase());
    if (value !== undefined) return { value, because: [`${field} ${override}`], dated: false };
    because.push(`${field} ${override} (not a known value)`);
  }
  const { recruitmentStart: start, recruitmentEnd: end } = inputs;
  because.push(...unreadableOf(inputs, 'recruitmentStart', 'overallStartDate', 'recruitmentEnd'));
  if (start !== null) because.push(`recruitmentStart ${start.date}`);
  if (end !== null) because.push(`recruitmentEnd ${end.date}`);
  if (start !== null && isAhead(start, asOf)) return { value: 'not_yet_recruiting', because, dated: true };
  if (end !== null && isPast(end, asOf)) return { value: 'active_not_recruiting', because, dated: true };
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
function saysEnded(inputs: StatusInputs, updated: RegistryDate | null): boolean {
  const override = inputs.overallStatusOverride?.toLowerCase();
  const overridden = override === undefined ? undefined : OVERALL_OVERRIDES.get(override);
  if (overridden !== undefined) return overridden === 'completed' || overridden === 'terminated';
  return inputs.overallEndDate !== null && updated !== null && isPast(inputs.overallEndDate, updated.date);
}

/** Number of people of an ISRCTN record last updated on `updated`: its final number once it is known, else its target. */
export function isrctnEnrollment(
  inputs: StatusInputs,
  targetEnrolment: string | null,
  updated: RegistryDate | null,
): Pick<RegistrationFields, 'enrollmentCount' | 'enrollmentType' | 'enrollmentRaw' | 'enrollmentNote'> {
  const { totalFinalEnrolment } = inputs;
  const stated = { targetEnrolment, totalFinalEnrolment };
  const raw = Object.entries(stated).flatMap(([field, value]) => (value === null ? [] : [`${field} ${value}`]));
  const enrollmentRaw = raw.length === 0 ? null : raw.join('; ');
  const final = readCount(totalFinalEnrolment, 'totalFinalEnrolment');
  if (final.count !== null && (final.count > 0 || saysEnded(inputs, updated))) {
    const enrollmentNote =
      final.count > 0 ? null : 'totalFinalEnrolment 0: nobody took part, or the form filled it in for no number';
    return { enrollmentCount: final.count, enrollmentType: 'actual', enrollmentRaw, enrollmentNote };
  }
  const target = readCount(targetEnrolment, 'targetEnrolment');
  if (target.count !== null) {
    // A stated final number that is not taken is named; a blank one says nothing.
    const enrollmentNote = totalFinalEnrolment === null ? null : final.note;
    return { enrollmentCount: target.count, enrollmentType: 'estimated', enrollmentRaw, enrollmentNote };
  }
  // The form fills in 0 until a final number is known.
  const finalNote =
    final.count === 0
      ? 'totalFinalEnrolment 0 means not known until the record says that the trial has ended'
      : final.note;
  return {
    enrollmentCount: null,
    enrollmentType: null,
    enrollmentRaw,
    enrollmentNote: [finalNote, target.note].join('; '),
  };
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
