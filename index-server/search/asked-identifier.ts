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

/** What a count says of `q` where it is an identifier: it counts the texts that have it as a word, not what it names. */
export function identifierNotice({ value, total, call }: AskedIdentifierRecord, counted: number): string | null {
  if (total === 0) return null;
  const leads = total === 1 ? 'its trial' : `its ${total} trials`;
  return `${value} is an identifier: ${counted} counts the trials whose text has it as a word, which says nothing of the trial that it names. ${call} leads to ${leads}.`;
}
