import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYLOAD_INDEX_FILE } from '../../snapshot/format/payload-index.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { payloadIndexOf } from '../../snapshot/sql/payload-places.ts';
import type { Effects } from '../effects.ts';
import type { Connection } from '../store/database.ts';
import { sumFile, sync } from './durable.ts';
import type { Problem } from './problem.ts';
import { HELD_PAYLOADS, holdPayloads, writeSuperseded } from './retention/superseded.ts';

type Raw = Pick<Manifest['tables']['raw'], 'files'>;

/** What follows from the payloads in part files, as the manifest describes it. */
export type PayloadFiles = Required<Pick<Manifest, 'payloadIndex' | 'superseded'>>;

/** Writes it from the part files of `dir` and the working table of registrations. */
export async function writePayloadFiles(
  db: Connection,
  dir: string,
  raw: Pick<Manifest['tables']['raw'], 'rows' | 'files'>,
  effects: Effects,
): Promise<PayloadFiles> {
  await holdPayloads(db, dir, raw);
  await writeFile(join(dir, PAYLOAD_INDEX_FILE), await indexOf(db, dir, raw, HELD_PAYLOADS));
  effects.checkpoint(`written:${PAYLOAD_INDEX_FILE}`);
  await sync(join(dir, PAYLOAD_INDEX_FILE));
  effects.checkpoint(`synced:${PAYLOAD_INDEX_FILE}`);
  const payloadIndex = await sumFile(dir, PAYLOAD_INDEX_FILE);
  const superseded = await writeSuperseded(db, { dir, registrations: 'registrations' }, raw, effects);
  await db.run(`DROP TABLE ${HELD_PAYLOADS}; DROP TABLE IF EXISTS named_payloads`);
  return { payloadIndex, superseded };
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
