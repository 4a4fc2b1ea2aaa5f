import { type Manifest, SNAPSHOT_TABLES, type SnapshotTable } from '../../../snapshot/format/versions/manifest.ts';
import { MANIFEST_FILE } from '../../../snapshot/format/versions/own-files.ts';
import { isProven, treeOf } from '../../../snapshot/format/versions/proof-trees.ts';
import { parquetSource, tableOfFile } from '../../../snapshot/sql/tables.ts';
import type { Effects } from '../../effects.ts';
import type { Database } from '../../store/database.ts';
import { withScratchDatabase } from '../../store/scratch-database.ts';
import { sumOfTree } from '../identity/proof-trees.ts';
import { contentHash, rootOfTable, type TableValues } from '../identity/table-root.ts';
import { checkPayloadIndex } from '../payload-index.ts';
import { expectEqual, type Problem } from '../problem.ts';
import { checkSuperseded, holdPayloads } from '../retention/superseded.ts';
import { countSnapshot } from '../write-tables.ts';

/** At most this many damaged payloads are named one by one; the rest are counted. */
const NAMED_PAYLOADS = 20;

/** Checks the values of all tables except those with a damaged file, which is reported already. */
export async function checkTables(
  dir: string,
  manifest: Manifest,
  problems: Problem[],
  effects: Effects,
): Promise<number> {
  const damaged = new Set(problems.map((problem) => tableOfFile(problem.file)));
  // The registrations say which payloads belong to the snapshot.
  const unreadable = new Set(damaged.has('registrations') ? [...damaged, 'raw'] : damaged);
  const sound = SNAPSHOT_TABLES.filter((table) => !unreadable.has(table));
  return withScratchDatabase(async (db) => {
    const hashes: Partial<Record<SnapshotTable, string>> = {};
    let rows = 0;
    for (const [index, table] of sound.entries()) {
      const stated = manifest.tables[table];
      const found = await valuesOf(db, dir, table, manifest, problems);
      const name = stated.files[0]?.path ?? table;
      expectEqual(problems, name, `rows of ${table}`, found.rows, stated.rows);
      expectEqual(problems, name, `root of ${table}`, found.root, stated.root);
      const bytes = stated.files.reduce((sum, file) => sum + file.bytes, 0);
      expectEqual(problems, MANIFEST_FILE, `bytes of ${table}`, stated.bytes, bytes);
      hashes[table] = found.root;
      rows += found.rows;
      effects.progress({ stage: 'verify', label: table, done: index + 1, total: sound.length, unit: 'tables' });
    }
    if (!damaged.has('raw')) await checkPayloads(db, dir, problems);
    if (!damaged.has('raw')) {
      await holdPayloads(
        db,
        dir,
        manifest.tables.raw.files.map(({ path }) => path),
      );
      await checkPayloadIndex(db, dir, manifest, problems);
    }
    if (!damaged.has('raw') && !damaged.has('registrations')) {
      await checkPayloadOwners(db, dir, problems);
      await checkSuperseded(db, dir, manifest, problems);
    }
    if (sound.length === SNAPSHOT_TABLES.length) {
      const found = contentHash(manifest, hashes as Record<SnapshotTable, string>);
      expectEqual(problems, MANIFEST_FILE, 'contentHash', manifest.contentHash, found);
      await checkNumbers(db, dir, manifest, problems);
    }
    return rows;
  });
}

/** Rows and root of a table; of one that is proven row by row, also whether its tree follows from it. */
async function valuesOf(
  db: Database,
  dir: string,
  table: SnapshotTable,
  manifest: Manifest,
  problems: Problem[],
): Promise<TableValues> {
  if (!isProven(table)) return rootOfTable(db, dir, table);
  const stated = treeOf(manifest, table);
  const { values, file } = await sumOfTree(table, (tree) => rootOfTable(db, dir, table, tree));
  if (values.root === manifest.tables[table].root)
    expectEqual(problems, file.path, 'SHA-256 of the tree over the rows', stated?.sha256, file.sha256);
  return values;
}

async function checkPayloads(db: Database, dir: string, problems: Problem[]): Promise<void> {
  const query = `SELECT replace(filename, '\\', '/') AS "file", id, payload_sha256 AS stated, sha256(payload) AS found
    FROM ${parquetSource(dir, 'raw').replace(/\)$/, ', filename = true)')} WHERE sha256(payload) IS DISTINCT FROM payload_sha256`;
  let count = 0;
  for await (const rows of db.stream(query)) {
    for (const row of rows) {
      count += 1;
      if (count > NAMED_PAYLOADS) continue;
      const file = `raw/${String(row.file).split('/').at(-1)}`;
      problems.push({ file, message: `payload of ${row.id} has SHA-256 ${row.found}, expected ${row.stated}` });
    }
  }
  if (count > NAMED_PAYLOADS)
    problems.push({ file: 'raw', message: `${count} payloads in all do not have their checksum` });
}

async function checkPayloadOwners(db: Database, dir: string, problems: Problem[]): Promise<void> {
  const owners = await db.all(
    `SELECT r.id FROM ${parquetSource(dir, 'registrations')} r
     ANTI JOIN (SELECT registry, id, payload_sha256 FROM ${parquetSource(dir, 'raw')}) p
       USING (registry, id, payload_sha256)
     ORDER BY r.id LIMIT ${NAMED_PAYLOADS}`,
  );
  for (const { id } of owners) problems.push({ file: 'raw', message: `holds no payload of registration ${id}` });
}

async function checkNumbers(db: Database, dir: string, manifest: Manifest, problems: Problem[]): Promise<void> {
  const counts = await countSnapshot(db, dir);
  for (const name of Object.keys(counts) as (keyof Manifest['counts'])[]) {
    expectEqual(problems, MANIFEST_FILE, `counts.${name}`, manifest.counts[name], counts[name]);
  }
  const held = await db.all(
    `SELECT registry, count(*)::DOUBLE AS held FROM ${parquetSource(dir, 'registrations')} GROUP BY registry`,
  );
  for (const { registry, registrations } of manifest.registries) {
    const found = held.find((row) => row.registry === registry)?.held ?? 0;
    expectEqual(problems, MANIFEST_FILE, `registrations of ${registry}`, registrations ?? 0, found);
  }
  if (manifest.feeds === undefined) return;
  const items = await db.all(
    `SELECT source, count(*)::DOUBLE AS held FROM ${parquetSource(dir, 'signals')} GROUP BY source`,
  );
  for (const { feed, items: stated } of manifest.feeds) {
    const found = items.find((row) => row.source === feed)?.held ?? 0;
    expectEqual(problems, MANIFEST_FILE, `items of ${feed}`, stated ?? 0, found);
  }
}
