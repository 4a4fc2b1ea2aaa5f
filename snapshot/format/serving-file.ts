import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVING_DIR } from './serving.ts';
import { readManifest, SnapshotFault } from './versions/current.ts';

/**
 * Reads a file of the serving image whole; null for a snapshot that was published without it. Throws SnapshotFault,
 * naming file and sums, where it is not as published.
 */
export async function readServingFile(snapshotDir: string, name: string): Promise<Buffer<ArrayBuffer> | null> {
  const path = join(snapshotDir, SERVING_DIR, name);
  const { serving } = await readManifest(snapshotDir);
  const stated = serving.files.find((file) => file.path === `${SERVING_DIR}/${name}`);
  if (stated === undefined) return null;
  const bytes = await readFile(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (sha256 === stated.sha256) return bytes;
  throw new SnapshotFault(
    'malformed',
    `${path} is not as published: it has SHA-256 ${sha256}, expected ${stated.sha256}; restore the file or publish again`,
  );
}
