import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CURRENT_FILE } from './current-file.ts';
import { MANIFEST_FILE, type Manifest, manifestSchema, SNAPSHOT_FORMAT_VERSION } from './manifest.ts';

/** Directory name of a snapshot: UTC second it was made in and the first 8 hex digits of its content hash. */
export const VERSION_PATTERN = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** A snapshot cannot be used: it is missing, made by a newer program, or malformed. */
export class SnapshotFault extends Error {
  readonly code: 'missing' | 'newer-format' | 'malformed';

  constructor(code: SnapshotFault['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SnapshotFault';
    this.code = code;
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

/** The version that CURRENT names; null when nothing was published yet. Throws `malformed` for any other content. */
export async function readCurrent(snapshotsDir: string): Promise<string | null> {
  const text = await readIfPresent(join(snapshotsDir, CURRENT_FILE));
  if (text === null) return null;
  const version = text.replace(/\n$/, '');
  if (!VERSION_PATTERN.test(version)) {
    throw new SnapshotFault(
      'malformed',
      `${CURRENT_FILE} holds ${JSON.stringify(text.slice(0, 80))}, which is not a snapshot version; write the version to serve into it`,
    );
  }
  return version;
}

/** The manifest of a snapshot directory, checked against its schema. Throws SnapshotFault, naming file and fault. */
export async function readManifest(dir: string): Promise<Manifest> {
  const path = join(dir, MANIFEST_FILE);
  const text = await readIfPresent(path);
  if (text === null) throw new SnapshotFault('missing', `${path} does not exist, so there is no whole snapshot here`);
  return parseManifest(text, path);
}

/** `path` is for messages only. */
export function parseManifest(text: string, path: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SnapshotFault('malformed', `${path} is not JSON`, { cause });
  }
  const formatVersion = (value as { formatVersion?: unknown } | null)?.formatVersion;
  if (typeof formatVersion === 'number' && formatVersion > SNAPSHOT_FORMAT_VERSION) {
    throw new SnapshotFault(
      'newer-format',
      `${path} has snapshot format ${formatVersion}, this program reads up to ${SNAPSHOT_FORMAT_VERSION}: update the program or publish with it again`,
    );
  }
  const result = manifestSchema.safeParse(value);
  if (!result.success) {
    const issues = result.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join('.') || '(top)'}: ${issue.message}`);
    throw new SnapshotFault('malformed', `${path} is not a manifest: ${issues.join('; ')}`);
  }
  return result.data;
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
