import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '../../pipeline/store/database.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { temporaryDirectory } from '../../test/builders/working-database.ts';
import { ParquetStore, type SnapshotFiles } from './parquet-store.ts';

// Part files are shared between snapshots: one that came before holds the record as it was, one after as it became.
test('of several payloads of one record in the part files, the one with the checksum asked for is read', async () => {
  await using place = await temporaryDirectory();
  await mkdir(join(place.path, 'raw'));
  const paths = ['raw/part-0000.parquet', 'raw/part-0001.parquet'];
  await using db = await Database.open(':memory:');
  for (const [index, path] of paths.entries()) {
    const row = `'isrctn' AS registry, 'ISRCTN00000001' AS id, 'sum-${index}' AS payload_sha256, 'xml' AS format`;
    await db.run(`COPY (SELECT ${row}, '<v${index}/>' AS payload) TO '${join(place.path, path)}' (FORMAT parquet)`);
  }
  const files = paths.map((path) => ({ path }));
  const manifest = { version: 'v', tables: { raw: { files } } } as unknown as Manifest;
  const snapshot: SnapshotFiles = { directory: place.path, manifest };
  await using store = await ParquetStore.open();
  const read = async (sum: string): Promise<string | undefined> => {
    const key = { registry: 'isrctn', id: 'ISRCTN00000001', checksum: `sha256:${sum}` } as const;
    return (await store.rawPayloads(snapshot, [key]))[0]?.payload;
  };
  expect([await read('sum-0'), await read('sum-1')]).toEqual(['<v0/>', '<v1/>']);
  await expect(read('sum-2')).rejects.toThrow('snapshot v holds no payload of ISRCTN00000001');
});
