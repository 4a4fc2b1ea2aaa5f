import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { MODALITY_IDS } from '../../contract/declared/modality.ts';
import { readCurrent, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { rowsOf } from '../search/row-set.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import { Modalities, masksIn } from './modalities.ts';

let image: SnapshotImage;
let another: SnapshotImage;
beforeEach(async () => {
  const snapshots = inject('sampleSnapshots');
  const directory = snapshotPath(snapshots, (await readCurrent(snapshots))!);
  image = openSnapshotImage(directory);
  another = openSnapshotImage(directory);
});
afterEach(() => {
  image.release();
  another.release();
});

const onThread = (): Modalities => new Modalities({ threadFromTrials: 0 });
const inPlace = (): Modalities => new Modalities({ threadFromTrials: Number.POSITIVE_INFINITY });

async function everyGroup(modalities: Modalities, of = image): Promise<number[][]> {
  return Promise.all(MODALITY_IDS.map(async (id) => [...rowsOf(await modalities.rowsWith(of, [id]))]));
}

async function expected(): Promise<number[][]> {
  const groups = await everyGroup(inPlace());
  expect(groups.flat().length).toBeGreaterThan(100);
  return groups;
}

describe('modalities of all trials', () => {
  it('are those that each trial shows, ascending', async () => {
    const shown = inPlace();
    const rows = Array.from({ length: image.trials }, (_, row) => row);
    const groups = rows.map((row) => shown.labelsOf(image, row).labels.map(({ id }) => id));
    const byTrial = MODALITY_IDS.map((id) => rows.filter((row) => groups[row]!.includes(id)));
    expect(await expected()).toEqual(byTrial);
  });

  it('are the same from a thread, for one image after the other', async () => {
    await using modalities = onThread();
    const prepared = modalities.prepare(image);
    expect(modalities.isReady(image)).toBe(false);
    const asked = [everyGroup(modalities), everyGroup(modalities, another)];
    expect(await asked[0]).toEqual(await expected());
    expect(await asked[1]).toEqual(await expected());
    await prepared;
    expect(modalities.isReady(image)).toBe(true);
  });

  it('are no longer inferred once the server closes, whoever waits', async () => {
    const modalities = onThread();
    const asked = everyGroup(modalities).catch((error: unknown) => error);
    await modalities[Symbol.asyncDispose]();
    expect(await asked).toEqual(new Error('the workers were stopped'));
    await expect(modalities.rowsWith(another, ['device'])).rejects.toThrow('the workers were stopped');
  });

  it('fail with what their thread failed of', () => {
    expect(() => masksIn('/nowhere')).toThrow(/ENOENT.*nowhere/);
  });
});
