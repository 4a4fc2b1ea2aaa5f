import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DescribedColumn, SNAPSHOT_TABLE_DESCRIPTIONS } from '../../contract/fields/snapshot-tables.ts';
import { readManifest } from '../../snapshot/format/versions/current.ts';
import { SNAPSHOT_TABLES } from '../../snapshot/format/versions/manifest.ts';
import { instantText } from '../../snapshot/sql/fields.ts';
import {
  buildTestImage,
  type CorpusSpec,
  fillWorkingDatabase,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
} from '../../test/builders/working-database.ts';
import { diff } from '../diff/diff.ts';
import { manifestSum } from '../publish/commit.ts';
import { sumFile } from '../publish/durable.ts';
import { rootOfTable } from '../publish/identity/table-root.ts';
import { publish } from '../publish/publish.ts';
import { verify } from '../publish/verify/verify.ts';
import { openWorkingDatabase } from '../store/database.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { currentTables, ledgerSeed, seedItems } from './seeds.ts';

const NCT = 'NCT00000001';
const corpus = (title: string): CorpusSpec => ({
  trials: [
    {
      canonicalId: 'wt_aaaaaaaaaaaa',
      members: [{ id: NCT, title, start_date: { date: '2020-05', precision: 'month', type: null } }],
    },
    { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'ISRCTN00000002' }] },
  ],
});

/** Makes a version what an older program published: instants as text, no days beside dates, no origins, no descriptions. */
async function makeOlder(dir: string): Promise<void> {
  const { identity: _, bound: __, descriptions, ...manifest } = await readManifest(dir);
  await withScratchDatabase(async (db) => {
    for (const table of SNAPSHOT_TABLES) {
      const columns: readonly DescribedColumn[] = SNAPSHOT_TABLE_DESCRIPTIONS[table].columns;
      const older = columns
        .filter(({ type }) => type !== 'day' && type !== 'origins')
        .map(({ name, type }) => (type === 'instant' ? `${instantText(`"${name}"`)} AS "${name}"` : `"${name}"`));
      const files = table === 'raw' ? [] : manifest.tables[table].files;
      for (const { path } of files) {
        const file = join(dir, path);
        await db.run(`COPY (SELECT ${older.join(', ')} FROM '${file}') TO '${file}.older' (FORMAT parquet)`);
        await rename(`${file}.older`, file);
      }
      const sums = await Promise.all(manifest.tables[table].files.map(({ path }) => sumFile(dir, path)));
      manifest.tables[table] = { ...manifest.tables[table], files: sums, ...(await rootOfTable(db, dir, table)) };
    }
  });
  for (const name of [...descriptions!.map(({ path }) => path), 'SHA256SUMS', 'statement.json'])
    await rm(join(dir, name));
  const text = `${JSON.stringify({ ...manifest, formatVersion: 2 }, null, 2)}\n`;
  await writeFile(join(dir, 'manifest.json'), text);
  await writeFile(join(dir, 'manifest.json.sha256'), manifestSum(text));
}

test('a parent of an older form is read as one of this form: its ledger, its items, its records, and what differs from it', async () => {
  await using root = await temporaryDirectory();
  const snapshots = join(root.path, 'snapshots');
  await using db = await makeWorkingDatabase(join(root.path, 'data'), corpus('first'));
  await db.run(`INSERT INTO signals VALUES ('01', 'a', 'P', 'en', NULL, 'T', NULL, '2026-11-18T08:00:00.000Z',
    '2026-11-20T09:00:00.123Z', 'published', 'news', NULL, NULL, [], NULL, [])`);
  const publishNow = () => publish(publishInputs(root.path, corpus('')), db, buildTestImage, quietEffects());
  const { version: first } = await publishNow();
  await makeOlder(join(snapshots, first));
  await rm(join(snapshots, 'log'), { recursive: true });
  expect(await readManifest(join(snapshots, first))).toMatchObject({ formatVersion: 2 });

  const [dataDir, signingKeyFile] = [join(root.path, 'new'), join(root.path, 'none.key')];
  const workspace = {
    dataDir,
    snapshotsDir: snapshots,
    corpus: 'sample',
    signingKeyFile,
    codeVersion: '1',
    codeCommit: null,
  } as const;
  await using made = await openWorkingDatabase(dataDir);
  await seedItems(made, workspace);
  expect(await made.all('SELECT id, published_at, first_seen_at FROM signal_items')).toEqual([
    { id: '01', published_at: '2026-11-18T08:00:00.000Z', first_seen_at: '2026-11-20T09:00:00.123Z' },
  ]);
  const { previousLedger } = await ledgerSeed(made, workspace);
  expect(previousLedger?.map(({ canonicalId, firstSeen }) => [canonicalId, firstSeen])).toEqual([
    ['wt_aaaaaaaaaaaa', '2026-11-01T00:00:00.000Z'],
    ['wt_bbbbbbbbbbbb', '2026-11-01T00:00:00.000Z'],
  ]);
  const published = (await currentTables(workspace))!;
  expect(await made.one(`SELECT retrieved_at FROM ${published('registrations')} WHERE id = '${NCT}'`)).toEqual({
    retrieved_at: '2026-11-20T03:00:00.000Z',
  });

  await fillWorkingDatabase(db, join(root.path, 'data'), corpus('second'));
  const { version: second } = await publishNow();
  const { trials, registrations } = await diff(snapshots, first, second, null);
  const fields = [{ field: 'title', old: 'first', new: 'second' }];
  expect(trials.changed).toEqual([{ canonicalId: 'wt_aaaaaaaaaaaa', title: 'second', fields }]);
  expect(registrations.changed.map((changed) => changed.fields)).toEqual([fields]);
  expect((await verify(snapshots, second, quietEffects())).problems).toEqual([]);
  const { version: third } = await publishNow();
  expect(await diff(snapshots, second, third, null)).toMatchObject({ trials: { changed: [] } });
});
