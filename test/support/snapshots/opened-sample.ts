import { inject } from 'vitest';
import { openSnapshotImage, type SnapshotImage } from '../../../index-server/snapshot/snapshot-image.ts';
import { Database } from '../../../pipeline/store/database.ts';
import { readCurrent, readManifest, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';

/** The sample's snapshot as a server maps it, and a database to ask its tables with. */
export interface OpenedSample extends AsyncDisposable {
  image: SnapshotImage;
  manifest: Manifest;
  db: Database;
  /** Every row of the image. */
  rows: readonly number[];
}

export async function openSample(): Promise<OpenedSample> {
  const snapshots = inject('sampleSnapshots');
  const directory = snapshotPath(snapshots, (await readCurrent(snapshots))!);
  const manifest = await readManifest(directory);
  const image = openSnapshotImage(directory);
  const db = await Database.open(':memory:');
  return {
    ...{ image, manifest, db },
    rows: Array.from({ length: image.trials }, (_, row) => row),
    [Symbol.asyncDispose]: async () => {
      image.release();
      await db.close();
    },
  };
}
