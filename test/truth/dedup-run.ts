import { dedup } from '../../pipeline/dedup/dedup.ts';
import type { NormalisedRecord } from '../../pipeline/normalise/record.ts';
import { fillFixture, fixedEffects, forgetLedger, openFixture } from '../support/dedup-corpus.ts';

export interface Outcome {
  /** Pairs `NCT… ISRCTN…` that became one trial. */
  merged: Set<string>;
  /** Why a pair that has a link stayed apart. */
  rejected: Map<string, string>;
}

/** Runs the dedup stage on records as the normaliser read them. */
export async function dedupOf(records: Iterable<NormalisedRecord>): Promise<Outcome> {
  const db = await openFixture();
  try {
    const held = [...records];
    await fillFixture(db, {
      held: held.map(({ registration: { id, aliases } }) => ({ id, aliases })),
      stated: held.flatMap(({ identifiers }) =>
        identifiers.map(({ registrationId, type, value, role, field, rawValue }) => ({
          by: registrationId,
          type,
          value,
          role,
          field,
          raw: rawValue,
        })),
      ),
    });
    await forgetLedger(db);
    await dedup(db, fixedEffects('2026-11-21T00:00:00.000Z'));
    const pairs = await db.all(
      `SELECT n.registration_id || ' ' || i.registration_id AS pair
       FROM trial_members n JOIN trial_members i USING (canonical_id)
       WHERE n.registration_id LIKE 'NCT%' AND i.registration_id LIKE 'ISRCTN%'`,
    );
    const links = await db.all(
      `SELECT greatest(from_id, to_id) || ' ' || least(from_id, to_id) AS pair, min(reason) AS reason
       FROM links WHERE verdict = 'rejected' GROUP BY pair`,
    );
    return {
      merged: new Set(pairs.map(({ pair }) => String(pair))),
      rejected: new Map(links.map(({ pair, reason }) => [String(pair), String(reason)])),
    };
  } finally {
    db.close();
  }
}
