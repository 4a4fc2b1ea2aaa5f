import type { z } from 'zod';
import type { conflictSchema } from '../../../contract/schemas/trials/trial.ts';
import { COMPARED_FIELDS, compareStated, type StatedValue } from '../../../snapshot/format/field-comparison.ts';
import type { RegistrationRow } from './trial-parts.ts';

type Conflict = z.infer<typeof conflictSchema>;
type ShownValue = Conflict['values'][number]['value'];

const IN_CONFLICTS = COMPARED_FIELDS.filter(({ field }) => field.inConflicts === true);

/** Fields that both registrations of a trial state, with different values; none for a trial of one registration. */
export function conflictsBetween([first, second]: readonly RegistrationRow[]): Conflict[] {
  if (first === undefined || second === undefined) return [];
  const [ofFirst, ofSecond] = [first, second].map(({ common, own }) => ({ ...common, ...own }));
  return IN_CONFLICTS.flatMap((field) => {
    const [one, other] = [field.statedIn(ofFirst!), field.statedIn(ofSecond!)];
    if (one === null || other === null || compareStated(field, one, other).verdict !== 'differs') return [];
    const statedBy = ({ registry, id }: RegistrationRow, value: StatedValue) => ({
      registry,
      id,
      value: value as ShownValue,
    });
    return [{ field: field.name, values: [statedBy(first, one), statedBy(second, other)] }];
  });
}
