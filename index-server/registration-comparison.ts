import type { FieldVerdict, Normalisation } from '../contract/field-verdicts.ts';
import { REGISTRY_IDS } from '../contract/ids.ts';
import type { RegistrationComparison } from '../contract/schemas/registration-comparison.ts';
import type { TrialRecord } from '../contract/schemas/trial.ts';
import { COMPARED_FIELDS, type ComparedField, compareStated } from '../snapshot-format/field-comparison.ts';

type Registration = TrialRecord['registrations'][number];
type Compared = RegistrationComparison['fields'][number];

/** Every field of the registrations of a trial with its verdict. */
export function compareRegistrations({ canonicalId, registries, registrations }: TrialRecord): RegistrationComparison {
  const fields = COMPARED_FIELDS.map((field) => compareField(field, registrations));
  const having = (verdict: FieldVerdict): number => fields.filter((one) => one.verdict === verdict).length;
  return {
    canonicalId,
    registrations: registrations.map(({ registry, id, url, retrievedAt, checksum }) => ({
      ...{ registry, id, url, retrievedAt, checksum },
    })),
    absentFrom: REGISTRY_IDS.filter((registry) => !registries.includes(registry)),
    verdicts: {
      equal: having('equal'),
      equalAfter: having('equal-after'),
      differs: having('differs'),
      onlyIn: having('only-in'),
      notStated: having('not-stated'),
    },
    fields,
  };
}

function compareField(compared: ComparedField, registrations: readonly Registration[]): Compared {
  const values = registrations.flatMap(({ registry, id, fields }) => {
    const value = compared.statedIn(fields);
    return value === null ? [] : [{ registry, id, value: value as Compared['values'][number]['value'] }];
  });
  const { name, field } = compared;
  const inConflicts = field.inConflicts === true;
  const verdict = verdictOf(compared, values);
  return {
    field: name,
    ...verdict,
    noFieldIn: REGISTRY_IDS.filter((registry) => field.source[registry].startsWith('none')),
    inConflicts,
    namedInConflicts: inConflicts && verdict.verdict === 'differs',
    values,
  };
}

function verdictOf(
  compared: ComparedField,
  values: Compared['values'],
): { verdict: FieldVerdict; normalisations: Normalisation[]; onlyIn: Compared['onlyIn'] } {
  const [one, other] = values;
  if (one === undefined) return { verdict: 'not-stated', normalisations: [], onlyIn: null };
  if (other === undefined) return { verdict: 'only-in', normalisations: [], onlyIn: one.registry };
  return {
    ...compareStated(compared, one.value as NonNullable<unknown>, other.value as NonNullable<unknown>),
    onlyIn: null,
  };
}
