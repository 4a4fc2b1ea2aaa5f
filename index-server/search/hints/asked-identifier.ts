import type { AskedIdentifierRecord } from '../../../contract/schemas/trials/few-results.ts';
import { parseIdentifier, parsePlaceholder } from '../../../snapshot/format/identifiers.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { heldRow, readTrial, resolveId } from './held-trial.ts';
import { isIdentifier } from './unheld-id.ts';

/** Trials shown for a number that many state. */
const SHOWN = 5;

/** Where the text as a whole is an identifier: the trials that it leads to. Words find it only where a text has it. */
export function askedIdentifier(image: SnapshotImage, text: string | undefined): AskedIdentifierRecord | null {
  const q = text === undefined ? '' : withRegistry(image, text);
  if (!isIdentifier(q)) return null;
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

/** The digits of a number with the letters of the registry that holds it; the text itself where none or both do. */
function withRegistry(image: SnapshotImage, text: string): string {
  if (!/^\s*\d{8}\s*$/.test(text)) return text;
  const held = ['NCT', 'ISRCTN'].map((letters) => letters + text.trim()).filter((id) => heldRow(image, id) !== null);
  return held.length === 1 ? held[0]! : text;
}

/** What a count says of `q` where it is an identifier: it counts the texts that have it as a word, not what it names. */
export function identifierNotice({ value, total, call }: AskedIdentifierRecord, counted: number): string | null {
  if (total === 0) return null;
  const leads = total === 1 ? 'its trial' : `its ${total} trials`;
  return `${value} is an identifier: ${counted} counts the trials whose text has it as a word, which says nothing of the trial that it names. ${call} leads to ${leads}.`;
}
