import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest, SnapshotFault, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../../snapshot/format/versions/current-file.ts';
import type { Effects } from '../../effects.ts';
import { replaceFile } from '../durable.ts';

/** In the snapshots directory: the versions that gc never removes, one a line. */
const PINS_FILE = 'PINS';

/** Throws SnapshotFault for a line that is no version, so that nothing is removed by half a list. */
export async function readPins(snapshotsDir: string): Promise<Set<string>> {
  const path = join(snapshotsDir, PINS_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n').filter((line) => line !== '');
  const wrong = lines.find((line) => !VERSION_PATTERN.test(line));
  if (wrong !== undefined) {
    throw new SnapshotFault(
      'malformed',
      `${path} holds ${JSON.stringify(wrong.slice(0, 80))}, which is not a snapshot version: mend the line, or remove the file to unpin all`,
    );
  }
  return new Set(lines);
}

/** Pins a version that exists, or removes its pin. Returns all pins. The caller holds the pipeline lock. */
export async function setPin(
  snapshotsDir: string,
  version: string,
  isPinned: boolean,
  effects: Effects,
): Promise<Set<string>> {
  const pins = await readPins(snapshotsDir);
  if (isPinned) {
    await readManifest(snapshotPath(snapshotsDir, version));
    pins.add(version);
  } else if (!pins.delete(version)) {
    throw new SnapshotFault('missing', `${version} is not pinned; \`pipeline list\` shows what is`);
  }
  const temporary = join(snapshotsDir, `.tmp-${process.pid}-${PINS_FILE}`);
  const text = [...pins].sort().map((line) => `${line}\n`);
  await replaceFile(join(snapshotsDir, PINS_FILE), temporary, text.join(''), effects);
  return pins;
}
