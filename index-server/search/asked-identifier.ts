import type { AskedIdentifierRecord } from '../../contract/schemas/few-results.ts';
import { parseIdentifier, parsePlaceholder } from '../../snapshot-format/identifiers.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { readTrial, resolveId } from './held-trial.ts';
import { isIdentifier } from './unheld-id.ts';

/** Trials shown for a number that many state. */
const SHOWN = 5;

/** Where `q` as a whole is an identifier: the trials that it leads to. Words find it only where a text has it. */
export function askedIdentifier(image: SnapshotImage, q: string | undefined): AskedIdentifierRecord | null {
  if (q === undefined || !isIdentifier(q)) return null;
  const read = parseIdentifier(q) ?? parsePlaceholder(q);
  const value = read?.value ?? q.trim().toLowerCase();
  const found = resolveId(image, q);
  return {
    value,
    type: read?.type ?? 'canonical',
    standing: found?.standing ?? 'not-held',
    total: found?.rows.length ?? 0,
    trials: (found?.rows ?? []).slice(0, SHOWN).map((row) => {
      const { canonicalId } = readTrial(image, row);
      return { canonicalId, call: `/api/v1/trials/${canonicalId}` };
    }),
    call: `/api/v1/trials/registrations?id=${encodeURIComponent(value)}`,
  };
}
