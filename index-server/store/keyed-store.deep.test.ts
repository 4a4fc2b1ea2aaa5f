import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writePayloadIndex } from '../../pipeline/publish/payload-index.ts';
import { holdPayloads } from '../../pipeline/publish/retention/superseded.ts';
import { Database } from '../../pipeline/store/database.ts';
import { PAYLOAD_INDEX_FILE } from '../../snapshot/format/payload-index.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { folderOfTest } from '../../test/support/folders.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { KeyedStore, type PayloadKey, payloadText, type ReadSnapshot } from './keyed-store.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Row {
  id: string;
  payload: string;
  /** By default that of the payload. */
  sha256?: string;
}

const place = folderOfTest();
let db: Database;
let store: KeyedStore;
beforeEach(async () => {
  db = await Database.open(':memory:', { threads: 1 });
  store = new KeyedStore();
});
afterEach(async () => {
  await db.close();
});

const keyOf = ({ id, payload, sha256: sum = sha256(payload) }: Row): PayloadKey => ({
  registry: 'isrctn',
  id,
  checksum: `sha256:${sum}`,
});
const partPath = (part: number): string => join(place.path, 'raw', `part-000${part}.parquet`);

/** Writes part files, each of row groups of rows. */
async function writeParts(parts: readonly Row[][][]): Promise<void> {
  await mkdir(join(place.path, 'raw'), { recursive: true });
  for (const [number, groups] of parts.entries()) {
    let next = 0;
    const columns = { registry: 'text', id: 'text', payload_sha256: 'text', payload: 'bytes' } as const;
    const source = {
      columns,
      next: () => {
        const rows = groups[next++];
        if (rows === undefined) return null;
        return [
          rows.map(() => 'isrctn'),
          rows.map(({ id }) => id),
          rows.map(({ payload, sha256: sum = sha256(payload) }) => sum),
          rows.map(({ payload }) => Buffer.from(payload)),
        ];
      },
    };
    await db.givingChunks(`part ${number}`, source, () =>
      db.run(
        `COPY (SELECT * EXCLUDE (payload), 'xml' AS format, decode(payload) AS payload FROM given_chunks('part ${number}'))
         TO ${sqlLiteral(partPath(number))} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE_BYTES 1)`,
      ),
    );
  }
}

/** The snapshot of so many parts as a server sees it, with the index that publish writes. */
async function snapshotOf(parts: number): Promise<ReadSnapshot & { close: () => void }> {
  const files = Array.from({ length: parts }, (_, part) => ({
    path: `raw/part-000${part}.parquet`,
    bytes: 0,
    sha256: '',
  }));
  const index = { path: PAYLOAD_INDEX_FILE, bytes: 0, sha256: '' };
  const paths = files.map(({ path }) => join(place.path, path));
  await rm(join(place.path, PAYLOAD_INDEX_FILE), { force: true });
  await holdPayloads(
    db,
    place.path,
    files.map(({ path }) => path),
  );
  await writePayloadIndex(db, join(place.path, PAYLOAD_INDEX_FILE), paths);
  const tables = { raw: { files }, publications: { files: [] } } as unknown as ReadSnapshot['manifest']['tables'];
  return reopened({ manifest: { version: 'v', tables, payloadIndex: index } });
}

/** A snapshot as a server maps it when it is opened again. */
function reopened({ manifest }: Pick<ReadSnapshot, 'manifest'>): ReadSnapshot & { close: () => void } {
  const held: { release(): void }[] = [];
  const releaseWith = (one: { release(): void }) => void held.push(one);
  const image = { directory: place.path, releaseWith } as unknown as SnapshotImage;
  const close = (): void => {
    for (const one of held) one.release();
  };
  return { image, manifest, close };
}

async function payloadOf(snapshot: ReadSnapshot, row: Row): Promise<string | undefined> {
  const [read] = await store.rawPayloads(snapshot, [keyOf(row)]);
  return read && payloadText(read);
}

/** What a failed read says, with its causes. */
async function failureOf(read: Promise<unknown>): Promise<string> {
  const error = await read.then(
    () => new Error('it was read'),
    (fault: Error) => fault,
  );
  const messages: string[] = [];
  for (let one: unknown = error; one instanceof Error; one = one.cause) messages.push(one.message);
  return messages.join(' < ');
}

// Equality with a plain query, over any cut of any payloads into row groups and parts.
test('each payload of any part files is the one that a query finds', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.nat(200_000).map((n) => `é<v n="${n}"/>`.repeat(n % 900)),
  );
  const group = fc.array(text, { minLength: 1, maxLength: 5 });
  const parts = fc.array(fc.array(group, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(parts, async (texts) => {
      let serial = 0;
      const rows = texts.map((groups) =>
        groups.map((some) => some.map((payload) => ({ id: `ISRCTN${String(++serial).padStart(8, '0')}`, payload }))),
      );
      await writeParts(rows);
      const snapshot = await snapshotOf(rows.length);
      const asked = rows.flat(2).reverse();
      const read = await store.rawPayloads(snapshot, asked.map(keyOf));
      const files = rows.map((_, part) => sqlLiteral(partPath(part))).join(', ');
      const found = await db.all(`SELECT id, payload FROM read_parquet([${files}]) ORDER BY id DESC`);
      expect(read.map((one) => ({ id: one.registration, payload: payloadText(one) }))).toEqual(found);
      snapshot.close();
      await rm(join(place.path, 'raw'), { recursive: true });
    }),
    { numRuns: 12 },
  );
});

test('a payload that is not the one of its checksum is refused', async () => {
  const forged = { id: 'ISRCTN00000001', payload: '<forged/>', sha256: sha256('<v/>') };
  await writeParts([[[forged]]]);
  const snapshot = await snapshotOf(1);
  expect(await failureOf(payloadOf(snapshot, forged))).toBe(
    `the payload of ISRCTN00000001 cannot be read < a payload in ${partPath(0)} has SHA-256 ${sha256('<forged/>')}, expected ${sha256('<v/>')}`,
  );
  snapshot.close();
});

// Snapshots share part files, so several part files may hold a record: one its older payload, another its newer one.
test('of several payloads of one record, the one with the checksum asked for is read; any part that holds it will do', async () => {
  const [old, current, again] = ['<v0/>', '<v1/>', '<v2/>'].map((payload) => ({ id: 'ISRCTN00000001', payload })) as [
    Row,
    Row,
    Row,
  ];
  await writeParts([[[old, again]], [[current], [again]]]);
  const snapshot = await snapshotOf(2);
  const gone = { id: 'ISRCTN00000001', payload: '<v3/>' };
  expect([await payloadOf(snapshot, old), await payloadOf(snapshot, current)]).toEqual(['<v0/>', '<v1/>']);
  expect(await failureOf(payloadOf(snapshot, gone))).toBe('snapshot v holds no payload of ISRCTN00000001');
  snapshot.close();
  await rm(partPath(0));
  const later = reopened(snapshot);
  expect(await payloadOf(later, current)).toBe('<v1/>');
  expect(await payloadOf(later, again)).toBe('<v2/>');
  expect(await failureOf(payloadOf(later, old))).toContain('part-0000.parquet');
  expect(await failureOf(payloadOf(later, gone))).toBe('snapshot v holds no payload of ISRCTN00000001');
  later.close();
});

test('a part that is cut, overwritten or gone is a failed read, and the next read tries again', async () => {
  const row = { id: 'ISRCTN00000001', payload: '<v/>'.repeat(5000) };
  await writeParts([[[row]]]);
  const whole = await readFile(partPath(0));
  const snapshot = await snapshotOf(1);
  await rm(partPath(0));
  expect(await failureOf(payloadOf(snapshot, row))).toContain(`no such file or directory, open '${partPath(0)}'`);
  await writeFile(partPath(0), whole);
  expect(await payloadOf(snapshot, row)).toBe(row.payload);
  await truncate(partPath(0), 100);
  expect(await failureOf(payloadOf(snapshot, row))).toMatch(/part-0000\.parquet has \d+ bytes at \d+, expected \d+/);
  // Every fifth byte of the file is flipped in turn: what is not the payload is refused.
  for (let at = 0; at < whole.length; at += 5) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 0xff;
    await writeFile(partPath(0), damaged);
    const read = await payloadOf(snapshot, row).catch((error: Error) => error.message);
    expect([row.payload, 'the payload of ISRCTN00000001 cannot be read']).toContain(read);
  }
  snapshot.close();
});
