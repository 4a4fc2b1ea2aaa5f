import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { Database } from '../../pipeline/store/database.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { temporaryDirectory } from '../../test/builders/working-database.ts';
import { ParquetStore, type SnapshotFiles } from './parquet-store.ts';
import { PayloadIndex } from './payload-index.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('a payload that is not the one of its checksum is refused', async () => {
  await using place = await temporaryDirectory();
  await mkdir(join(place.path, 'raw'));
  await using db = await Database.open(':memory:');
  const path = 'raw/part-0000.parquet';
  await db.run(`COPY (SELECT 'isrctn' AS registry, 'ISRCTN00000001' AS id, '${sha256('<v/>')}' AS payload_sha256,
    'xml' AS format, '<forged/>' AS payload) TO '${join(place.path, path)}' (FORMAT parquet)`);
  const manifest = { version: 'v', tables: { raw: { files: [{ path }] } } } as unknown as Manifest;
  await using store = await ParquetStore.open();
  const key = { registry: 'isrctn', id: 'ISRCTN00000001', checksum: `sha256:${sha256('<v/>')}` } as const;
  await expect(store.rawPayloads({ directory: place.path, manifest }, [key])).rejects.toThrow(
    `the payload of ISRCTN00000001 has SHA-256 ${sha256('<forged/>')}, expected ${sha256('<v/>')}`,
  );
});

// Snapshots share part files, so several part files may hold a record: one its older payload, another its newer one.
test('of several payloads of one record in the part files, the one with the checksum asked for is read', async () => {
  await using place = await temporaryDirectory();
  await mkdir(join(place.path, 'raw'));
  const paths = ['raw/part-0000.parquet', 'raw/part-0001.parquet'];
  const sums = ['<v0/>', '<v1/>'].map(sha256);
  await using db = await Database.open(':memory:');
  for (const [index, path] of paths.entries()) {
    const row = `'isrctn' AS registry, 'ISRCTN00000001' AS id, '${sums[index]}' AS payload_sha256, 'xml' AS format`;
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
  const [first, second] = sums as [string, string];
  expect([await read(first), await read(second)]).toEqual(['<v0/>', '<v1/>']);
  await expect(read(sha256('<v2/>'))).rejects.toThrow('snapshot v holds no payload of ISRCTN00000001');
  await store.indexed(snapshot);
  await rm(join(place.path, 'raw/part-0000.parquet'));
  expect(await read(second)).toBe('<v1/>');
  await expect(read(first)).rejects.toThrow('part-0000.parquet');
  await expect(read(sha256('<v2/>'))).rejects.toThrow('snapshot v holds no payload of ISRCTN00000001');
});

test('look-ups take turns, and each asks for its part when its turn comes', async () => {
  await using place = await temporaryDirectory();
  await mkdir(join(place.path, 'raw'));
  await using db = await Database.open(':memory:');
  const ids = ['ISRCTN00000001', 'ISRCTN00000002', 'ISRCTN00000003'];
  const path = 'raw/part-0000.parquet';
  await db.run(`COPY (SELECT 'isrctn' AS registry, id, '${sha256('<v/>')}' AS payload_sha256, 'xml' AS format, '<v/>' AS payload
    FROM unnest(['${ids.join("', '")}']) AS rows(id)) TO '${join(place.path, path)}' (FORMAT parquet)`);
  const manifest = { version: 'v', tables: { raw: { files: [{ path }] } } } as unknown as Manifest;
  await using store = await ParquetStore.open();
  const gate = Promise.withResolvers<void>();
  const asked = vi.spyOn(PayloadIndex.prototype, 'filesOf').mockImplementation(async ({ files }) => {
    await gate.promise;
    return files;
  });
  try {
    const found = Promise.all(
      ids.map((id) =>
        store.rawPayloads({ directory: place.path, manifest }, [
          { registry: 'isrctn', id, checksum: `sha256:${sha256('<v/>')}` },
        ]),
      ),
    );
    await setImmediate();
    expect(asked).toHaveBeenCalledTimes(1);
    gate.resolve();
    expect((await found).map(([raw]) => raw?.registration)).toEqual(ids);
    expect(asked).toHaveBeenCalledTimes(3);
  } finally {
    asked.mockRestore();
  }
});

test('publications are read from the file that the registration id begins, or from the one file of older snapshots', async () => {
  await using place = await temporaryDirectory();
  await using db = await Database.open(':memory:');
  const write = async (path: string, id: string): Promise<void> => {
    const row = `'isrctn' AS registry, '${id}' AS registration_id, 0 AS ordinal, 'other' AS kind, NULL AS kind_raw, '${path}' AS pmid,
      NULL AS doi, NULL AS url, NULL AS citation, NULL AS "year", false AS retracted`;
    await db.run(`COPY (SELECT ${row}) TO '${join(place.path, path)}' (FORMAT parquet)`);
  };
  await write('publications-ISRCTN.parquet', 'ISRCTN00000001');
  await write('publications.parquet', 'ISRCTN00000001');
  await using store = await ParquetStore.open();
  const read = async (...paths: string[]): Promise<(string | null)[]> => {
    const manifest = {
      version: 'v',
      tables: { publications: { files: paths.map((path) => ({ path })) } },
    } as unknown as Manifest;
    const key = { registry: 'isrctn', id: 'ISRCTN00000001' } as const;
    return (await store.publications({ directory: place.path, manifest }, [key])).map(({ pmid }) => pmid);
  };
  expect(await read('publications-NCT012.parquet', 'publications-ISRCTN.parquet')).toEqual([
    'publications-ISRCTN.parquet',
  ]);
  expect(await read('publications-NCT012.parquet')).toEqual([]);
  expect(await read('publications.parquet')).toEqual(['publications.parquet']);
});
