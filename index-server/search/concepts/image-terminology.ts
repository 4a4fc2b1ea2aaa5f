import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { SERVING_DIR, TERMINOLOGY_FILE } from '../../../snapshot/format/serving.ts';
import { readTerminology, type Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';

/** The served image and the next one: nearly always they were made with the same terminology, and share it. */
const KEPT = 2;
const byContent = new LRUCache<string, Terminology>({ max: KEPT });
const byImage = new WeakMap<SnapshotImage, Terminology | 'none'>();

/** The terminology that the image was made with; null for an image of before there was one. */
export function terminologyOf(image: SnapshotImage): Terminology | null {
  const known = byImage.get(image) ?? read(image);
  byImage.set(image, known);
  return known === 'none' ? null : known;
}

function read(image: SnapshotImage): Terminology | 'none' {
  const packed = packedOf(image);
  if (packed === null) return 'none';
  const content = createHash('sha256').update(packed).digest('hex');
  const terminology = byContent.get(content) ?? readTerminology(packed);
  byContent.set(content, terminology);
  return terminology;
}

function packedOf({ directory }: SnapshotImage): Uint8Array | null {
  try {
    return readFileSync(join(directory, SERVING_DIR, TERMINOLOGY_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
