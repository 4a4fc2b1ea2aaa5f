import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isOfImage } from '../serving.ts';
import { CURRENT_FILE, CURRENT_NONE, VERSION_PATTERN, versionName } from './current-file.ts';
import { type Manifest, manifestSchema, SNAPSHOT_FORMAT_VERSION, snapshotFiles } from './manifest.ts';
import {
  FILES_FILE,
  identityOf,
  inputsOf,
  joined,
  MANIFEST_FILE,
  OWN_FILES,
  type OwnTexts,
  RUN_FILE,
} from './own-files.ts';

/** A snapshot cannot be used: it is missing, of another format, or malformed. */
export class SnapshotFault extends Error {
  readonly code: 'missing' | 'other-format' | 'malformed';

  constructor(code: SnapshotFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SnapshotFault';
    this.code = code;
  }
}

/** Snapshots are there, but CURRENT does not say which of them is served. */
export class CurrentFault extends SnapshotFault {
  /** What is wrong with CURRENT, without paths and without what the file holds. */
  readonly reason: string;
  /** Null when no version on disk is sound. */
  readonly newestSound: string | null;

  constructor(
    code: SnapshotFault['code'],
    found: { dir: string; reason: string; detail?: string; newestSound: string | null },
  ) {
    const { dir, reason, detail, newestSound } = found;
    const next =
      newestSound === null
        ? 'no version there is sound: restore one, or publish with `--accept no-parent`'
        : `the newest sound version is ${newestSound}: \`pipeline current ${newestSound}\` makes it the served one`;
    super(code, `${reason}${detail === undefined ? '' : ` (${detail})`} in ${dir}; ${next}`);
    this.name = 'CurrentFault';
    this.reason = reason;
    this.newestSound = newestSound;
  }
}

/** Path of one snapshot. Throws `malformed` for any name but a version, so that no caller's text leaves the directory. */
export function snapshotPath(snapshotsDir: string, version: string): string {
  if (!VERSION_PATTERN.test(version)) {
    throw new SnapshotFault(
      'malformed',
      `"${version}" is not a snapshot version; one looks like 20261121T031500Z-0a1b2c3d, see \`pipeline list\``,
    );
  }
  return join(snapshotsDir, version);
}

/** The versions in the snapshots directory, newest first; empty when the directory does not exist yet. */
export async function versionsIn(snapshotsDir: string): Promise<string[]> {
  const entries = await readdir(snapshotsDir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isDirectory() && VERSION_PATTERN.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .reverse();
}

/**
 * The version that CURRENT names, whether it exists or not; null when nothing was published yet. Throws CurrentFault
 * when CURRENT holds no version, or is missing beside versions.
 */
export async function readCurrent(snapshotsDir: string): Promise<string | null> {
  const text = await readIfPresent(join(snapshotsDir, CURRENT_FILE));
  if (text === null) {
    if ((await versionsIn(snapshotsDir)).length === 0) return null;
    throw await currentFault(snapshotsDir, 'missing', `${CURRENT_FILE} is missing`);
  }
  const version = text.replace(/\n$/, '');
  if (version === CURRENT_NONE) return null;
  if (VERSION_PATTERN.test(version)) return version;
  const detail = `${JSON.stringify(text.slice(0, 80))}, which is not a snapshot version`;
  throw await currentFault(snapshotsDir, 'malformed', `${CURRENT_FILE} names no version`, detail);
}

/** Whether CURRENT names the version. */
export async function isServed(snapshotsDir: string, version: string): Promise<boolean> {
  try {
    return (await readCurrent(snapshotsDir)) === version;
  } catch (error) {
    if (!(error instanceof CurrentFault)) throw error;
    return false;
  }
}

/**
 * The manifest of the version that CURRENT names; null when nothing was published yet. Throws CurrentFault when CURRENT
 * names no version, one that is missing, or one without a usable manifest.
 */
export async function readCurrentManifest(snapshotsDir: string): Promise<Manifest | null> {
  const version = await readCurrent(snapshotsDir);
  if (version === null) return null;
  try {
    return await readManifest(snapshotPath(snapshotsDir, version));
  } catch (error) {
    if (error instanceof SnapshotFault) throw await unusableCurrent(snapshotsDir, version, error);
    throw error;
  }
}

/** What to say when the version that CURRENT names cannot be used because of `fault`. */
export function unusableCurrent(snapshotsDir: string, version: string, fault: SnapshotFault): Promise<CurrentFault> {
  const what = fault.code === 'missing' ? 'which does not exist' : 'which cannot be used';
  return currentFault(snapshotsDir, fault.code, `${CURRENT_FILE} names ${version}, ${what}`, fault.message);
}

async function currentFault(
  dir: string,
  code: SnapshotFault['code'],
  reason: string,
  detail?: string,
): Promise<CurrentFault> {
  const newestSound = await newestSoundVersion(dir);
  return new CurrentFault(code, { dir, reason, newestSound, ...(detail === undefined ? {} : { detail }) });
}

/** The newest version whose manifest and files have the sum and the sizes that were published; null when none has. */
export async function newestSoundVersion(snapshotsDir: string): Promise<string | null> {
  for (const version of await versionsIn(snapshotsDir)) {
    if (await isSound(snapshotPath(snapshotsDir, version))) return version;
  }
  return null;
}

async function isSound(dir: string): Promise<boolean> {
  try {
    return (await quickDamage(dir)) === null;
  } catch (error) {
    if (error instanceof SnapshotFault) return false;
    throw error;
  }
}

/** What differs of a version that was pulled without the image: it is whole for whoever reads its tables, and no server maps it. */
export const TABLES_ONLY = 'it has its tables alone and no serving image';

/**
 * What differs from what was published, by the identity and the sizes of all files; null when nothing does. Reads no file but
 * the snapshot's own; `pipeline verify` reads them all. Throws SnapshotFault for a manifest that cannot be used.
 */
export async function quickDamage(dir: string): Promise<string | null> {
  const manifest = await readManifest(dir);
  const fault = manifestDamage(dir, manifest);
  if (fault !== null) return `${MANIFEST_FILE} has the ${fault.found}, expected ${fault.expected}`;
  const files = snapshotFiles(manifest);
  const image = files.filter(({ path }) => isOfImage(path));
  const sizes = await Promise.all(files.map(({ path }) => stat(join(dir, path)).catch(() => null)));
  const wrong = files.flatMap(({ path, bytes }, index) => {
    const size = sizes[index]?.size;
    if (size === bytes) return [];
    return [size === undefined ? `${path} is missing` : `${path} has ${size} bytes instead of ${bytes}`];
  });
  if (wrong.length === 0) return null;
  const missing = files.filter((_, index) => sizes[index] === null);
  if (
    missing.length === wrong.length &&
    missing.length === image.length &&
    missing.every(({ path }) => isOfImage(path))
  )
    return TABLES_ONLY;
  return wrong.length === 1 ? wrong[0]! : `${wrong[0]}, and ${wrong.length - 1} more files differ`;
}

/** What contradicts itself in a snapshot. */
export interface ManifestFault {
  found: string;
  expected: string;
}

/** Why a manifest is not the one that was published: its identity is not in the name of its folder. Null where it is. */
export function manifestDamage(dir: string, { identity }: Manifest): ManifestFault | null {
  const name = basename(dir);
  if (name.endsWith(`-${identity.slice(0, 8)}`)) return null;
  return { found: `identity ${identity}`, expected: `that of ${name}` };
}

/** What a snapshot states of itself, in its checked form. Throws SnapshotFault, naming file and fault. */
export async function readManifest(dir: string): Promise<Manifest> {
  return parseManifest(await readOwnTexts(dir), dir);
}

/** The texts of a snapshot's own files. Throws SnapshotFault where one is missing. */
export async function readOwnTexts(dir: string): Promise<OwnTexts> {
  const texts = OWN_FILES.map(async (name) => {
    const text = await readIfPresent(join(dir, name));
    if (text !== null) return [name, text];
    throw new SnapshotFault('missing', `${join(dir, name)} does not exist, so there is no whole snapshot here`);
  });
  return Object.fromEntries(await Promise.all(texts)) as OwnTexts;
}

/** Of a snapshot in a folder that no version names, the name follows from it. */
export function parseManifest(texts: OwnTexts, dir: string): Manifest {
  const [stated, listed, run] = OWN_FILES.map((name) => objectIn(texts[name], join(dir, name)));
  const { formatVersion, inputs, files, ...bound } = stated!;
  if (typeof formatVersion === 'number' && formatVersion !== SNAPSHOT_FORMAT_VERSION) {
    throw new SnapshotFault(
      'other-format',
      `${join(dir, MANIFEST_FILE)} has snapshot format ${formatVersion}, and this program reads format ${SNAPSHOT_FORMAT_VERSION} alone: make it again from raw with \`pipeline normalise --accept no-parent\`, \`pipeline dedup\` and \`pipeline publish --accept no-parent --reason TEXT\``,
    );
  }
  if (files !== hash('sha256', texts[FILES_FILE]))
    throw new SnapshotFault(
      'malformed',
      `${join(dir, FILES_FILE)} is not the list of which ${MANIFEST_FILE} has the sum`,
    );
  const identity = identityOf(texts);
  const members = joined(joined({ ...bound, formatVersion }, listed), run) as object;
  const version = VERSION_PATTERN.test(basename(dir)) ? basename(dir) : versionName(String(run!.createdAt), identity);
  const result = manifestSchema.safeParse({ ...members, version, identity });
  if (!result.success) {
    const issues = result.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.') || '(top)'}: ${issue.message}`);
    throw new SnapshotFault('malformed', `${join(dir, MANIFEST_FILE)} is not a manifest: ${issues.join('; ')}`);
  }
  if (!isDeepStrictEqual(inputsOf(result.data.registries), inputs))
    throw new SnapshotFault('malformed', `${join(dir, RUN_FILE)} lists other inputs than ${MANIFEST_FILE} binds`);
  return result.data;
}

function objectIn(text: string, path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw new SnapshotFault('malformed', `${path} is no JSON object`);
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
