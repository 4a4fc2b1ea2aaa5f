import type { z } from 'zod';
import type { conflictSchema, RegistrationFieldsRecord } from '../../../contract/schemas/trial.ts';
import { DATE_FIELDS, type RegistryDate } from '../../../snapshot-format/registration.ts';
import { foldTerm } from '../../../snapshot-format/serving-columns.ts';
import type { RegistrationRow } from './trial-parts.ts';

type Conflict = z.infer<typeof conflictSchema>;
type ShownValue = Conflict['values'][number]['value'];

interface ComparedField {
  field: string;
  /** What is shown; null when the registry does not state it, and then there is nothing to differ from. */
  shown: (fields: RegistrationFieldsRecord) => ShownValue;
  /** What is compared: equal strings are no conflict. */
  compared: (fields: RegistrationFieldsRecord) => string;
}

/** Texts differ only when more than case, white space or the Unicode form differs. */
const text = (field: string, value: (fields: RegistrationFieldsRecord) => string | null): ComparedField => ({
  field,
  shown: value,
  compared: (fields) => foldTerm(value(fields) ?? ''),
});

const vocabulary = (
  field: string,
  value: (fields: RegistrationFieldsRecord) => string,
  notStated: string,
): ComparedField => ({
  field,
  shown: (fields) => (value(fields) === notStated ? null : value(fields)),
  compared: value,
});

const list = (field: string, values: (fields: RegistrationFieldsRecord) => string[]): ComparedField => ({
  field,
  shown: (fields) => (values(fields).length === 0 ? null : values(fields)),
  compared: (fields) => [...new Set(values(fields).map(foldTerm))].sort().join('\n'),
});

const COMPARED: ComparedField[] = [
  text('title', (fields) => fields.title),
  text('officialTitle', (fields) => fields.officialTitle),
  text('acronym', (fields) => fields.acronym),
  vocabulary('status', (fields) => fields.status, 'unknown'),
  vocabulary('phase', (fields) => fields.phase, 'not-stated'),
  vocabulary('studyType', (fields) => fields.studyType, 'unknown'),
  text('sponsor', (fields) => fields.sponsor.name),
  {
    field: 'enrollment',
    shown: (fields) => (fields.enrollment.count === null ? null : fields.enrollment),
    compared: (fields) => String(fields.enrollment.count),
  },
  list('countries', (fields) => fields.countries),
  list('conditions', (fields) => fields.conditions),
  list('interventions', (fields) => fields.interventions.flatMap((item) => item.name ?? [])),
];

const RESULTS: ComparedField = {
  field: 'resultsAvailable',
  shown: (fields) => fields.resultsAvailable,
  compared: (fields) => String(fields.resultsAvailable),
};

/**
 * The fields that the two registrations of a trial both state and state differently; none for a trial with one.
 * Dates are compared at the precision that both have.
 */
export function conflictsBetween(registrations: RegistrationRow[], fieldsOf: RegistrationFieldsRecord[]): Conflict[] {
  const [first, second] = fieldsOf;
  if (first === undefined || second === undefined) return [];
  const conflict = (field: string, one: ShownValue, other: ShownValue): Conflict => ({
    field,
    values: [one, other].map((value, place) => {
      const { registry, id } = registrations[place] as RegistrationRow;
      return { registry, id, value };
    }),
  });
  const differing = ({ field, shown, compared }: ComparedField): Conflict[] => {
    const one = shown(first);
    const other = shown(second);
    if (one === null || other === null || compared(first) === compared(second)) return [];
    return [conflict(field, one, other)];
  };
  const dates = DATE_FIELDS.flatMap((name): Conflict[] => {
    const one = first.dates[name];
    const other = second.dates[name];
    if (one === null || other === null || sameDate(one, other)) return [];
    return [conflict(`dates.${name}`, one, other)];
  });
  return [...COMPARED.flatMap(differing), ...dates, ...differing(RESULTS)];
}

function sameDate(one: Pick<RegistryDate, 'date'>, other: Pick<RegistryDate, 'date'>): boolean {
  const shared = Math.min(one.date.length, other.date.length);
  return one.date.slice(0, shared) === other.date.slice(0, shared);
}
