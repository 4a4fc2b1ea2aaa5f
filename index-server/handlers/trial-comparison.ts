import type { FieldVerdict, Normalisation } from '../../contract/fields/field-verdicts.ts';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import type { COMPARISON_OPERATIONS } from '../../contract/operations/trials/trial-comparison.ts';
import type { RegistrationComparison } from '../../contract/schemas/trials/registration-comparison.ts';
import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import {
  COMPARED_FIELDS,
  type ComparedField,
  compareStated,
  type StatedValue,
} from '../../snapshot/format/field-comparison.ts';
import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { type RecordForm, recordForms } from '../record-forms.ts';
import { heldRow, readTrial } from '../search/hints/held-trial.ts';
import type { IndexServices } from '../services.ts';
import { notHeld } from './not-held.ts';
import { withNotices } from './search-order.ts';
import { survivorNotices } from './superseded.ts';

export const comparisonHandlers: Handlers<typeof COMPARISON_OPERATIONS, IndexServices> = {
  'trials-compare': async ({ params }, context, services, fail) => {
    const { holder, sources, store, log } = services;
    using lease = holder.acquire() ?? fail('TRIALS_UNAVAILABLE');
    const { image, manifest } = lease;
    const row = heldRow(image, params.id) ?? fail('TRIAL_NOT_FOUND', await notHeld(services, lease, params.id));
    const trial = readTrial(image, row);
    const forms = await recordForms(store, lease, trial.registrations).catch((err: unknown) => {
      log.error({ err }, 'the form of a held record cannot be read');
      return null;
    });
    const notices = [...survivorNotices(image, row, params.id), ...formNotices(trial, forms)];
    return {
      data: compareRegistrations(trial, forms),
      meta: withNotices(trialMeta(manifest, sources, context, false), { notices }),
      validator: snapshotValidator(manifest, sources, context.now),
    };
  },
};

/** Which registrations are held in a form that lacks fields, so that a blank is not taken for one of the registry. */
function formNotices({ registrations }: TrialRecord, forms: readonly RecordForm[] | null): string[] {
  if (forms === null) {
    return [
      'The payloads could not be read, so that fields which the form of a held record lacks are not told from fields that its registry left blank.',
    ];
  }
  return registrations.flatMap(({ id, url }, place) => {
    const lacking = forms[place]?.lacking ?? null;
    if (lacking === null) return [];
    return [
      `${id} is held as ${lacking}: what is called not held is not held in this form of the record, so that what the registry states there is unknown here. Its own page has them: ${url}`,
    ];
  });
}

type Registration = TrialRecord['registrations'][number];
type SecondaryIds = Registration['fields']['secondaryIds'];
type Compared = RegistrationComparison['fields'][number];
type Verdict = Pick<Compared, 'verdict' | 'normalisations' | 'onlyIn'>;

/** Every field of the registrations of a trial with its verdict. `forms` in their order; null where they could not be read. */
export function compareRegistrations(
  { canonicalId, registries, registrations }: TrialRecord,
  forms: readonly RecordForm[] | null,
): RegistrationComparison {
  const fields = COMPARED_FIELDS.map((field) => compareField(field, registrations, forms));
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
      notHeld: having('not-held'),
      notStated: having('not-stated'),
    },
    fields,
  };
}

function compareField(
  compared: ComparedField,
  registrations: readonly Registration[],
  forms: readonly RecordForm[] | null,
): Compared {
  const { name, field } = compared;
  const values = registrations.flatMap(({ registry, id, fields }) => {
    const value = compared.statedIn(fields);
    return value === null ? [] : [{ registry, id, value: value as Compared['values'][number]['value'] }];
  });
  const noFieldIn = REGISTRY_IDS.filter((registry) => field.source[registry].startsWith('none'));
  const notHeldIn = registrations.flatMap(({ registry }, place) => {
    const isBlank = !values.some((one) => one.registry === registry) && !noFieldIn.includes(registry);
    return isBlank && forms?.[place]?.holds(name) === false ? [registry] : [];
  });
  const found = verdictOf(compared, values, registrations);
  const isNotHeld = found.verdict === 'only-in' && notHeldIn.length > 0;
  const verdict: Verdict = isNotHeld ? { verdict: 'not-held', normalisations: [], onlyIn: null } : found;
  const inConflicts = field.inConflicts === true;
  const namedInConflicts = inConflicts && verdict.verdict === 'differs';
  return { field: name, ...verdict, noFieldIn, notHeldIn, inConflicts, namedInConflicts, values };
}

/** Numbers of the trial's own registrations join its records, so that naming the other one is no difference. */
function verdictOf(compared: ComparedField, all: Compared['values'], registrations: readonly Registration[]): Verdict {
  const own = registrations.flatMap(({ id, aliases }) => [id, ...aliases]);
  const isOther = ({ id }: SecondaryIds[number]): boolean => !own.includes(parseIdentifier(id)?.value ?? id);
  const values = all.flatMap((one) => {
    if (compared.name !== 'secondaryIds') return [one];
    const value = (one.value as SecondaryIds).filter(isOther);
    return value.length === 0 ? [] : [{ ...one, value }];
  });
  const aside: Normalisation[] = JSON.stringify(values) === JSON.stringify(all) ? [] : ['own-numbers'];
  const [one, other] = values;
  if (one === undefined) {
    return { verdict: aside.length === 0 ? 'not-stated' : 'equal-after', normalisations: aside, onlyIn: null };
  }
  if (other === undefined) return { verdict: 'only-in', normalisations: [], onlyIn: one.registry };
  const { verdict, normalisations } = compareStated(compared, one.value as StatedValue, other.value as StatedValue);
  if (verdict === 'differs' || aside.length === 0) return { verdict, normalisations, onlyIn: null };
  return { verdict: 'equal-after', normalisations: [...aside, ...normalisations], onlyIn: null };
}
