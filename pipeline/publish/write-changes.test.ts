import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { RootOfLeaves } from '../../snapshot/proof/merkle.ts';
import { writeOwnFiles } from '../../test/builders/manifest.ts';
import type { CorpusSpec } from '../../test/builders/working-database.ts';
import { deep } from '../../test/support/runner/amount.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { sumFile } from './durable.ts';
import { rootOfChanges } from './write-changes.ts';

const NCT = { registry: 'clinicaltrials_gov', registration_id: 'NCT00000001' } as const;
const publication = (ordinal: number, pmid: string) => ({ ...NCT, ordinal, kind: 'results', pmid, retracted: false });
const identifier = (value: string) => ({
  ...{ ...NCT, type: 'other', value, role: 'declared', field: 'orgStudyIdInfo.id', raw_value: value },
  ...{ suspect: false, in_index: false },
});
const before: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001', title: 'Old', minimum_age: 18 }] },
    { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'ISRCTN00000002' }] },
  ],
  links: [{ link_id: 'ln_1', from_id: 'ISRCTN00000002', to_id: 'NCT00000001', verdict: 'rejected' }],
  publications: [publication(0, '1'), publication(1, '2')],
  identifiers: [identifier('A-1')],
};
const after: CorpusSpec = {
  ...before,
  trials: [
    { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001', title: 'New\u000b', minimum_age: 18.5 }] },
    { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'ISRCTN00000002' }] },
  ],
  links: [],
  // The first is now behind a new one: its place does not count.
  publications: [publication(0, '3'), publication(1, '1')],
  identifiers: [identifier('A-2')],
};

let publisher: TestPublisher;
let first: Manifest;
let second: Manifest;
beforeAll(async () => {
  publisher = await TestPublisher.of(before);
  first = (await publisher.publish()).manifest;
  second = (await publisher.publishNext(after)).manifest;
  await cp(publisher.dir(second.version), join(publisher.path, 'whole'), { recursive: true });
  return () => publisher[Symbol.asyncDispose]();
});

const changesFile = () => join(publisher.dir(second.version), 'changes.parquet');

it('the table has each difference from the parent in one row, by trial, and whole rows of what is on one side only', async () => {
  const rows = await withScratchDatabase((db) => db.all(`SELECT * FROM '${changesFile()}'`));
  const told = rows.map(({ canonical_id, kind, registration_id, item, field, old, new: fresh, title, related }) =>
    [String(canonical_id).slice(0, 4), kind, registration_id ?? item, field, old, fresh, title, related].flat(),
  );
  const id = 'NCT00000001';
  const number = (value: string) => `{"role":"declared","type":"other","value":"${value}"}`;
  const pmid = (value: string) => expect.stringContaining(`"pmid":"${value}"`);
  expect(told.filter(([, kind]) => kind !== 'link-lost')).toEqual([
    ['wt_a', 'identifier-gained', id, 'orgStudyIdInfo.id', null, number('A-2'), null],
    ['wt_a', 'identifier-lost', id, 'orgStudyIdInfo.id', number('A-1'), null, null],
    ['wt_a', 'publication-gained', id, null, null, pmid('3'), null],
    ['wt_a', 'publication-lost', id, null, pmid('2'), null, null],
    ['wt_a', 'registration-changed', id, 'minimum_age', '18', '18.5', 'New\u000b'],
    ['wt_a', 'registration-changed', id, 'title', '"Old"', '"New\\u000b"', 'New\u000b'],
    ['wt_a', 'trial-changed', null, 'title', '"Old"', '"New\\u000b"', 'New\u000b'],
  ]);
  // A link is with the trial that states it, and names the other.
  const link = told.find(([, kind]) => kind === 'link-lost')!;
  expect([link[0], link[2], link.at(-1)]).toEqual(['wt_b', 'ln_1', 'wt_aaaaaaaaaaaa']);
  expect(JSON.parse(String(link[4]))).toMatchObject({ from_id: 'ISRCTN00000002', verdict: 'rejected' });
});

it('the manifest describes it like every table; a first snapshot has none', () => {
  expect(first).toMatchObject({ changes: null, storedChanges: null });
  expect(second.storedChanges).toMatchObject({
    rows: 8,
    root: expect.stringMatching(/^[0-9a-f]{64}$/),
    files: [{ path: 'changes.parquet', bytes: second.storedChanges!.bytes }],
  });
  expect(second.changes).toEqual({ added: 0, changed: 1, removed: 0, merged: 0, split: 0 });
});

it('it is described as every table is: schema, its own metadata, and a view; not where there is none', async () => {
  const read = async (version: string, name: string) =>
    JSON.parse(await readFile(join(publisher.dir(version), name), 'utf8'));
  const { $defs } = await read(second.version, 'schema.json');
  const properties = Object.entries($defs.changes.properties as Record<string, { 'x-type': string }>);
  const columns = properties.map(([name, column]) => [name, column['x-type']]);
  expect($defs.changes).toMatchObject({
    'x-primary-key': null,
    'x-sorted-by': columns.slice(0, 8).map(([name]) => name),
  });
  await withScratchDatabase(async (db) => {
    const stated = await db.all(
      `SELECT decode(key) AS name, decode(value) AS text FROM parquet_kv_metadata('${changesFile()}')`,
    );
    const schema = stated.find(({ name }) => name === 'row_schema')!;
    expect(JSON.parse(String(schema.text))).toEqual($defs.changes);
    const described = await db.all(`DESCRIBE SELECT * FROM '${changesFile()}'`);
    expect(described.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(columns);
    await db.run(`SET VARIABLE snapshot = '${publisher.dir(second.version)}';
      ATTACH '${publisher.dir(second.version)}/snapshot.duckdb' AS s (READ_ONLY)`);
    expect(await db.one('SELECT count(*) AS n FROM s.changes')).toEqual({ n: '8' });
    await db.run('DETACH s');
  });
  expect(Object.keys((await read(first.version, 'schema.json')).$defs)).not.toContain('changes');
});

/** Problems after `forge` changed files, with the manifest's sums made to fit. */
async function problemsAfter(forge: (manifest: Manifest) => Promise<void>): Promise<string[]> {
  const dir = publisher.dir(second.version);
  const manifest = await readManifest(dir);
  try {
    await forge(manifest);
    writeOwnFiles(dir, manifest);
    const problems = await publisher.problems(second.version);
    // Another identity gives another name, and is not in the log; verify.test.ts has that.
    const inside = problems.filter(({ file }) => file !== '.' && file !== 'log/identities');
    return inside.map(({ file, message }) => `${file} ${message.replaceAll(/[0-9a-f]{64}/g, 'HASH')}`);
  } finally {
    await rm(dir, { recursive: true, force: true });
    await cp(join(publisher.path, 'whole'), dir, { recursive: true });
  }
}

/** Writes the changes anew from SQL over them, as a forger would. */
async function rewrite(manifest: Manifest, sql: string): Promise<void> {
  const dir = publisher.dir(manifest.version);
  await withScratchDatabase(async (db) => {
    await db.run(`CREATE TABLE was AS FROM '${changesFile()}'; COPY (${sql}) TO '${changesFile()}' (FORMAT parquet)`);
  });
  manifest.storedChanges!.files = [await sumFile(dir, 'changes.parquet')];
}

deep.it('verify finds no problem, and names changes that were forged, whose sums were made to fit', async () => {
  expect(await problemsAfter(async () => undefined)).toEqual([]);
  const other = await problemsAfter((manifest) =>
    rewrite(manifest, `SELECT * REPLACE (replace("new", '18.5', '19') AS "new") FROM was`),
  );
  expect(other).toEqual(['changes.parquet root of changes is HASH, expected HASH']);
  const fewer = await problemsAfter((manifest) => rewrite(manifest, `SELECT * FROM was WHERE kind <> 'trial-changed'`));
  expect(fewer).toContain('changes.parquet rows of changes is 7, expected 8');
  expect(fewer).toContain('changes.parquet trials changed is 0, expected 1');
  const counts = await problemsAfter(async (manifest) => {
    manifest.changes!.changed = 2;
  });
  expect(counts).toEqual(['changes.parquet trials changed is 1, expected 2']);
});

deep.it('verify holds changes that agree with themselves against what the two snapshots differ by', async () => {
  const forged = await problemsAfter(async (manifest) => {
    await rewrite(manifest, `SELECT * REPLACE (replace("new", '18.5', '19') AS "new") FROM was`);
    await withScratchDatabase(async (db) => {
      Object.assign(manifest.storedChanges!, await rootOfChanges(db, `'${changesFile()}'`));
    });
    expect(manifest.storedChanges!.root).not.toBe(second.storedChanges!.root);
  });
  expect(forged).toEqual([
    'proofs/changes.tree SHA-256 of the tree over the rows is HASH, expected HASH',
    `changes.parquet root of the differences from ${first.version} is HASH, expected HASH`,
  ]);
});

deep.it(
  'verify names a tree that does not follow from the changes, and one over the same rows in another order',
  async () => {
    const dir = publisher.dir(second.version);
    const path = 'proofs/changes.tree';
    const leaves = await readFile(join(dir, path));
    const swapped = Buffer.concat([leaves.subarray(32, 64), leaves.subarray(0, 32), leaves.subarray(64)]);
    const put = async (manifest: Manifest): Promise<void> => {
      await writeFile(join(dir, path), swapped);
      manifest.proofs = await Promise.all(manifest.proofs!.map((file) => sumFile(dir, file.path)));
    };
    expect(await problemsAfter(put)).toEqual([`${path} SHA-256 of the tree over the rows is HASH, expected HASH`]);
    // A bound root over another order would let changes of one trial stand in two places.
    const forged = await problemsAfter(async (manifest) => {
      await put(manifest);
      const tree = new RootOfLeaves();
      tree.add(swapped);
      manifest.storedChanges!.root = tree.root().toString('hex');
    });
    expect(forged).toContain('changes.parquet root of changes is HASH, expected HASH');
  },
);

deep.it('between two corpora changes are counted and not stored', async () => {
  await using other = await TestPublisher.of(before);
  await other.publish();
  const { manifest } = await other.publish({ corpus: 'registries' });
  expect(manifest).toMatchObject({ changes: { added: 0, changed: 0 }, storedChanges: null });
});
