import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSnapshotImage, type SnapshotImage } from '../../index-server/snapshot/snapshot-image.ts';
import type { Effects } from '../../pipeline/effects.ts';
import { buildServingImage, type ServingImageInputs } from '../../pipeline/publish/serving/build-serving-image.ts';
import type { Registration } from '../../snapshot/format/registration.ts';
import { SERVING_DIR } from '../../snapshot/format/serving.ts';
import { type Given, registration } from './registration.ts';
import { type Corpus, type CorpusTrial, writeSnapshotTables } from './snapshot-tables.ts';

export const quietEffects: Effects = {
  now: () => {
    throw new Error('the serving image is made without a clock');
  },
  progress: () => undefined,
  checkpoint: () => undefined,
};

/** An open image of the corpus and its directory; disposing closes and removes both. */
export interface BuiltImage extends AsyncDisposable {
  image: SnapshotImage;
  snapshotDir: string;
}

/** Writes the corpus as Parquet tables, builds the serving image and opens it. */
export async function buildImage(
  corpus: Corpus,
  options: Omit<ServingImageInputs, 'snapshotDir' | 'outDir'> = {},
): Promise<BuiltImage> {
  const root = await mkdtemp(join(tmpdir(), 'serving-image-'));
  const snapshotDir = join(root, '20261121T031500Z-0a1b2c3d');
  await writeSnapshotTables(corpus, snapshotDir);
  await buildServingImage({ snapshotDir, outDir: join(snapshotDir, SERVING_DIR), ...options }, quietEffects);
  const image = openSnapshotImage(snapshotDir);
  return {
    image,
    snapshotDir,
    [Symbol.asyncDispose]: async () => {
      if (!image.released) image.release();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** An image of trials without links. */
export function imageOfTrials(trials: CorpusTrial[], options: Parameters<typeof buildImage>[1] = {}) {
  return buildImage({ trials, identifiers: [], links: [], relations: [] }, options);
}

/** A trial of one record. */
export function trialOf(record: Registration): CorpusTrial {
  return { canonicalId: `wt_${record.id.slice(3).padStart(12, '0')}`, aliases: [], registrations: [record] };
}

/** An image of trials of one study each. Without dates of updates they are found in this order. */
export function imageOfStudies(given: Given[], options: Parameters<typeof buildImage>[1] = {}) {
  const studies = given.map((one, place) => registration(`NCT${String(place + 1).padStart(8, '0')}`, one));
  return imageOfTrials(studies.map(trialOf), options);
}
