import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { SIGNAL_FILES } from '../../snapshot/format/signals.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';

/** Whether a snapshot's signal files match its manifest; `missing` also if one cannot be read. */
export type SignalIntegrity = 'verified' | 'mismatch' | 'missing';

/** Large enough for few reads, small enough that other requests are answered in between. */
const PIECE_BYTES = 256 * 1024;

/** Hashes the signal table and its serving files in pieces. Never rejects. */
export async function verifySignals(directory: string, manifest: Manifest): Promise<SignalIntegrity> {
  const isSignalFile = (path: string): boolean => (SIGNAL_FILES as readonly string[]).includes(basename(path));
  const files = [
    ...(manifest.tables.signals?.files ?? []),
    ...manifest.serving.files.filter(({ path }) => isSignalFile(path)),
  ];
  let standing: SignalIntegrity = 'verified';
  for (const { path, sha256 } of files) {
    const found = await sumOf(join(directory, path));
    if (found === null) return 'missing';
    if (found !== sha256) standing = 'mismatch';
  }
  return standing;
}

async function sumOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) hash.update(piece as Buffer);
  } catch {
    return null;
  }
  return hash.digest('hex');
}
