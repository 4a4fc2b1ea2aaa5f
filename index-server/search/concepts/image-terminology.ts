import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVING_DIR, TERMINOLOGY_FILE } from '../../../snapshot/format/serving.ts';
import { readTerminology, type Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';

const byImage = new WeakMap<SnapshotImage, Terminology>();
/** The next image was nearly always made with the same terminology, and shares it. */
let latest = Buffer.alloc(0);

/** The terminology that the image was made with. */
export function terminologyOf(image: SnapshotImage): Terminology {
  const known = byImage.get(image);
  if (known !== undefined) return known;
  const bytes = readFileSync(join(image.directory, SERVING_DIR, TERMINOLOGY_FILE));
  if (!bytes.equals(latest)) latest = bytes;
  const terminology = readTerminology(latest);
  byImage.set(image, terminology);
  return terminology;
}
