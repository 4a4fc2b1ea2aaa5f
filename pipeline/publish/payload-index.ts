import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYLOAD_INDEX_FILE } from '../../snapshot/format/payload-index.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { payloadIndexOf } from '../../snapshot/sql/payload-places.ts';
import type { Effects } from '../effects.ts';
import type { Connection } from '../store/database.ts';
import { type FileSum, sumFile, sync } from './durable.ts';
import type { Problem } from './problem.ts';

type Raw = Pick<Manifest['tables']['raw'], 'files'>;

/** Writes the index of the payloads in the part files of `dir` and makes it durable; `held` as in `payloadIndexOf`. */
export async function writePayloadIndex(
  db: Connection,
  dir: string,
  raw: Raw,
  held: string,
  effects: Effects,
): Promise<FileSum> {
  const index = await indexOf(db, dir, raw, held);
  await writeFile(join(dir, PAYLOAD_INDEX_FILE), index);
  effects.checkpoint(`written:${PAYLOAD_INDEX_FILE}`);
  await sync(join(dir, PAYLOAD_INDEX_FILE));
  effects.checkpoint(`synced:${PAYLOAD_INDEX_FILE}`);
  return sumFile(dir, PAYLOAD_INDEX_FILE);
}

/** Whether the index is the one that sound part files give. */
export async function checkPayloadIndex(
  db: Connection,
  dir: string,
  { payloadIndex, tables }: Pick<Manifest, 'payloadIndex' | 'tables'>,
  problems: Problem[],
): Promise<void> {
  const isKnown = problems.some(({ file }) => file === PAYLOAD_INDEX_FILE);
  if (isKnown) return;
  const stated = await readFile(join(dir, payloadIndex.path));
  if (stated.equals(await indexOf(db, dir, tables.raw))) return;
  problems.push({ file: PAYLOAD_INDEX_FILE, message: 'is not the index of the part files of raw' });
}

function indexOf(db: Connection, dir: string, { files }: Raw, held?: string): Promise<Buffer> {
  return payloadIndexOf(
    db,
    files.map(({ path }) => join(dir, path)),
    held,
  );
}
