import type { RegistrationFields } from '../../snapshot/format/registration.ts';
import type { Fields } from './fields.ts';
import { actualOrEstimated } from './values.ts';

/** The number of people, as each registry states it. */
const SOURCES = {
  clinicaltrials_gov: {
    count: 'protocolSection.designModule.enrollmentInfo.count',
    type: 'protocolSection.designModule.enrollmentInfo.type',
  },
  isrctn: { final: 'participants.totalFinalEnrolment', target: 'participants.targetEnrolment' },
} as const;

type Enrollment = Pick<RegistrationFields, 'enrollmentCount' | 'enrollmentType' | 'enrollmentRaw' | 'enrollmentNote'>;

export interface Count {
  count: number | null;
  /** Why `count` is null; null when it is a number. */
  note: string | null;
}

/** No trial has enrolled this many people; larger numbers are fillers like 2147483647. */
const MAX_PEOPLE = 100_000_000;
/** The registries' forms accept only digits, so sponsors write one digit again and again for "no number": 999999, 88888888. */
const REPEATED_DIGIT = /^([1-9])\1{5,}$/;
/** Or they count: 123456, 12345678. */
const COUNTING = '1234567890';
const COUNTING_MIN_DIGITS = 6;

function isSentinel(digits: string): boolean {
  return REPEATED_DIGIT.test(digits) || (digits.length >= COUNTING_MIN_DIGITS && COUNTING.startsWith(digits));
}

/** Number of people from a text (`200`, `3,060`). Sentinels and all other texts become null with a reason. */
export function readCount(raw: string | null, field: string): Count {
  if (raw === null) return { count: null, note: `${field} is blank` };
  const text = raw.trim();
  const grouped = /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text;
  // ISRCTN writes some whole numbers as decimals.
  const digits = grouped.replace(/\.0+$/, '');
  if (/^-\d+$/.test(digits)) return { count: null, note: `${field} ${text.slice(0, 80)} is no number of people` };
  if (!/^\d+$/.test(digits)) return { count: null, note: `${field} ${text.slice(0, 80)} is not a whole number` };
  if (isSentinel(digits)) return { count: null, note: `${field} ${digits} stands for no number` };
  const count = Number(digits);
  if (count > MAX_PEOPLE) return { count: null, note: `${field} ${digits} is larger than any trial` };
  return { count, note: null };
}

/** `hasEnded`: whether the record itself says that the trial has ended, which decides what a final 0 at ISRCTN means. */
export function enrollmentOf(record: Fields, hasEnded = false): Enrollment {
  if (record.registry === 'isrctn') {
    const { final, target } = SOURCES.isrctn;
    return finalOrTarget(record.numberText(final), record.numberText(target), hasEnded);
  }
  const { count: path, type } = SOURCES.clinicaltrials_gov;
  const enrollmentRaw = record.numberText(path);
  const { count, note } = readCount(enrollmentRaw, 'enrollmentInfo.count');
  const enrollmentType = count === null ? null : actualOrEstimated(record.text(type));
  return { enrollmentCount: count, enrollmentType, enrollmentRaw, enrollmentNote: note };
}

/** The final number once it is known, else the target. */
export function finalOrTarget(
  totalFinalEnrolment: string | null,
  targetEnrolment: string | null,
  hasEnded: boolean,
): Enrollment {
  const raw = Object.entries({ targetEnrolment, totalFinalEnrolment }).flatMap(([field, value]) =>
    value === null ? [] : [`${field} ${value}`],
  );
  const enrollmentRaw = raw.length === 0 ? null : raw.join('; ');
  const final = readCount(totalFinalEnrolment, 'totalFinalEnrolment');
  if (final.count !== null && (final.count > 0 || hasEnded)) {
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
