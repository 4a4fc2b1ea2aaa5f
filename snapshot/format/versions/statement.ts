import { hash } from 'node:crypto';
import { canonicalJson } from '../../../contract/canonical-json.ts';
import { leafHash, RootOfLeaves } from '../../proof/merkle.ts';
import { MANIFEST_FILE, type Manifest, SNAPSHOT_TABLES, SUMS_FILE, snapshotFiles } from './manifest.ts';

/** In a snapshot: the bytes whose SHA-256 is the identity, so that `sha256sum statement.json` shows it. */
export const STATEMENT_FILE = 'statement.json';

/** What `statementOf` reads of a manifest. */
export type Stated = Pick<
  Manifest,
  | ('corpus' | 'asOf' | 'tables' | 'serving' | 'registries' | 'feeds' | 'storedChanges' | 'bound')
  | ('proofs' | 'payloadIndex' | 'superseded')
>;

/**
 * Everything that a snapshot serves, and what it was made from (docs/snapshots.md#identity). Times of the run, names of folders and
 * addresses, and the version's name are not in it.
 */
export type Statement = ReturnType<typeof statementOf>;

/** The statement of a manifest. */
export function statementOf(manifest: Stated) {
  const { corpus, asOf, tables, serving, registries, feeds = [], storedChanges, bound } = manifest;
  return {
    format: 'trial-board-snapshot/4',
    corpus,
    asOf,
    tables: Object.fromEntries(SNAPSHOT_TABLES.map((table) => [table, pick(tables[table], ['rows', 'root'])])),
    imageVersion: serving.imageVersion,
    files: filesOf(manifest),
    registries: registries.map((entry) => ({
      ...pick(entry, REGISTRY_MEMBERS),
      dumpDay: entry.dumpDay?.day ?? null,
    })),
    inputs: inputsOf(registries),
    feeds: feeds.map((feed) => pick(feed, ['feed', 'state', 'sha256', 'items', 'stale'])),
    changes: storedChanges?.root ?? null,
    ...bound,
  };
}

const REGISTRY_MEMBERS = [
  'registry',
  'state',
  'registrations',
  'quarantined',
  'superseded',
  'expectedRecords',
  'complete',
  'stale',
  'degraded',
  'source',
  'dataTimestamp',
] as const;

function pick<Whole extends object, Name extends keyof Whole>(whole: Whole, names: readonly Name[]): Pick<Whole, Name> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Pick<Whole, Name>;
}

/**
 * Every file but the descriptions, which name the version and so follow from the identity. Their root binds each as a list would, and
 * keeps the statement small enough to be part of every proof; the manifest lists them.
 */
function filesOf(manifest: Stated): { count: number; bytes: number; root: string } {
  const files = snapshotFiles({ ...manifest, descriptions: [] }).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    count: files.length,
    bytes,
    root: rootOver(files.map(({ path, bytes, sha256 }) => ({ path, bytes, sha256 }))),
  };
}

/** A live run reads some 700 pages, which the manifest lists. */
function inputsOf(registries: Manifest['registries']): { files: number; records: number; root: string } {
  const leaves = registries.flatMap(({ registry, inputs }) =>
    inputs.map(({ sha256, records }) => ({ registry, sha256, records })),
  );
  const records = leaves.reduce((sum, leaf) => sum + leaf.records, 0);
  return { files: leaves.length, records, root: rootOver(leaves) };
}

/** The root (RFC 6962) over objects as JSON by RFC 8785. */
function rootOver(leaves: readonly object[]): string {
  const tree = new RootOfLeaves();
  for (const leaf of leaves) tree.add(leafHash(Buffer.from(canonicalJson(leaf))));
  return tree.root().toString('hex');
}

/** The bytes of `statement.json`: RFC 8785, without a line's end. */
export function statementText(statement: Statement): string {
  return canonicalJson(statement);
}

/** SHA-256 of the statement's text in UTF-8, lower-case hex. */
export function identityOf(text: string): string {
  return hash('sha256', text);
}

/** A file that no manifest lists, since it follows from one. */
export interface UnlistedFile {
  path: string;
  content: string;
}

/** The files beside those that a manifest lists: the manifest itself, whose text is `text`, its statement, and the sums of all. */
export function unlistedFiles(manifest: Manifest, text: string): UnlistedFile[] {
  const own = [
    { path: MANIFEST_FILE, content: text },
    { path: STATEMENT_FILE, content: statementText(statementOf(manifest)) },
  ];
  const sums = [
    ...snapshotFiles(manifest),
    ...own.map(({ path, content }) => ({ path, sha256: hash('sha256', content) })),
  ];
  const lines = sums.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, sha256 }) => `${sha256}  ${path}\n`);
  return [...own, { path: SUMS_FILE, content: lines.join('') }];
}

/** What contradicts itself in a manifest, or in what is beside it. */
export interface ManifestFault {
  found: string;
  expected: string;
}

/** The identity that a manifest states, where another one follows from it; null where that follows. */
export function identityFault(manifest: Stated & Pick<Manifest, 'identity'>): ManifestFault | null {
  const expected = identityOf(statementText(statementOf(manifest)));
  if (expected === manifest.identity) return null;
  return {
    found: `identity ${manifest.identity}`,
    expected: `${expected}, which follows from what the manifest states`,
  };
}
