import type { COMPARISON_OPERATIONS } from '../../contract/operations/trials/trial-comparison.ts';
import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { snapshotValidator, trialMeta } from '../meta.ts';
import { type RecordForm, recordForms } from '../record-forms.ts';
import { compareRegistrations } from '../registration-comparison.ts';
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
