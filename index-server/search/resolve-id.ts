import { parseIdentifier } from '../../snapshot-format/identifiers.ts';
import { foldId, type IdStanding } from '../../snapshot-format/serving-columns.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

export interface ResolvedId {
  /** How the id leads to the trial: its canonical id, one that it had, a record that it holds, or a number it declares. */
  standing: IdStanding;
  /** One row, except for a number that several trials declare. */
  rows: number[];
}

/**
 * The trial or trials that an id leads to, or null. Takes a canonical id, a registry id or any declared number, in any
 * case and in the spellings that identifiers are recognised by. Only the strongest standing is given.
 */
export function resolveId(image: SnapshotImage, id: string): ResolvedId | null {
  for (const folded of spellings(id)) {
    const entries = image.idEntries(folded);
    const standing = entries[0]?.standing;
    if (standing !== undefined) {
      return { standing, rows: entries.filter((entry) => entry.standing === standing).map(({ row }) => row) };
    }
  }
  return null;
}

function spellings(id: string): string[] {
  const parsed = parseIdentifier(id);
  return parsed === null ? [foldId(id)] : [foldId(id), foldId(parsed.value)];
}
