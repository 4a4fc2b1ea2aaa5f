import { join } from 'node:path';
import type { RegistryId } from '../../../contract/ids.ts';
import { DUMP_DAY_FROM } from '../../../contract/schemas/trials/registry-answer.ts';
import {
  CurrentFault,
  isServed,
  quickDamage,
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
  TABLES_ONLY,
  versionsIn,
} from '../../../snapshot/format/versions/current.ts';
import { asChecked, readLastCheck } from '../../../snapshot/format/versions/last-check.ts';
import { type Manifest, SNAPSHOT_TABLES, snapshotBytes } from '../../../snapshot/format/versions/manifest.ts';
import { REMOVED_DIR, readRemovedAt, removedPath } from '../../../snapshot/format/versions/removed.ts';
import { STATEMENT_FILE } from '../../../snapshot/format/versions/statement.ts';
import { daysWords, percent } from '../checks/content-checks.ts';
import { readHold } from '../checks/hold.ts';
import { readPins } from './pins.ts';

/** A snapshot in a list. */
export interface SnapshotSummary {
  version: string;
  current: boolean;
  pinned: boolean;
  /** Since when `pipeline current` holds it; null where it does not. */
  heldSince: string | null;
  /** Registries that are missing in it or kept from before, as its last check found them. */
  degraded: RegistryId[];
  /** When a run last found its content unchanged; null when none has since it was published. */
  checkedAt: string | null;
  /** Null when the manifest cannot be used; `problem` says why. */
  manifest: Manifest | null;
  /** What differs from what was published, as far as sizes and the manifest's sum show; null when nothing does. */
  problem: string | null;
}

export interface VersionList {
  /** The version that is served; null when nothing was published yet, or when `problem` says what is wrong. */
  current: string | null;
  /** What is wrong with CURRENT or with the note of a hold, and how to mend it; else null. */
  problem: string | null;
  /** Every directory with a version's name, newest first. */
  snapshots: SnapshotSummary[];
  /** Versions that gc removed and whose manifests are kept, newest first. */
  removed: string[];
}

export async function list(snapshotsDir: string): Promise<VersionList> {
  const { current, problem: ofCurrent } = await currentOf(snapshotsDir);
  const { heldSince, problem: ofHold } = await holdOf(snapshotsDir, current);
  const snapshots = await summariesOf(snapshotsDir, current, heldSince);
  const removed = (await versionsIn(join(snapshotsDir, REMOVED_DIR))).filter((version) =>
    snapshots.every((one) => one.version !== version),
  );
  return { current, problem: ofCurrent ?? ofHold, snapshots, removed };
}

async function currentOf(snapshotsDir: string): Promise<Pick<VersionList, 'current' | 'problem'>> {
  try {
    return { current: (await readCurrentManifest(snapshotsDir))?.version ?? null, problem: null };
  } catch (error) {
    if (!(error instanceof CurrentFault)) throw error;
    return { current: null, problem: error.message };
  }
}

async function holdOf(
  snapshotsDir: string,
  current: string | null,
): Promise<{ heldSince: string | null; problem: string | null }> {
  try {
    const hold = current === null ? null : await readHold(snapshotsDir, current);
    return { heldSince: hold?.since ?? null, problem: null };
  } catch (error) {
    if (!(error instanceof SnapshotFault)) throw error;
    return { heldSince: null, problem: error.message };
  }
}

async function summariesOf(
  snapshotsDir: string,
  current: string | null,
  heldSince: string | null,
): Promise<SnapshotSummary[]> {
  const summaries: SnapshotSummary[] = [];
  const pins = await readPins(snapshotsDir);
  const lastCheck = await readLastCheck(snapshotsDir);
  for (const version of await versionsIn(snapshotsDir)) {
    const isCurrent = version === current;
    const head = {
      version,
      current: isCurrent,
      pinned: pins.has(version),
      heldSince: isCurrent ? heldSince : null,
      checkedAt: lastCheck?.version === version ? lastCheck.checkedAt : null,
    };
    try {
      const dir = snapshotPath(snapshotsDir, version);
      const manifest = await readManifest(dir);
      const { registries } = asChecked(manifest, lastCheck);
      const degraded = registries.filter((one) => one.degraded).map(({ registry }) => registry);
      summaries.push({ ...head, degraded, manifest, problem: await quickDamage(dir) });
    } catch (error) {
      if (!(error instanceof SnapshotFault)) throw error;
      summaries.push({ ...head, degraded: [], manifest: null, problem: error.message });
    }
  }
  return summaries;
}

/** How many removed versions a list names. */
const REMOVED_SHOWN = 10;

/** One line for each snapshot; `*` marks the served one. */
export function renderList({ problem, snapshots, removed }: VersionList): string {
  if (problem === null && snapshots.length === 0)
    return 'no snapshot yet; make one with `pipeline run`, or fetch one with `pipeline pull ADDRESS`, which goes on where an earlier one ended\n';
  const lines = [
    ...(problem === null ? [] : [problem]),
    ...snapshots.map(summaryLine),
    ...removed.slice(0, REMOVED_SHOWN).map((version) => `- ${version}  removed; its manifest is kept`),
    ...(removed.length > REMOVED_SHOWN ? [`- ${removed.length - REMOVED_SHOWN} more removed; --json names all`] : []),
    'Only sizes and sums of manifests were compared; `pipeline verify VERSION` reads every file.',
  ];
  return `${lines.join('\n')}\n`;
}

function summaryLine(summary: SnapshotSummary): string {
  const { version, current, manifest, problem } = summary;
  const mark = current ? '*' : ' ';
  if (manifest === null) return `${mark} ${version}  unusable: ${problem}`;
  const { counts, corpus } = manifest;
  const size = (snapshotBytes(manifest) / 1e6).toFixed(1);
  const parts = [
    `${mark} ${version}`,
    corpus,
    `${counts.trials} trials`,
    `${counts.registrations} registrations`,
    `${size} MB`,
    ...marksOf(summary),
    `identity ${manifest.identity}`,
    ...problemWords(version, problem),
  ];
  return parts.join('  ');
}

function problemWords(version: string, problem: string | null): string[] {
  if (problem === null) return [];
  if (problem === TABLES_ONLY)
    return [`tables only: \`pipeline verify ${version} --tables-only\` checks it, \`pipeline pull\` brings the rest`];
  return [`DAMAGED: ${problem}; \`pipeline verify ${version}\` names every file`];
}

function marksOf({ pinned, heldSince, degraded, checkedAt }: SnapshotSummary): string[] {
  return [
    ...(checkedAt === null ? [] : [`still the newest content on ${checkedAt}`]),
    ...(pinned ? ['pinned'] : []),
    ...(heldSince === null ? [] : [`held since ${heldSince}`]),
    ...(degraded.length === 0 ? [] : [`degraded (${degraded.join(', ')})`]),
  ];
}

/** A manifest, whether and when gc has removed its snapshot, when a run last found its content unchanged, and its hold. */
export type ShownManifest = Manifest & {
  removed?: true;
  removedAt?: string | null;
  checkedAt?: string;
  /** Since when `pipeline current` holds it, although a newer version is sound. */
  heldSince?: string;
};

/** The manifest of one snapshot, also of a removed one. Throws SnapshotFault when it is absent or unusable. */
export async function show(snapshotsDir: string, version: string): Promise<ShownManifest> {
  try {
    const manifest = await readManifest(snapshotPath(snapshotsDir, version));
    const check = await readLastCheck(snapshotsDir, version);
    const hold = (await isServed(snapshotsDir, version)) ? await readHold(snapshotsDir, version) : null;
    return {
      ...manifest,
      ...(check === null ? {} : { checkedAt: check.checkedAt }),
      ...(hold === null ? {} : { heldSince: hold.since }),
    };
  } catch (error) {
    if (!(error instanceof SnapshotFault && error.code === 'missing')) throw error;
    const dir = removedPath(snapshotsDir, version);
    const removed = await readManifest(dir).catch(() => null);
    if (removed === null) throw error;
    return { ...removed, removed: true, removedAt: await readRemovedAt(dir) };
  }
}

/** A manifest as text for people. */
export function renderManifest(manifest: ShownManifest): string {
  const { counts, changes, rules } = manifest;
  const lines = [
    `snapshot  ${manifest.version} (${manifest.corpus}, as of ${manifest.asOf})`,
    ...(manifest.removed ? [`removed   by gc${removedOn(manifest)}; only this manifest is kept`] : []),
    `created   ${manifest.createdAt} by code ${manifest.codeVersion}, parent ${manifest.parent ?? 'none'}`,
    ...(manifest.checkedAt === undefined ? [] : [`checked   on ${manifest.checkedAt}, unchanged since it was created`]),
    ...(manifest.heldSince === undefined
      ? []
      : [
          `held      since ${manifest.heldSince} by \`pipeline current\`: runs are refused until \`pipeline current VERSION\` names the newest one of \`pipeline list\`, or \`--accept held\``,
        ]),
    ...identityLines(manifest),
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
    ...SNAPSHOT_TABLES.map((table) => tableLine(table, manifest.tables[table])),
    ...(manifest.storedChanges ? [tableLine('changes', manifest.storedChanges)] : []),
    `${'serving'.padEnd(14)} ${String(manifest.serving.files.length).padStart(9)} files, image version ${manifest.serving.imageVersion}`,
  ];
  return `${lines.join('\n')}\n`;
}

function identityLines({ identity, bound }: Manifest): string[] {
  const { commit, version, node, duckdb } = bound.code;
  const named = commit === null ? 'commit not known' : `commit ${commit}`;
  return [
    `identity  ${identity}, the SHA-256 of ${STATEMENT_FILE}; parent ${bound.parent ?? 'none'}`,
    `code      ${named}, content version ${version}, Node ${node}, DuckDB ${duckdb}`,
  ];
}

function tableLine(
  table: string,
  { rows, bytes, root }: Pick<Manifest['tables']['raw'], 'rows' | 'bytes' | 'root'>,
): string {
  return `${table.padEnd(14)} ${String(rows).padStart(9)} rows ${String(bytes).padStart(12)} bytes  ${root}`;
}

function removedOn({ removedAt }: ShownManifest): string {
  return removedAt ? ` on ${removedAt}` : ', at a time that was not recorded';
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

/** Counts, and the checks that were not passed by. */
function checkLines(checks: Manifest['checks']): string[] {
  const of = (verdict: string) => checks.results.filter((result) => result.verdict === verdict);
  return [
    `checks    ${checks.rules.id}: ${of('passed').length} passed, ${of('accepted').length} accepted, ${of('not-compared').length} had nothing to compare`,
    ...of('accepted').map((result) => `          ${acceptedWords(result)}`),
  ];
}

/** Checks whose figure is a number of days, and those that know only yes and no; the figure of any other is a share. */
export const DAY_CHECKS: readonly string[] = ['as-of', 'newest'];
export const YES_NO_CHECKS: readonly string[] = ['no-parent', 'held', 'sample', 'lost'];

function acceptedWords({ name, figure, limit }: NonNullable<Manifest['checks']>['results'][number]): string {
  const check = name.split(':')[0] ?? name;
  if (YES_NO_CHECKS.includes(check) || figure === null) return name;
  if (DAY_CHECKS.includes(check)) return `${name}: ${daysWords(figure)}, at most ${limit}`;
  return `${name}: ${percent(figure)}, at most ${percent(limit)}`;
}

function dayWords({ dumpDay, lastSuccessAt }: Manifest['registries'][number]): string {
  if (dumpDay === undefined) return `last success ${lastSuccessAt ?? 'never'}`;
  return `a dump of ${dumpDay.day} (${DUMP_DAY_FROM[dumpDay.from]})`;
}

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
