import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Effects } from '../effects.ts';
import { type Database, sqlLiteral } from '../store/database.ts';
import { columnList, TABLE_SPECS } from '../store/snapshot-tables.ts';
import { linkOrCopy } from './durable.ts';

/** Payloads are large; small groups keep a look-up of one record cheap. */
const ROWS_PER_GROUP = 2_048;

interface PartUse {
  /** File name under data/work/raw-parts. */
  name: string;
  rows: number;
  /** Registrations whose payload is in it. */
  live: number;
}

/**
 * Puts the payloads of the present registrations into `<dir>/raw/part-NNNN.parquet`; returns the paths inside `dir`.
 * A part without a dead row is linked (parts are written once and never changed), any other is written again without
 * them. Throws when a registration's payload is not in the part that it names.
 */
export async function writeRawParts(
  db: Database,
  paths: { partsDir: string; dir: string },
  effects: Effects,
): Promise<string[]> {
  await mkdir(join(paths.dir, 'raw'));
  const parts = await partUses(db, paths.partsDir);
  const files: string[] = [];
  for (const [index, part] of parts.entries()) {
    const file = `raw/part-${String(index).padStart(4, '0')}.parquet`;
    const source = join(paths.partsDir, part.name);
    if (part.rows === part.live) await linkOrCopy(source, join(paths.dir, file));
    else await rewrite(db, part.name, source, join(paths.dir, file));
    files.push(file);
    effects.checkpoint(`written:${file}`);
    effects.progress({ stage: 'publish', label: 'raw', done: index + 1, total: parts.length, unit: 'files' });
  }
  if (files.length === 0) {
    files.push('raw/part-0000.parquet');
    await writeEmpty(db, join(paths.dir, files[0]!));
    effects.checkpoint(`written:${files[0]}`);
  }
  return files;
}

async function partUses(db: Database, partsDir: string): Promise<PartUse[]> {
  const named = await db.all(
    'SELECT raw_part AS name, count(*)::DOUBLE AS registrations FROM registrations GROUP BY raw_part ORDER BY raw_part',
  );
  const uses: PartUse[] = [];
  for (const { name, registrations } of named as { name: string; registrations: number }[]) {
    const source = `read_parquet(${sqlLiteral(join(partsDir, name))})`;
    const counted = await db.one(
      `SELECT count(*)::DOUBLE AS "rows", count(DISTINCT r.id)::DOUBLE AS live
       FROM (SELECT registry, id, payload_sha256 FROM ${source}) p
       LEFT JOIN (SELECT registry, id, payload_sha256 FROM registrations WHERE raw_part = $1) r
         USING (registry, id, payload_sha256)`,
      [name],
    );
    const use: PartUse = { name, rows: Number(counted?.rows), live: Number(counted?.live) };
    if (use.live !== registrations) await refuseMissingPayload(db, name, source);
    uses.push(use);
  }
  return uses;
}

async function refuseMissingPayload(db: Database, name: string, source: string): Promise<never> {
  const missing = await db.one(
    `SELECT r.id FROM registrations r ANTI JOIN ${source} p USING (registry, id, payload_sha256)
     WHERE r.raw_part = $1 ORDER BY r.id LIMIT 1`,
    [name],
  );
  throw new Error(
    `the payload of ${missing?.id} is not in data/work/raw-parts/${name} with its checksum; run normalise again from the raw set`,
  );
}

async function rewrite(db: Database, name: string, source: string, target: string): Promise<void> {
  const { columns, key } = TABLE_SPECS.raw;
  await db.run(
    `COPY (
       SELECT DISTINCT ON (registry, id) ${columnList(columns)}
       FROM read_parquet(${sqlLiteral(source)}) p
       SEMI JOIN (SELECT registry, id, payload_sha256 FROM registrations WHERE raw_part = ${sqlLiteral(name)}) r
         USING (registry, id, payload_sha256)
       ORDER BY ${columnList(key)}
     ) TO ${sqlLiteral(target)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${ROWS_PER_GROUP})`,
  );
}

async function writeEmpty(db: Database, target: string): Promise<void> {
  const columns = TABLE_SPECS.raw.columns.map((column) => `NULL::VARCHAR AS ${column}`).join(', ');
  await db.run(`COPY (SELECT ${columns} WHERE false) TO ${sqlLiteral(target)} (FORMAT parquet, COMPRESSION zstd)`);
}
