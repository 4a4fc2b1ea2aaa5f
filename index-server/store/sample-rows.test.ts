import { expect, test } from 'vitest';
import { parquetSource, payloadSource } from '../../snapshot/sql/tables.ts';
import { ofFile } from '../../test/support/of-file.ts';
import { openSample } from '../../test/support/snapshots/opened-sample.ts';
import { readListItem, readRegistrations } from '../search/hints/held-trial.ts';
import { KeyedStore, payloadText } from './keyed-store.ts';

/** What the store reads of a published snapshot is what a query finds in its tables. */

const sample = ofFile(openSample);
const store = new KeyedStore();

test('the payload of every registration, with its format, by the index that the manifest names', async () => {
  expect(sample.manifest.payloadIndex?.path).toBe('payloads.index');
  const read: unknown[] = [];
  for (const row of sample.rows) {
    const raw = await store.rawPayloads(sample, readRegistrations(sample.image, row));
    for (const { registration, checksum, format, json } of raw)
      read.push({ id: registration, checksum, format, payload: payloadText({ json }) });
  }
  const found = await sample.db.all(`SELECT id, 'sha256:' || payload_sha256 AS checksum, format, payload
    FROM ${payloadSource(sample.image.directory, ['id', 'payload_sha256', 'format', 'payload'])}`);
  const byId = (rows: unknown[]): unknown[] => (rows as { id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(found.length).toBe(sample.manifest.counts.registrations);
  expect(found.length).toBeGreaterThan(800);
  expect(byId(read)).toEqual(byId(found));
});

test('the publications of every trial in the image are those of the table', async () => {
  const found =
    await sample.db.all(`SELECT registration_id AS registration, registry, kind, kind_raw AS "kindRaw", pmid, doi, url, citation,
    "year", retracted FROM ${parquetSource(sample.image.directory, 'publications')} ORDER BY registry, registration_id, ordinal`);
  let listed = 0;
  for (const row of sample.rows) {
    const { registrations } = readListItem(sample.image, row);
    const expected = registrations.flatMap(({ id }) => found.filter(({ registration }) => registration === id));
    expect(await store.publications(sample, row)).toEqual(expected);
    listed += expected.length;
  }
  expect(listed).toBe(found.length);
  expect(listed).toBeGreaterThan(100);
});
