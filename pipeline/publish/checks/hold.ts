import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { SnapshotFault } from '../../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../../snapshot/format/versions/current-file.ts';
import type { Effects } from '../../effects.ts';
import { replaceFile } from '../durable.ts';

/** In the snapshots directory: the version that the operator chose to serve although a newer one is sound. */
const HOLD_FILE = 'HELD.json';

const holdSchema = z.strictObject({ version: z.string().regex(VERSION_PATTERN), since: z.iso.datetime() });
export type Hold = z.infer<typeof holdSchema>;

/** The hold on `served`; null without one. A hold on another version does not count any more. */
export async function readHold(snapshotsDir: string, served: string): Promise<Hold | null> {
  const path = join(snapshotsDir, HOLD_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const hold = holdOf(text);
  if (hold === null)
    throw new SnapshotFault('malformed', `${path} cannot be read: \`pipeline current ${served}\` writes it again`);
  return hold.version === served ? hold : null;
}

/** The caller holds the pipeline lock. */
export async function writeHold(snapshotsDir: string, hold: Hold, effects: Effects): Promise<void> {
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${HOLD_FILE}`);
  await replaceFile(join(snapshotsDir, HOLD_FILE), temporary, `${JSON.stringify(hold)}\n`, effects);
}

export async function removeHold(snapshotsDir: string): Promise<void> {
  await rm(join(snapshotsDir, HOLD_FILE), { force: true });
}

function holdOf(text: string): Hold | null {
  try {
    return holdSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
