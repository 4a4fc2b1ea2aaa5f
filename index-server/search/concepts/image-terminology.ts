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
const byImage = new WeakMap<SnapshotImage, Terminology>();

/** The terminology that the image was made with. */
export function terminologyOf(image: SnapshotImage): Terminology {
  const known = byImage.get(image) ?? read(image);
  byImage.set(image, known);
  return known;
}

function read({ directory }: SnapshotImage): Terminology {
  const packed = readFileSync(join(directory, SERVING_DIR, TERMINOLOGY_FILE));
  const content = createHash('sha256').update(packed).digest('hex');
  const terminology = byContent.get(content) ?? readTerminology(packed);
  byContent.set(content, terminology);
  return terminology;
}
