import type { Dirent } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  readCurrent,
  readManifest,
  SnapshotFault,
  snapshotPath,
  VERSION_PATTERN,
} from '../../snapshot-format/current.ts';
import { type Manifest, SNAPSHOT_TABLES } from '../../snapshot-format/manifest.ts';

/** A snapshot in a list. */
export interface SnapshotSummary {
  version: string;
  current: boolean;
  /** Null when the manifest cannot be used; `problem` says why. */
  manifest: Manifest | null;
  problem: string | null;
}

/** Every directory with a version's name, newest first. */
export async function list(snapshotsDir: string): Promise<SnapshotSummary[]> {
  const current = await readCurrent(snapshotsDir);
  const summaries: SnapshotSummary[] = [];
  for (const version of await versions(snapshotsDir)) {
    const head = { version, current: version === current };
    try {
      summaries.push({ ...head, manifest: await readManifest(snapshotPath(snapshotsDir, version)), problem: null });
    } catch (error) {
      if (!(error instanceof SnapshotFault)) throw error;
      summaries.push({ ...head, manifest: null, problem: error.message });
    }
  }
  return summaries;
}

/** One line for each snapshot; `*` marks the served one. */
export function renderList(summaries: readonly SnapshotSummary[]): string {
  if (summaries.length === 0) return 'no snapshot yet; make one with `pipeline run`\n';
  const lines = summaries.map(({ version, current, manifest, problem }) => {
    const mark = current ? '*' : ' ';
    if (manifest === null) return `${mark} ${version}  unusable: ${problem}`;
    const { counts, corpus } = manifest;
    const size = (snapshotBytes(manifest) / 1e6).toFixed(1);
    return `${mark} ${version}  ${corpus}  ${counts.trials} trials  ${counts.registrations} registrations  ${size} MB`;
  });
  return `${lines.join('\n')}\n`;
}

/** The manifest of one snapshot. Throws SnapshotFault when it is absent or unusable. */
export async function show(snapshotsDir: string, version: string): Promise<Manifest> {
  return readManifest(snapshotPath(snapshotsDir, version));
}

/** A manifest as text for people. */
export function renderManifest(manifest: Manifest): string {
  const { counts, changes, rules } = manifest;
  const lines = [
    `snapshot  ${manifest.version} (${manifest.corpus}, as of ${manifest.asOf})`,
    `created   ${manifest.createdAt} by code ${manifest.codeVersion}, parent ${manifest.parent ?? 'none'}`,
    `content   ${manifest.contentHash}`,
    `rules     ${rules.id}, ${rules.count} rules, ${rules.sha256}`,
    `trials    ${counts.trials}, of them ${counts.inBoth} in both registries, from ${counts.registrations} registrations`,
    `links     ${counts.linksAccepted} accepted, ${counts.linksRejected} rejected, ${counts.conflicts} in conflict, ${counts.unresolved} unresolved references`,
    changes === null
      ? 'changes   none to compare with'
      : `changes   ${changes.added} added, ${changes.changed} changed, ${changes.removed} removed, ${changes.merged} merged, ${changes.split} split`,
    ...acceptedLines(manifest),
    ...checkLines(manifest.checks),
    '',
    ...manifest.registries.map(registryLine),
    ...feedLines(manifest.feeds),
    '',
    ...SNAPSHOT_TABLES.map((table) => {
      const { rows, bytes, valueHash } = manifest.tables[table];
      return `${table.padEnd(14)} ${String(rows).padStart(9)} rows ${String(bytes).padStart(12)} bytes  ${valueHash}`;
    }),
    `${'serving'.padEnd(14)} ${String(manifest.serving.files.length).padStart(9)} files, image version ${manifest.serving.imageVersion}`,
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * Removes old snapshots and returns their versions. Keeps the `keep` newest snapshots, and CURRENT with its parents up
 * to `keep` in all. Leaves everything whose name is not a version alone. The caller holds the pipeline lock. Throws when
 * CURRENT names a missing snapshot, because what to keep is then unknown.
 */
export async function gc(snapshotsDir: string, keep: number): Promise<string[]> {
  if (!Number.isInteger(keep) || keep < 1) throw new Error(`keep must be a whole number from 1, not ${keep}`);
  await emptyTrash(snapshotsDir);
  const all = await versions(snapshotsDir);
  const kept = new Set([...all.slice(0, keep), ...(await chainOfCurrent(snapshotsDir, all, keep))]);
  const removed = all.filter((version) => !kept.has(version));
  for (const version of removed) {
    // Renamed first, so that no reader finds a half deleted snapshot.
    const trash = join(snapshotsDir, `.trash-${version}`);
    await rename(snapshotPath(snapshotsDir, version), trash);
    await rm(trash, { recursive: true, force: true });
  }
  return removed;
}

/** CURRENT, its parent, and so on, as long as they exist. */
async function chainOfCurrent(snapshotsDir: string, all: readonly string[], keep: number): Promise<string[]> {
  const chain: string[] = [];
  let version = await readCurrent(snapshotsDir);
  if (version !== null && !all.includes(version)) {
    throw new SnapshotFault('missing', `CURRENT names ${version}, which does not exist; nothing was removed`);
  }
  while (version !== null && all.includes(version) && chain.length < keep) {
    chain.push(version);
    if (chain.length < keep) version = (await readManifest(snapshotPath(snapshotsDir, version))).parent;
  }
  return chain;
}

async function versions(snapshotsDir: string): Promise<string[]> {
  return (await entriesOf(snapshotsDir))
    .filter((entry) => entry.isDirectory() && VERSION_PATTERN.test(entry.name))
    .map((entry) => entry.name)
    .sort()
    .reverse();
}

/** Empty when the directory does not exist yet. */
async function entriesOf(snapshotsDir: string): Promise<Dirent[]> {
  try {
    return await readdir(snapshotsDir, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Removes the trash of a killed run. */
async function emptyTrash(snapshotsDir: string): Promise<void> {
  for (const { name } of await entriesOf(snapshotsDir)) {
    if (name.startsWith('.trash-')) await rm(join(snapshotsDir, name), { recursive: true, force: true });
  }
}

function snapshotBytes(manifest: Manifest): number {
  const serving = manifest.serving.files.reduce((sum, file) => sum + file.bytes, 0);
  return SNAPSHOT_TABLES.reduce((sum, table) => sum + manifest.tables[table].bytes, serving);
}

function registryLine(registry: Manifest['registries'][number]): string {
  if (registry.state === 'unanswered') return `${registry.registry.padEnd(20)} unanswered: nothing is known of it`;
  const marks = [
    registry.complete ? 'complete' : 'incomplete',
    ...(registry.stale ? ['kept from the last good set'] : []),
    ...(registry.degraded ? [`degraded (${registry.degradedReason ?? 'no reason given'})`] : []),
  ];
  return `${registry.registry.padEnd(20)} ${registry.registrations} registrations, ${registry.quarantined} quarantined, ${marks.join(', ')}, ${dayWords(registry)}`;
}

export function acceptedLines({ accepted, acceptance }: Pick<Manifest, 'accepted' | 'acceptance'>): string[] {
  if (accepted.length === 0) return [];
  const why = acceptance === undefined ? [] : [`          on ${acceptance.at}: ${acceptance.reason}`];
  return [`accepted  ${accepted.join(', ')}`, ...why];
}

/** Counts, and the checks that were not passed by; empty for older snapshots. */
function checkLines(checks: Manifest['checks']): string[] {
  if (checks === undefined) return [];
  const of = (verdict: string) => checks.results.filter((result) => result.verdict === verdict);
  return [
    `checks    ${checks.rules.id}: ${of('passed').length} passed, ${of('accepted').length} accepted, ${of('not-compared').length} had nothing to compare`,
    ...of('accepted').map(({ name, figure, limit }) => `          ${name}: ${figure}, limit ${limit}`),
  ];
}

function dayWords({ dumpDay, lastSuccessAt }: Manifest['registries'][number]): string {
  if (dumpDay === undefined) return `last success ${lastSuccessAt ?? 'never'}`;
  return `a dump of ${dumpDay.day} (${DAY_FROM[dumpDay.from]})`;
}

const DAY_FROM = {
  given: 'given by the operator',
  stated: 'stated by its records',
  'newest-update': 'its newest update',
};

/** Empty when the signals stage has not run. */
function feedLines(feeds: Manifest['feeds']): string[] {
  if (feeds === undefined || feeds.length === 0) return [];
  return [
    '',
    ...feeds.map(({ feed, state, items, stale, reason, lastSuccessAt }) => {
      if (state === 'unanswered') return `${feed.padEnd(20)} unanswered: ${reason}`;
      const mark = stale ? `, stale (${reason})` : '';
      return `${feed.padEnd(20)} ${items} items${mark}, last success ${lastSuccessAt}`;
    }),
  ];
}
