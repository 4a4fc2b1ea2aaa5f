import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVING_DIR, TERMINOLOGY_FILE } from '../../../snapshot/format/serving.ts';
import { readTerminology, type Terminology } from '../../../snapshot/terminology/terminology.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import { madeOnce } from '../image-cache.ts';

/** The next image was nearly always made with the same terminology, and shares it. */
let latest = Buffer.alloc(0);

/** The terminology that the image was made with. */
export const terminologyOf = madeOnce(({ directory }: SnapshotImage): Terminology => {
  const bytes = readFileSync(join(directory, SERVING_DIR, TERMINOLOGY_FILE));
  if (!bytes.equals(latest)) latest = bytes;
  return readTerminology(latest);
});
