import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { MODALITY_IDS } from '../../contract/modality.ts';
import { readCurrent, snapshotPath } from '../../snapshot-format/current.ts';
import { rowsOf } from '../search/row-set.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import { Modalities } from './modalities.ts';
import { loadModalityVocabulary } from './vocabulary.ts';

let image: SnapshotImage;
beforeEach(async () => {
  const snapshots = inject('sampleSnapshots');
  image = openSnapshotImage(snapshotPath(snapshots, (await readCurrent(snapshots))!));
});
afterEach(() => {
  if (!image.released) image.release();
});

const opened = (): Modalities => new Modalities(loadModalityVocabulary());

async function everyGroup(modalities: Modalities): Promise<number[][]> {
  return Promise.all(MODALITY_IDS.map(async (id) => [...rowsOf(await modalities.rowsWith(image, [id]))]));
}

describe('modalities prepared before anybody asks', () => {
  it('are those that a request would infer, for who asks meanwhile and afterwards', async () => {
    const modalities = opened();
    const prepared = modalities.prepare(image, () => true);
    const meanwhile = await everyGroup(modalities);
    await prepared;
    expect(meanwhile).toEqual(await everyGroup(opened()));
    expect(await everyGroup(modalities)).toEqual(meanwhile);
    expect(meanwhile.flat().length).toBeGreaterThan(100);
  });

  it('are given up when the image is no longer served, and nothing holds it then', async () => {
    const modalities = opened();
    await modalities.prepare(image, () => false);
    image.release();
    expect(image.released).toBe(true);
  });

  it('are finished for who waits, served or not, and can be asked for again after they were given up', async () => {
    const modalities = opened();
    const prepared = modalities.prepare(image, () => false);
    const waited = await everyGroup(modalities);
    await prepared;
    const again = opened();
    await again.prepare(image, () => false);
    expect(await everyGroup(again)).toEqual(waited);
  });
});
