import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PAYLOAD_INDEX_FILE } from '../../../snapshot/format/payload-index.ts';
import { isOfImage } from '../../../snapshot/format/serving.ts';
import { isServed, readManifest, SnapshotFault, snapshotPath } from '../../../snapshot/format/versions/current.ts';
import { versionName } from '../../../snapshot/format/versions/current-file.ts';
import { type Manifest, snapshotFiles } from '../../../snapshot/format/versions/manifest.ts';
import { MANIFEST_FILE, OWN_FILES } from '../../../snapshot/format/versions/own-files.ts';
import { CHECKPOINT_FILE, LOG_DIR } from '../../../snapshot/format/versions/publication-log.ts';
import { removedPath } from '../../../snapshot/format/versions/removed.ts';
import type { PublicKey } from '../../../snapshot/proof/verify.mjs';
import type { Effects } from '../../effects.ts';
import { checkLog } from '../checks/check-log.ts';
import { sumFile, walk } from '../durable.ts';
import { expectEqual, type Problem } from '../problem.ts';
import { newestOtherSound } from './damage.ts';
import { checkChanges } from './verify-changes.ts';
import { checkImage, type ImageCheck } from './verify-image.ts';
import { checkTables } from './verify-tables.ts';

export interface Verification {
  version: string;
  files: number;
  /** Rows read in all tables. */
  rows: number;
  /** Empty when the snapshot is whole. */
  problems: Problem[];
  /** What the operator does about the problems; null without any. */
  mend: string | null;
  /** Where the log of publications holds the snapshot; `index` is null for one without identity, and for one that it lacks. */
  log: { index: number | null; size: number; signedBy: string[]; notes: string[] };
  image: ImageFinding;
}

/** What was found of the serving image; `summed` where its files were not compared with what the tables give. */
export type ImageFinding = ImageCheck | { state: 'summed' } | { state: 'left-out'; files: number; bytes: number };

export interface VerifyOptions {
  /** Keys that must have signed the checkpoint of the log; null to take any signature, or none. */
  trusted?: readonly PublicKey[] | null;
  /** Whether the image is built again from the tables, its files are summed (by default), or it need not be there. */
  image?: 'rebuilt' | 'summed' | 'left-out';
}

/**
 * Recomputes everything that a snapshot states about itself: presence, length and hash of each file, rows and root
 * of each table, the checksum of each payload, and the numbers, content hash, sum and name of the manifest; on request also the
 * serving image from the tables. Reports all problems; throws SnapshotFault only when the snapshot does not exist.
 */
export async function verify(
  snapshotsDir: string,
  version: string,
  effects: Effects,
  { trusted = null, image = 'summed' }: VerifyOptions = {},
): Promise<Verification> {
  const dir = snapshotPath(snapshotsDir, version);
  await stat(dir).catch((cause) => {
    throw new SnapshotFault('missing', `there is no snapshot ${version} in ${snapshotsDir}`, { cause });
  });
  const problems: Problem[] = [];
  const manifest = await checkManifest(snapshotsDir, version, problems);
  let [files, rows, found]: [number, number, ImageFinding] = [0, 0, { state: 'summed' }];
  if (manifest !== null) {
    files = await checkFiles(dir, manifest, image === 'left-out', problems, effects);
    rows = await checkTables(dir, manifest, problems, effects);
    found = await imageFinding({ dir, manifest }, image, problems, effects);
    await checkChanges(snapshotsDir, manifest, problems);
  }
  const log = await verifyLog(snapshotsDir, manifest?.identity ?? null, trusted, problems);
  return { version, files, rows, problems, mend: await mendOf(snapshotsDir, version, problems), log, image: found };
}

async function imageFinding(
  { dir, manifest }: { dir: string; manifest: Manifest },
  asked: VerifyOptions['image'],
  problems: Problem[],
  effects: Effects,
): Promise<ImageFinding> {
  const { files } = manifest.serving;
  if (asked === 'left-out')
    return { state: 'left-out', files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  // Of damaged tables no image can be made.
  if (asked === 'summed' || problems.length > 0) return { state: 'summed' };
  return checkImage(dir, manifest, problems, effects);
}

/** Checks the log of publications, and finds the snapshot in it. */
async function verifyLog(
  snapshotsDir: string,
  identity: string | null,
  trusted: readonly PublicKey[] | null,
  problems: Problem[],
): Promise<Verification['log']> {
  const checked = await checkLog(snapshotsDir, trusted);
  problems.push(...checked.problems);
  const { entries, checkpoint, signedBy, notes } = checked;
  const index = entries.findIndex((entry) => entry.identity === identity);
  const size = checkpoint?.size ?? 0;
  if (index >= size && identity !== null)
    problems.push({
      file: `${LOG_DIR}/${CHECKPOINT_FILE}`,
      message: `counts ${size} identities; that of this snapshot is number ${index + 1}`,
    });
  return { index: index < 0 ? null : index, size, signedBy, notes };
}

async function mendOf(snapshotsDir: string, version: string, problems: readonly Problem[]): Promise<string | null> {
  if (problems.length === 0) return null;
  if (problems.every(({ file }) => file === PAYLOAD_INDEX_FILE || isOfImage(file)))
    return '`pipeline publish` makes the image again from the working tables, as a new version; of a version that was pulled without it, `--tables-only` checks the rest';
  if (problems.every(({ file }) => file.startsWith(LOG_DIR)))
    return 'the snapshot is as it was published; its log is not: docs/log.md says what to do for each problem';
  if (!(await isServed(snapshotsDir, version)))
    return 'this version is not served: restore it from a copy where it is needed';
  if (problems.every(({ file }) => file.startsWith('raw/')))
    return 'this version is served: remove DATA_DIR/work/raw-parts, which may share the file, and run again: the payloads are written again from the raw sets, as a new version';
  const sound = await newestOtherSound(snapshotsDir, version);
  if (sound === null) return 'this version is served, and no other there is sound: restore it from a copy';
  return `this version is served: \`pipeline current ${sound.version}\` serves the newest sound version instead`;
}

/** What the snapshot states of itself, or null when it cannot be read; reports its damage. */
async function checkManifest(snapshotsDir: string, version: string, problems: Problem[]): Promise<Manifest | null> {
  const dir = snapshotPath(snapshotsDir, version);
  try {
    const manifest = await readManifest(dir);
    const name = versionName(manifest.createdAt, manifest.identity);
    expectEqual(problems, '.', 'name by time and identity', name, version);
    await checkParent(snapshotsDir, manifest, problems);
    return manifest;
  } catch (error) {
    if (!(error instanceof SnapshotFault)) throw error;
    const file = OWN_FILES.find((one) => error.message.startsWith(join(dir, one))) ?? MANIFEST_FILE;
    problems.push({ file, message: `${error.message}; nothing else can be checked` });
    return null;
  }
}

/** Compares the parent that the manifest names with the one that its identity binds, where the parent's manifest is there. */
async function checkParent(snapshotsDir: string, { parent, bound }: Manifest, problems: Problem[]): Promise<void> {
  if (parent === null) return expectEqual(problems, MANIFEST_FILE, 'bound parent', bound.parent, null);
  for (const dir of [snapshotPath(snapshotsDir, parent), removedPath(snapshotsDir, parent)]) {
    const found = await readManifest(dir).catch(() => null);
    if (found === null) continue;
    return expectEqual(problems, MANIFEST_FILE, `bound parent ${parent}`, bound.parent, found.identity);
  }
}

async function checkFiles(
  dir: string,
  manifest: Manifest,
  tablesOnly: boolean,
  problems: Problem[],
  effects: Effects,
): Promise<number> {
  const listed = snapshotFiles(manifest);
  const expected = listed.filter(({ path }) => !tablesOnly || !isOfImage(path));
  const known = new Set<string>([...OWN_FILES, ...listed.map((file) => file.path)]);
  const present = await walk(dir);
  for (const file of present.files) {
    if (!known.has(file)) problems.push({ file, message: 'is not listed in the manifest' });
  }
  for (const directory of present.directories) {
    if (![...known].some((file) => file.startsWith(`${directory}/`))) {
      problems.push({ file: `${directory}/`, message: 'is a directory that the manifest does not know' });
    }
  }
  for (const [index, file] of expected.entries()) {
    if (!present.files.includes(file.path) || !(await lstat(join(dir, file.path))).isFile()) {
      problems.push({
        file: file.path,
        message: `is missing, expected ${file.bytes} bytes with SHA-256 ${file.sha256}`,
      });
      continue;
    }
    const found = await sumFile(dir, file.path);
    expectEqual(problems, file.path, 'bytes', found.bytes, file.bytes);
    expectEqual(problems, file.path, 'SHA-256', found.sha256, file.sha256);
    effects.progress({ stage: 'verify', label: 'files', done: index + 1, total: expected.length, unit: 'files' });
  }
  return OWN_FILES.length + expected.length;
}
