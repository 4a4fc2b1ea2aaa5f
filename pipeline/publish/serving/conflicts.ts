import type { z } from 'zod';
import { type CommonFields, FIELD_LIST, type NamedField } from '../../../contract/field-shapes.ts';
import type { FieldValues } from '../../../contract/field-types.ts';
import type { conflictSchema } from '../../../contract/schemas/trial.ts';
import { foldTerm } from '../../../snapshot-format/serving-columns.ts';
import type { RegistrationRow } from './trial-parts.ts';

type Conflict = z.infer<typeof conflictSchema>;
type ShownValue = Conflict['values'][number]['value'];

interface ComparedField {
  /** As `conflicts` names it. */
  field: string;
  type: keyof FieldValues;
  /** The stated value as it is shown; null if the registry states none, and then there is no conflict. */
  shown: (fields: CommonFields) => ShownValue;
}

const COMPARED: readonly ComparedField[] = FIELD_LIST.filter(({ inConflicts }) => inConflicts === true).map(compared);

function compared({ name, type, json }: NamedField): ComparedField {
  const [group, leaf] = (json ?? name).split('.') as [keyof CommonFields, string | undefined];
  const valueIn = (fields: CommonFields): unknown => {
    const value: unknown = fields[group];
    return leaf === undefined ? value : (value as Record<string, unknown>)[leaf];
  };
  // A number of people is shown with its type.
  if (name === 'enrollmentCount') {
    return { field: group, type, shown: ({ enrollment }) => (enrollment.count === null ? null : enrollment) };
  }
  return {
    field: type === 'date' ? `${group}.${leaf}` : group,
    type,
    shown: (fields) => stated(type, valueIn(fields)),
  };
}

function stated(type: keyof FieldValues, value: unknown): ShownValue {
  if (type === 'word' && (value === 'unknown' || value === 'not-stated')) return null;
  if (type === 'interventions') return stated('texts', (value as FieldValues['interventions']).flatMap(namesOf));
  if (type === 'texts' && (value as string[]).length === 0) return null;
  return value as ShownValue;
}

const namesOf = ({ name }: FieldValues['interventions'][number]): string[] => (name === null ? [] : [name]);

/** Two stated values with equal comparable forms are no conflict. */
function comparable(type: keyof FieldValues, value: ShownValue): string {
  // Texts that differ only in case, white space or Unicode form are equal.
  if (type === 'text') return foldTerm(value as string);
  // A number of people stands beside its type and note.
  if (typeof value === 'object' && value !== null && 'count' in value) return String(value.count);
  if (Array.isArray(value)) return [...new Set((value as string[]).map(foldTerm))].sort().join('\n');
  return String(value);
}

/** Fields that both registrations of a trial state, with different values; none for a trial of one registration. */
export function conflictsBetween([first, second]: readonly RegistrationRow[]): Conflict[] {
  if (first === undefined || second === undefined) return [];
  return COMPARED.flatMap(({ field, type, shown }) => {
    const [one, other] = [shown(first.common), shown(second.common)];
    if (one === null || other === null) return [];
    const isSame =
      type === 'date'
        ? sameDate(one as FieldValues['date'], other as FieldValues['date'])
        : comparable(type, one) === comparable(type, other);
    if (isSame) return [];
    const statedBy = ({ registry, id }: RegistrationRow, value: ShownValue) => ({ registry, id, value });
    return [{ field, values: [statedBy(first, one), statedBy(second, other)] }];
  });
}

/** Dates are compared at the precision that both have. */
function sameDate(one: FieldValues['date'], other: FieldValues['date']): boolean {
  const shared = Math.min(one.date.length, other.date.length);
  return one.date.slice(0, shared) === other.date.slice(0, shared);
}
