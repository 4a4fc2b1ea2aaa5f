import { expect, it } from 'vitest';
import { LateStore } from './late-store.ts';
import { ParquetStore, type SnapshotFiles } from './parquet-store.ts';

const NOTHING_ASKED = {} as SnapshotFiles;

it('opens the store once for all who ask, not before, and closes it', async () => {
  let opened = 0;
  const store = await ParquetStore.open();
  {
    await using late = new LateStore(async () => {
      opened += 1;
      return store;
    });
    expect(opened).toBe(0);
    const asked = [late.publications(NOTHING_ASKED, []), late.publications(NOTHING_ASKED, []), late.ready()];
    expect(await Promise.all(asked)).toEqual([[], [], undefined]);
    expect(opened).toBe(1);
  }
  const key = { registry: 'isrctn', id: 'ISRCTN00000001' } as const;
  const manifest = { tables: { publications: { files: [{ path: 'publications.parquet' }] } } };
  const closed = { directory: '/nowhere', manifest } as unknown as SnapshotFiles;
  await expect(store.publications(closed, [key])).rejects.toThrow('disconnected');
});

it('tries again after an open that failed, and tells each caller of its own', async () => {
  const answers = [Promise.reject(new Error('no database here')), ParquetStore.open()];
  await using late = new LateStore(() => answers.shift() as Promise<ParquetStore>);
  await expect(late.publications(NOTHING_ASKED, [])).rejects.toThrow('no database here');
  expect(await late.publications(NOTHING_ASKED, [])).toEqual([]);
});
