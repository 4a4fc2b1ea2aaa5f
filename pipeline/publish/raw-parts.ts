import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { TABLE_SPECS } from '../../snapshot/sql/tables.ts';
import type { Effects } from '../effects.ts';
import { lostParts } from '../normalise/payload-parts.ts';
import type { Connection } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';
import { type FileSum, linkOrCopy, sumFile, sync } from './durable.ts';
import { HELD_PAYLOADS, holdPayloads } from './retention/superseded.ts';

const MEND = 'run `pipeline normalise`, which writes it again from the raw set';

interface SharedParts {
  dir: string;
  partsDir: string;
  parent: { dir: string; tables: { raw: { files: readonly FileSum[] } } } | null;
}

/**
 * Links the parts with the payloads of the present registrations as `<dir>/raw/part-NNNN.parquet`; returns the paths
 * inside `dir`. Parts are written once and never changed, so that snapshots share them. A part may also hold payloads
 * that no registration names any more; they do not belong to the snapshot (`payloadSource`). A day's changes touch
 * nearly all parts, and rewriting them without those payloads cost more than the rest of the publish. The normalise
 * stage keeps every part at least half used. Makes `HELD_PAYLOADS`. Throws when a registration's payload is in no part.
 */
export async function writeRawParts(
  db: Connection,
  paths: { partsDir: string; dir: string },
  effects: Effects,
): Promise<string[]> {
  await mkdir(join(paths.dir, 'raw'));
  const named = await db.all('SELECT DISTINCT raw_part AS name FROM registrations ORDER BY name');
  const parts = named.map(({ name }) => String(name));
  const [lost] = await lostParts(db, paths.partsDir);
  if (lost !== undefined) throw new Error(`data/work/raw-parts/${lost} is missing or cut short; ${MEND}`);
  const files: string[] = [];
  for (const [index, part] of parts.entries()) {
    const file = `raw/part-${String(index).padStart(4, '0')}.parquet`;
    await linkOrCopy(join(paths.partsDir, part), join(paths.dir, file));
    files.push(file);
    effects.checkpoint(`written:${file}`);
    effects.progress({ stage: 'publish', label: 'raw', done: index + 1, total: parts.length, unit: 'files' });
  }
  if (files.length === 0) {
    files.push('raw/part-0000.parquet');
    await writeEmpty(db, join(paths.dir, files[0]!));
    effects.checkpoint(`written:${files[0]}`);
  }
  await holdPayloads(db, paths.dir, files);
  await refuseMissingPayload(db);
  return files;
}

/**
 * Makes the parts in `dir` durable and sums them. Throws SnapshotFault where a part is the same file as a part of the
 * parent, and has another sum than the parent states: it would be damaged in both.
 */
export async function settleRawParts(
  { dir, partsDir, parent }: SharedParts,
  files: readonly string[],
  effects: Effects,
): Promise<FileSum[]> {
  const ofParent = new Map<string | null, FileSum>();
  for (const sum of parent?.tables.raw.files ?? []) ofParent.set(await fileIdentity(join(parent!.dir, sum.path)), sum);
  const sums: FileSum[] = [];
  const damaged: string[] = [];
  for (const path of files) {
    await sync(join(dir, path));
    effects.checkpoint(`synced:${path}`);
    const sum = await sumFile(dir, path);
    const shared = ofParent.get(await fileIdentity(join(dir, path)));
    if (shared !== undefined && shared.sha256 !== sum.sha256) damaged.push(shared.path);
    sums.push(sum);
  }
  if (damaged.length === 0) return sums;
  throw new SnapshotFault(
    'malformed',
    `${damaged.join(', ')} of the served version is damaged, and ${partsDir} shares it; remove that folder and run again: it is written again from the raw sets`,
  );
}

/** Device, inode and length of a file; null when there is no file. */
async function fileIdentity(path: string): Promise<string | null> {
  try {
    const { dev, ino, size } = await stat(path, { bigint: true });
    return `${dev} ${ino} ${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Throws when a registration's payload is in no part. Needs `HELD_PAYLOADS`. */
async function refuseMissingPayload(db: Connection): Promise<void> {
  const missing = await db.one(
    `SELECT id, raw_part FROM registrations ANTI JOIN ${HELD_PAYLOADS} USING (registry, id, payload_sha256)
     ORDER BY id LIMIT 1`,
  );
  if (missing === null) return;
  throw new Error(
    `the payload of ${missing.id} is not in data/work/raw-parts/${missing.raw_part} with its checksum; ${MEND}`,
  );
}

async function writeEmpty(db: Connection, target: string): Promise<void> {
  const columns = TABLE_SPECS.raw.columns.map((column) => `NULL::VARCHAR AS ${column}`).join(', ');
  const rows = `SELECT ${columns} WHERE false`;
  await writeDescribedParquet(db, { table: 'raw', rows, path: target, options: 'ROW_GROUP_SIZE 2048' });
}
