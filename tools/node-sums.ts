/**
 * Holds pinned-node.json against the sums that nodejs.org publishes, and what this platform's archive holds against the
 * pinned sum of the executable: `node tools/node-sums.ts`. Exit code 0 where all agree, 1 where something differs, 3
 * where nodejs.org cannot be reached, so that nothing was compared.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

interface Pinned {
  version: string;
  archives: string;
  platforms: Record<string, { archive: string; archiveSha256: string; executableSha256: string }>;
}

const EXIT_DIFFERS = 1;
const EXIT_UNREACHABLE = 3;
const PATIENCE_MS = 300_000;

/** A file of pins may be named, as the test does. */
const pins = process.argv[2] ?? new URL('pinned-node.json', import.meta.url);
const pinned = JSON.parse(await readFile(pins, 'utf8')) as Pinned;
const faults: string[] = [];

try {
  const list = (await download(pinned.archives)).toString('utf8');
  for (const { archive, archiveSha256 } of Object.values(pinned.platforms)) {
    const published = list
      .split('\n')
      .find((line) => line.endsWith(`  ${archive}`))
      ?.split('  ')[0];
    hold(`the published sum of ${archive}`, published ?? 'none', archiveSha256);
  }
  await holdExecutable();
} catch (error) {
  process.stderr.write(`nothing was compared: ${pinned.archives} cannot be reached (${String(error)})\n`);
  process.exit(EXIT_UNREACHABLE);
}
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length === 0) process.stdout.write(`Node ${pinned.version} is pinned as nodejs.org publishes it\n`);
process.exitCode = faults.length === 0 ? 0 : EXIT_DIFFERS;

/** The executable in this platform's archive; zip archives are left to the published sum. */
async function holdExecutable(): Promise<void> {
  const own = pinned.platforms[`${process.platform}-${process.arch}`];
  if (own === undefined || !own.archive.endsWith('.tar.gz')) return;
  const bytes = await download(new URL(own.archive, pinned.archives).href);
  hold(`the sum of ${own.archive} as downloaded`, sha256(bytes), own.archiveSha256);
  const folder = await mkdtemp(join(tmpdir(), 'trial-board-node-'));
  try {
    const archive = join(folder, own.archive);
    await writeFile(archive, bytes);
    const inside = `${basename(own.archive, '.tar.gz')}/bin/node`;
    await promisify(execFile)('tar', ['-xzf', archive, '-C', folder, inside]);
    hold(`the sum of ${inside}`, sha256(await readFile(join(folder, inside))), own.executableSha256);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function hold(what: string, found: string, expected: string): void {
  if (found !== expected) faults.push(`${what} is ${found}, pinned is ${expected}`);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
