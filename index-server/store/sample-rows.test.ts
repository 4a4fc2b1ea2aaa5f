import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Database } from '../../pipeline/store/database.ts';
import { readCurrent, readManifest, snapshotPath } from '../../snapshot-format/current.ts';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { parquetSource, payloadSource } from '../../snapshot-sql/tables.ts';
import { readListItem, readRegistrations } from '../search/held-trial.ts';
import { openSnapshotImage, type SnapshotImage } from '../snapshot/snapshot-image.ts';
import { KeyedStore } from './keyed-store.ts';
import { payloadText } from './raw-json.ts';

/** What the store reads of a published snapshot is what a query finds in its tables. */

let db: Database;
let image: SnapshotImage;
let manifest: Manifest;
let store: KeyedStore;
beforeAll(async () => {
  const snapshots = inject('sampleSnapshots');
  const directory = snapshotPath(snapshots, (await readCurrent(snapshots))!);
  manifest = await readManifest(directory);
  image = openSnapshotImage(directory);
  db = await Database.open(':memory:');
  store = new KeyedStore();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  image.release();
  await db.close();
});

const everyRow = (): number[] => Array.from({ length: image.trials }, (_, row) => row);

test('the payload of every registration, with its format, by the index that the manifest names', async () => {
  expect(manifest.payloadIndex?.path).toBe('payloads.index');
  const read: unknown[] = [];
  for (const row of everyRow()) {
    const raw = await store.rawPayloads({ image, manifest }, readRegistrations(image, row));
    for (const { registration, checksum, format, json } of raw)
      read.push({ id: registration, checksum, format, payload: payloadText({ json }) });
  }
  const found = await db.all(`SELECT id, 'sha256:' || payload_sha256 AS checksum, format, payload
    FROM ${payloadSource(image.directory, ['id', 'payload_sha256', 'format', 'payload'])}`);
  const byId = (rows: unknown[]): unknown[] => (rows as { id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(found.length).toBe(manifest.counts.registrations);
  expect(found.length).toBeGreaterThan(800);
  expect(byId(read)).toEqual(byId(found));
});

test('the publications of every trial, from the image and, as of a snapshot of before, from the table', async () => {
  const found =
    await db.all(`SELECT registration_id AS registration, registry, kind, kind_raw AS "kindRaw", pmid, doi, url, citation,
    "year", retracted FROM ${parquetSource(image.directory, 'publications')} ORDER BY registry, registration_id, ordinal`);
  const before = new Proxy(image, {
    get: (target, name) => (name === 'hasSlice' ? () => false : Reflect.get(target, name, target)),
  });
  let listed = 0;
  for (const row of everyRow()) {
    const { registrations } = readListItem(image, row);
    const expected = registrations.flatMap(({ id }) => found.filter(({ registration }) => registration === id));
    expect(await store.publications({ image, manifest }, row, registrations)).toEqual(expected);
    listed += expected.length;
    if (row % 40 === 0)
      expect(await store.publications({ image: before, manifest }, row, registrations)).toEqual(expected);
  }
  expect(listed).toBe(found.length);
  expect(listed).toBeGreaterThan(100);
});
