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
type Compared = RegistrationComparison['fields'][number];
type Verdict = Pick<Compared, 'verdict' | 'normalisations' | 'onlyIn'>;

/** What is known of the registrations beside the record of the trial. */
interface Known {
  registrations: readonly Registration[];
  /** The form of each, in their order; null where it could not be read. */
  forms: readonly RecordForm[] | null;
}

/** Every field of the registrations of a trial with its verdict. */
export function compareRegistrations(
  { canonicalId, registries, registrations }: TrialRecord,
  forms: Known['forms'],
): RegistrationComparison {
  const fields = COMPARED_FIELDS.map((field) => compareField(field, { registrations, forms }));
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

function compareField(compared: ComparedField, { registrations, forms }: Known): Compared {
  const values = registrations.flatMap(({ registry, id, fields }) => {
    const value = compared.statedIn(fields);
    return value === null ? [] : [{ registry, id, value: value as Compared['values'][number]['value'] }];
  });
  const { name, field } = compared;
  const inConflicts = field.inConflicts === true;
  const noFieldIn = REGISTRY_IDS.filter((registry) => field.source[registry].startsWith('none'));
  const notHeldIn = registrations.flatMap(({ registry }, place) => {
    const isBlank = !values.some((one) => one.registry === registry) && !noFieldIn.includes(registry);
    return isBlank && forms?.[place]?.holds(name) === false ? [registry] : [];
  });
  const found = verdictOf(compared, values, registrations);
  const isNotHeld = found.verdict === 'only-in' && notHeldIn.length > 0;
  const verdict: Verdict = isNotHeld ? { verdict: 'not-held', normalisations: [], onlyIn: null } : found;
  const namedInConflicts = inConflicts && verdict.verdict === 'differs';
  return { field: name, ...verdict, noFieldIn, notHeldIn, inConflicts, namedInConflicts, values };
}

function verdictOf(
  compared: ComparedField,
  values: Compared['values'],
  registrations: readonly Registration[],
): Verdict {
  if (compared.name !== 'secondaryIds') return statedVerdict(compared, values);
  const others = values.flatMap((one) => {
    const value = withoutOwnNumbers(one.value as SecondaryIds, registrations);
    return value.length === 0 ? [] : [{ ...one, value }];
  });
  const isSetAside = JSON.stringify(others) !== JSON.stringify(values);
  if (!isSetAside) return statedVerdict(compared, values);
  const aside: Normalisation = 'own-numbers';
  if (others.length === 0) return { verdict: 'equal-after', normalisations: [aside], onlyIn: null };
  const { verdict, normalisations, onlyIn } = statedVerdict(compared, others);
  if (verdict === 'equal' || verdict === 'equal-after') {
    return { verdict: 'equal-after', normalisations: [aside, ...normalisations], onlyIn };
  }
  return { verdict, normalisations, onlyIn };
}

function statedVerdict(compared: ComparedField, [one, other]: Compared['values']): Verdict {
  if (one === undefined) return { verdict: 'not-stated', normalisations: [], onlyIn: null };
  if (other === undefined) return { verdict: 'only-in', normalisations: [], onlyIn: one.registry };
  return { ...compareStated(compared, one.value as StatedValue, other.value as StatedValue), onlyIn: null };
}

type SecondaryIds = Registration['fields']['secondaryIds'];

/** Numbers without those of the trial's own registrations, which join its records: naming the other one is no difference. */
function withoutOwnNumbers(numbers: SecondaryIds, registrations: readonly Registration[]): SecondaryIds {
  const own = registrations.flatMap(({ id, aliases }) => [id, ...aliases]);
  return numbers.filter(({ id }) => !own.includes(parseIdentifier(id)?.value ?? id));
}
