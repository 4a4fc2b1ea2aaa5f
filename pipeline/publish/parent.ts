import {
  CurrentFault,
  readCurrentManifest,
  SnapshotFault,
  snapshotPath,
} from '../../snapshot/format/versions/current.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import { acceptName } from './checks/check-rules.ts';
import { type Finding, whether } from './checks/gate.ts';
import { readHold } from './checks/hold.ts';
import { comparedFiles, damagedFiles, newestOtherSound } from './verify/damage.ts';

/** The snapshot that a new one is compared with; null for the first, and where CURRENT does not say which it is. */
export interface FoundParent {
  parent: Manifest | null;
  /**
   * `no-parent` where there are snapshots, but CURRENT names none that can be used, or one whose damaged payloads are accepted;
   * `held` where the operator chose an older one.
   */
  findings: Finding[];
}

const NO_PARENT = acceptName('no-parent');

/**
 * Throws SnapshotFault where a table of the served version is damaged, unless `accept` has `no-parent`. The payloads are
 * many, so they are read only with that name: where they are damaged, no record is compared with its published payload.
 */
export async function findParent(snapshotsDir: string, accept: readonly string[]): Promise<FoundParent> {
  try {
    const parent = await readCurrentManifest(snapshotsDir);
    const damage = parent === null ? null : await tableDamage(snapshotsDir, parent);
    if (damage === null) {
      if (parent === null) return { parent, findings: [] };
      const payloads = accept.includes(NO_PARENT) ? await payloadFindings(snapshotsDir, parent) : [];
      return { parent, findings: [...payloads, ...(await heldFindings(snapshotsDir, parent))] };
    }
    if (!accept.includes(NO_PARENT)) throw new SnapshotFault('malformed', await withMend(snapshotsDir, damage));
    return withoutParent(damage.what);
  } catch (error) {
    if (!(error instanceof CurrentFault)) throw error;
    return withoutParent(error.message);
  }
}

/** `held` where the operator chose the served version although a newer one is sound. */
async function heldFindings(snapshotsDir: string, { version }: Manifest): Promise<Finding[]> {
  const hold = await readHold(snapshotsDir, version);
  if (hold === null) return [];
  const newest = await newestOtherSound(snapshotsDir, version);
  const end = newest === null ? '' : `; \`pipeline current ${newest.version}\` ends the hold with the newest version`;
  const detail = `${version} is held since ${hold.since} by \`pipeline current\`${end}`;
  return [whether('held', true, detail)];
}

/** Whether `findParent` found, and the operator accepted, that records cannot be compared with what is published. */
export async function isWithoutParent(snapshotsDir: string, accept: readonly string[]): Promise<boolean> {
  if (!accept.includes(NO_PARENT)) return false;
  return (await findParent(snapshotsDir, accept)).findings.some(({ name }) => name === NO_PARENT);
}

function withoutParent(why: string): FoundParent {
  return { parent: null, findings: [whether('no-parent', true, `there is nothing to compare with, because ${why}`)] };
}

async function payloadFindings(snapshotsDir: string, { version, tables }: Manifest): Promise<Finding[]> {
  const damaged = await damagedFiles(snapshotPath(snapshotsDir, version), tables.raw.files);
  if (damaged.length === 0) return [];
  const what = `${damaged.join(', ')} of ${version}, which is served, is damaged`;
  return [whether('no-parent', true, `no record is compared with its published payload, because ${what}`)];
}

interface TableDamage {
  version: string;
  what: string;
}

async function tableDamage(snapshotsDir: string, parent: Manifest): Promise<TableDamage | null> {
  const { version } = parent;
  const files = await damagedFiles(snapshotPath(snapshotsDir, version), comparedFiles(parent));
  if (files.length === 0) return null;
  return { version, what: `${files.join(', ')} of ${version}, which is served, is damaged` };
}

async function withMend(snapshotsDir: string, { version, what }: TableDamage): Promise<string> {
  const sound = await newestOtherSound(snapshotsDir, version);
  const mend =
    sound === null
      ? 'no other version there is sound: restore one'
      : `\`pipeline current ${sound.version}\` serves the newest sound version`;
  return `${what}, so that nothing can be compared with it; ${mend}, or publish with \`--accept ${NO_PARENT} --reason "who accepts it and why"\``;
}
