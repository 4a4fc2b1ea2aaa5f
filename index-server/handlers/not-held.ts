import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import { blockRowsOf } from '../history/block-rows.ts';
import { resolveId } from '../search/hints/held-trial.ts';
import { isIdentifier, unheldId } from '../search/hints/unheld-id.ts';
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
    await history.upTo(manifest.version);
    const { gone } = await blockRowsOf(image, await history.versions(), { hurried: true });
    const { entries } = await history.ofTrial([goneId(gone, id)], { limit: 1 });
    if (entries.length === 0) return refusal;
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
export function goneId(gone: ReadonlyMap<string, string>, id: string): string {
  return gone.get(parseIdentifier(id)?.value ?? id.trim()) ?? id.trim().toLowerCase();
}
