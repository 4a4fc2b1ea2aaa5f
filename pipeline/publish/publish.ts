import { join } from 'node:path';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import { snapshotPath } from '../../snapshot/format/versions/current.ts';
import {
  type Manifest,
  type ManifestFeed,
  type ManifestRegistry,
  SNAPSHOT_FORMAT_VERSION,
  snapshotFiles,
} from '../../snapshot/format/versions/manifest.ts';
import { readLog } from '../../snapshot/format/versions/publication-log.ts';
import { asChecked, type LastCheck } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { loadDedupRules } from '../dedup/rules.ts';
import type { Effects } from '../effects.ts';
import type { Database } from '../store/database.ts';
import { type CheckRules, loadCheckRules } from './checks/check-rules.ts';
import { checkWorkingTables } from './checks/checks.ts';
import { checkContent, OLDER } from './checks/content-checks.ts';
import { assertAccepted, checkResults, type Finding } from './checks/gate.ts';
import { checkNumbers } from './checks/number-checks.ts';
import {
  addServingImage,
  type BuildServingImage,
  commitSnapshot,
  endHold,
  inTemporaryDirectory,
  updateState,
} from './commit.ts';
import { bothDone } from './durable.ts';
import { type BoundInputs, boundOf } from './identity/bound.ts';
import { completeLog, entryOf, type LogEntry, soundLog } from './identity/log.ts';
import { contentHash, rootsOf } from './identity/table-root.ts';
import { findParent } from './parent.ts';
import { damagedFiles } from './verify/damage.ts';
import { type NewSnapshot, type StoredChangesOf, writeChanges } from './write-changes.ts';
import { countSnapshot, defineTrials, type TablePaths, writeTables } from './write-tables.ts';

export interface PublishInputs extends BoundInputs {
  dataDir: string;
  snapshotsDir: string;
  registries: ManifestRegistry[];
  /** How the feeds of the signals stage stand; absent where it has not run. */
  feeds?: ManifestFeed[];
  corpus: Manifest['corpus'];
  /** YYYY-MM-DD: the day for which statuses were derived. */
  asOf: string;
  codeVersion: string;
  /** Whether a snapshot that equals its parent in content and image is left out, and only the check is noted. */
  onlyIfNew?: boolean;
  /** Names of gate breaches that may pass. */
  accept: string[];
  /** Who accepts them and why. */
  reason?: string;
  /** Keys that sign the log; without one it is unsigned. */
  signers?: readonly SignerKey[];
  /** The rule set that dedup applied; by default the reviewed file of this repository. */
  rules?: Manifest['rules'];
}

export interface Published {
  version: string;
  /** Where nothing was published: the served version's, with the registries and feeds as they were read now. */
  manifest: Manifest;
  /** The manifest that is on disk. */
  onDisk: Manifest;
  /** What the checks found in this publication; empty where none was carried out. */
  checks: NonNullable<Manifest['checks']>['results'];
  /** When the served version was found unchanged, so that nothing was published; null for a new version. */
  unchangedAt: string | null;
  /**
   * The version with equal content that was published anew, with its damaged files, and the files of the new image that
   * differ from its own; else null.
   */
  replaced: { version: string; damaged: string[]; differing: string[] } | null;
  /** What the log of publications holds after it. */
  log: LogEntry;
}

/**
 * Publishes the working tables as a new snapshot and points CURRENT to it. The caller holds the pipeline lock.
 * Throws PublicationRefused when the gate stops it, and Error when the tables contradict each other; both leave
 * everything that was published as it was.
 */
export async function publish(
  inputs: PublishInputs,
  db: Database,
  buildServingImage: BuildServingImage,
  effects: Effects,
): Promise<Published> {
  const { snapshotsDir, signers = [] } = inputs;
  await soundLog(snapshotsDir);
  const { parent, findings: pointer } = await findParent(snapshotsDir, inputs.accept);
  assertAccepted(pointer, inputs.accept);
  const rules = inputs.rules ?? (await reviewedRules());
  await checkWorkingTables(db, inputs.registries);
  await defineTrials(db);

  return inTemporaryDirectory(snapshotsDir, async (dir) => {
    const paths: TablePaths = {
      partsDir: join(inputs.dataDir, 'work', 'raw-parts'),
      dir,
      parent: parent && { dir: snapshotPath(snapshotsDir, parent.version), tables: parent.tables },
    };
    const { tables, proofs, payloadFiles } = await writeTables(db, paths, effects);
    const counts = await countSnapshot(db, dir);
    const { registries, corpus, asOf, codeVersion } = inputs;
    const checkRules = await loadCheckRules();
    const findings = [...pointer, ...(await findingsOf(db, { ...inputs, counts }, { dir, parent }, checkRules))];
    const accepted = assertAccepted(findings, inputs.accept);
    const checked = checkResults(findings, checkRules);
    // The image leaves part of the second core idle.
    const [serving, stored] = await bothDone(
      holdingLittle(db, () => addServingImage(dir, buildServingImage, effects)),
      changesFrom({ parent, snapshotsDir }, { dir, corpus: inputs.corpus }, effects),
    );
    const { trees, ...changes } = stored;
    const content = { formatVersion: SNAPSHOT_FORMAT_VERSION, rules, asOf, corpus } as const;
    const hash = contentHash(content, rootsOf(tables));
    const equal = parent !== null && parent.contentHash === hash ? parent : null;
    let replaced: Published['replaced'] = null;
    if (inputs.onlyIfNew && equal !== null) {
      replaced = await reasonAnew(snapshotsDir, equal, serving);
      if (replaced === null) return { ...(await noteCheck(inputs, equal, effects)), checks: checked.results };
    }
    const manifest = await commitSnapshot(
      { snapshotsDir, dir, signers },
      {
        ...content,
        parent: parent?.version ?? null,
        bound: await boundOf(inputs, { parent, rules, serving }),
        contentHash: hash,
        codeVersion,
        registries,
        ...(inputs.feeds === undefined ? {} : { feeds: inputs.feeds }),
        tables,
        proofs: [...proofs, ...trees].sort((a, b) => (a.path < b.path ? -1 : 1)),
        ...changes,
        ...payloadFiles,
        serving,
        counts,
        accepted,
        ...acceptance(accepted, inputs, effects),
        checks: checked,
      },
      true,
      effects,
    );
    await endHold(snapshotsDir, effects);
    const log = await entryOf(await readLog(snapshotsDir));
    const { version } = manifest;
    return { version, manifest, onDisk: manifest, checks: checked.results, unchangedAt: null, replaced, log };
  });
}

/** Why equal content is published anew: damage of the served version, or another image; null where neither is. */
async function reasonAnew(
  snapshotsDir: string,
  served: Manifest,
  image: Manifest['serving'],
): Promise<Published['replaced']> {
  const { version } = served;
  const damaged = await damagedFiles(snapshotPath(snapshotsDir, version), snapshotFiles(served));
  const differing = differingFiles(served.serving, image);
  return damaged.length === 0 && differing.length === 0 ? null : { version, damaged, differing };
}

/** Files that only one of two images of equal content has, or that differ; all where the images have different versions. */
function differingFiles(before: Manifest['serving'], after: Manifest['serving']): string[] {
  const stated = ({ imageVersion, files }: Manifest['serving']) =>
    new Map(files.map(({ path, sha256 }) => [path, `${imageVersion} ${sha256}`]));
  const [was, is] = [stated(before), stated(after)];
  const paths = new Set([...was.keys(), ...is.keys()]);
  return [...paths].filter((path) => was.get(path) !== is.get(path)).sort();
}

/**
 * Notes that the parent was found unchanged, with the registries and feeds as they were read now. What the log lacks, after a kill
 * or a change of keys, is added all the same.
 */
async function noteCheck(
  { snapshotsDir, registries, feeds, signers = [] }: PublishInputs,
  parent: Manifest,
  effects: Effects,
): Promise<Omit<Published, 'checks'>> {
  const { version } = parent;
  const checkedAt = effects.now().toISOString();
  const check: LastCheck = { version, checkedAt, registries, ...(feeds === undefined ? {} : { feeds }) };
  await updateState(snapshotsDir, { lastCheck: check }, effects);
  const log = await completeLog(snapshotsDir, null, signers, effects);
  return { version, manifest: asChecked(parent, check), onDisk: parent, unchangedAt: checkedAt, replaced: null, log };
}

/** What the checks of the gate find in the new snapshot in `dir`. Content is compared within one corpus only. */
async function findingsOf(
  db: Database,
  next: Pick<Manifest, 'registries' | 'corpus' | 'counts' | 'asOf'> & { snapshotsDir: string },
  { dir, parent }: { dir: string; parent: Manifest | null },
  rules: CheckRules,
): Promise<Finding[]> {
  const rows = await db.all(
    `SELECT registry, count(*)::DOUBLE AS n FROM quarantine WHERE reason = ${sqlLiteral(OLDER)} GROUP BY registry`,
  );
  const keptBack = Object.fromEntries(rows.map(({ registry, n }) => [String(registry), Number(n)]));
  const numbers = checkNumbers(next, parent, rules, keptBack);
  if (parent === null || parent.corpus !== next.corpus) return numbers;
  const isHeld = (registries: Manifest['registries'], id: string): boolean =>
    registries.some(({ registry, registrations }) => registry === id && registrations !== null);
  const before = { dir: snapshotPath(next.snapshotsDir, parent.version), asOf: parent.asOf };
  const registries = REGISTRY_IDS.filter((id) => isHeld(parent.registries, id) && isHeld(next.registries, id));
  const compared = { before, after: { dir, asOf: next.asOf }, registries };
  return [...numbers, ...(await checkContent(db, compared, rules, numbers))];
}

/** The manifest's word on what was accepted; nothing where nothing was, or where a program gave no reason. */
function acceptance(
  accepted: readonly string[],
  { reason }: Pick<PublishInputs, 'reason'>,
  effects: Effects,
): Pick<Manifest, 'acceptance'> {
  if (accepted.length === 0 || reason === undefined) return {};
  return { acceptance: { reason, at: effects.now().toISOString() } };
}

async function changesFrom(
  { parent, snapshotsDir }: { parent: Manifest | null; snapshotsDir: string },
  to: NewSnapshot,
  effects: Effects,
): Promise<StoredChangesOf> {
  if (parent === null) return { changes: null, storedChanges: null, trees: [] };
  const from = { dir: snapshotPath(snapshotsDir, parent.version), manifest: parent };
  return writeChanges({ from, to }, effects);
}

/** Memory that the working database may keep while the serving image, which does not read it, is built. */
const IDLE_MEMORY = '100MB';

/** Makes the database free its buffers, or spill them to disk, while `work` runs. */
async function holdingLittle<T>(db: Database, work: () => Promise<T>): Promise<T> {
  const setting = await db.one("SELECT current_setting('memory_limit') AS held");
  // Fails when it cannot free enough, for instance on a full disk. The publish works without it.
  await db.run(`SET memory_limit = ${sqlLiteral(IDLE_MEMORY)}`).catch(() => undefined);
  try {
    return await work();
  } finally {
    await db.run(`SET memory_limit = ${sqlLiteral(String(setting?.held))}`);
  }
}

async function reviewedRules(): Promise<Manifest['rules']> {
  const { id, sha256, rules } = await loadDedupRules();
  return { id, sha256, count: rules.length };
}
