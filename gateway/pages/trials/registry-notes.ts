import { titleOfField } from '../words/trials.ts';

/** Notes of the index on a field, which name fields of the registries, in people's words. */

const FIELDS: Readonly<Record<string, string>> = {
  overallStatus: 'the status as the registry states it',
  lastKnownStatus: 'last known status',
  overallEndDate: 'end of the trial',
  overallStatusOverride: 'status set by the registry',
  recruitmentStart: 'start of recruitment',
  recruitmentEnd: 'end of recruitment',
  recruitmentStatusOverride: 'recruitment as set by the registry',
  recruitmentStartStatusOverride: 'start of recruitment as set by the registry',
  totalFinalEnrolment: 'number of people who took part',
  targetEnrolment: 'number of people planned',
  'enrollmentInfo.count': 'number of people',
  'hasResults true': 'the registry says that it has results',
  'hasResults false': 'the registry says that it has none',
};
/** The longer name first, since some begin with another. */
const NAMES = new RegExp(
  `\\b(?:${Object.keys(FIELDS)
    .sort((one, other) => other.length - one.length)
    .map((name) => name.replace('.', '\\.'))
    .join('|')})\\b`,
  'g',
);
const DERIVED = /^derived from /;

export function noteInWords(note: string): string {
  return note.replace(DERIVED, 'worked out from ').replaceAll(NAMES, (name) => FIELDS[name]!);
}

/** A note of why no number is given; null where every field is simply blank, which reads "not stated". */
export function unstated(note: string | null): string | null {
  if (note === null || note.split('; ').every((part) => part.endsWith(' is blank'))) return null;
  return noteInWords(note);
}

const UNREADABLE = /^(\w+?)(?:Date)? unreadable: (.*)$/s;

/** A date that a registry states and that cannot be read: the field, and the text. */
export function unreadableDate(note: string): { field: string; text: string } {
  const [, field = '', text = note] = UNREADABLE.exec(note) ?? [];
  const known = FIELDS[field] ?? FIELDS[`${field}Date`] ?? titleOfField(`dates.${field}`);
  return { field: known.startsWith('dates.') ? field : known, text };
}

/** Whether the registry states no status, so that it follows from dates and the day of the snapshot. */
export function isFromDates(basis: string | null): boolean {
  return basis !== null && DERIVED.test(basis);
}
