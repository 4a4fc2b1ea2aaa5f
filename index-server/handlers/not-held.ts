import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import type { HistoryStore, KeptHistory } from '../history/history-store.ts';
import { heldRow, resolveId } from '../search/hints/held-trial.ts';
import { isIdentifier, unheldId } from '../search/hints/identifier.ts';
import type { IndexServices } from '../services.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/**
 * What a refusal says of an id that leads to no trial; of one that was removed, where its history is. A history that cannot
 * be read keeps nobody from the refusal.
 */
export async function notHeld(
  { history }: IndexServices,
  { image, manifest }: { image: SnapshotImage; manifest: { version: string } },
  id: string,
): Promise<{ message: string; hint?: string }> {
  const refusal = unheldId(image, id);
  if (refusal.hint !== undefined || !isIdentifier(id) || resolveId(image, id) !== null) return refusal;
  try {
    const kept = await history.of(manifest.version);
    if ((await history.ofTrial(kept, [await goneId(history, kept, image, id)])).length === 0) return refusal;
  } catch {
    return refusal;
  }
  const call = `GET /api/v1/trials/${encodeURIComponent(id.trim())}/history`;
  return {
    message: `${id} is not in this version of the index: an earlier version held it, and it was removed.`,
    hint: `${call} tells when it was removed and how it changed before.`,
  };
}

/** Canonical id of the removed trial that a registration's number or a canonical id may mean. */
export async function goneId(
  history: HistoryStore,
  kept: KeptHistory,
  image: SnapshotImage,
  id: string,
): Promise<string> {
  const trials = await history.trialsOf(kept, parseIdentifier(id)?.value ?? id.trim());
  return trials.find((trial) => heldRow(image, trial) === null) ?? id.trim().toLowerCase();
}
