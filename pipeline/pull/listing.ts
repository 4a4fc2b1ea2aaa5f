import { sha256 } from '../../server-kit/hashing.ts';
import { parseManifest, SnapshotFault } from '../../snapshot/format/versions/current.ts';
import {
  MANIFEST_FILE,
  MANIFEST_SUM_FILE,
  type Manifest,
  type SnapshotFileSum,
  SUMS_FILE,
  snapshotFiles,
} from '../../snapshot/format/versions/manifest.ts';
import { STATEMENT_FILE, statementFaults } from '../../snapshot/format/versions/statement.ts';
import { manifestSum } from '../publish/commit.ts';
import { type Downloader, PullFault } from './downloader.ts';

/** What a version consists of, as the service states it in agreement with itself. */
export interface Listing {
  manifest: Manifest;
  /** Files that no manifest can list, with their content: manifest, its sum, statement, SHA256SUMS. */
  unlisted: { path: string; content: Buffer }[];
  /** Every file that the manifest lists. */
  files: SnapshotFileSum[];
}

/** A manifest at full size has about 100 kB. */
const TEXT_MAX_BYTES = 16_000_000;

/**
 * Reads the manifest of a version and what stands beside it, and holds them against each other: sum, statement, identity, SHA256SUMS.
 * Throws PullFault that names the file and both hashes where they contradict each other.
 */
export async function readListing(downloader: Downloader, version: string, manifestSha256?: string): Promise<Listing> {
  const first = await downloader.small(`${version}/${MANIFEST_FILE}`, TEXT_MAX_BYTES);
  if (first === null) throw new PullFault(`the service has no version ${version}`);
  if (manifestSha256 !== undefined && sha256(first) !== manifestSha256)
    throw differs(MANIFEST_FILE, sha256(first), manifestSha256);
  const manifest = manifestIn(first);
  if (version !== 'current' && manifest.version !== version)
    throw new PullFault(`${MANIFEST_FILE} of ${version} is that of ${manifest.version}`);
  const small = async (path: string): Promise<Buffer> => {
    const content = await downloader.small(`${manifest.version}/${path}`, TEXT_MAX_BYTES);
    if (content === null) throw new PullFault(`the service has no ${path} of ${manifest.version}`);
    return content;
  };
  const sum = await small(MANIFEST_SUM_FILE);
  const expected = manifestSum(first.toString('utf8'));
  if (sum.toString('utf8') !== expected) throw differs(MANIFEST_SUM_FILE, sha256(sum), sha256(Buffer.from(expected)));
  const unlisted = [
    { path: MANIFEST_FILE, content: first },
    { path: MANIFEST_SUM_FILE, content: sum },
  ];
  const stated = await small(STATEMENT_FILE);
  unlisted.push({ path: STATEMENT_FILE, content: stated });
  const files = distinct(snapshotFiles(manifest), unlisted);
  for (const { file, found, expected } of statementFaults(manifest, stated.toString('utf8')))
    throw new PullFault(`${file} of ${manifest.version}: found ${found}, expected ${expected}`);
  if (manifest.descriptions !== undefined) {
    const sums = await small(SUMS_FILE);
    checkSums(sums.toString('utf8'), [
      ...files,
      ...unlisted.map(({ path, content }) => ({ path, sha256: sha256(content) })),
    ]);
    unlisted.push({ path: SUMS_FILE, content: sums });
  }
  return { manifest, unlisted, files };
}

/** Says that a file is not the one that was stated. */
export function differs(path: string, found: string, expected: string): PullFault {
  return new PullFault(`${path} has the SHA-256 ${found}, expected ${expected}`);
}

function manifestIn(content: Buffer): Manifest {
  try {
    return parseManifest(content.toString('utf8'), `${MANIFEST_FILE} of the service`);
  } catch (error) {
    if (error instanceof SnapshotFault) throw new PullFault(error.message);
    throw error;
  }
}

/** The files, after no two of them would be written to one place, also where a file system knows no upper case. */
function distinct(files: SnapshotFileSum[], unlisted: readonly { path: string }[]): SnapshotFileSum[] {
  const taken = new Set([...unlisted.map(({ path }) => path), SUMS_FILE].map((path) => path.toLowerCase()));
  for (const { path } of files) {
    if (taken.has(path.toLowerCase())) throw new PullFault(`${MANIFEST_FILE} lists ${path} twice`);
    taken.add(path.toLowerCase());
  }
  return files;
}

/** Holds SHA256SUMS against what the manifest states. */
function checkSums(text: string, files: readonly Pick<SnapshotFileSum, 'path' | 'sha256'>[]): void {
  const sums = new Map<string, string>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, sha256, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sha256 === undefined || path === undefined) throw new PullFault(`${SUMS_FILE} is not in the form of sha256sum`);
    sums.set(path, sha256);
  }
  for (const { path, sha256 } of files) {
    const found = sums.get(path);
    if (found === undefined) throw new PullFault(`${SUMS_FILE} does not list ${path}`);
    if (found !== sha256)
      throw new PullFault(`${path} has the SHA-256 ${found} in ${SUMS_FILE}, but ${sha256} in the manifest`);
  }
}
