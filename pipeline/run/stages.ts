import { join } from 'node:path';
import { REGISTRY_IDS } from '../../contract/ids.ts';
import { readSignerKeys } from '../../snapshot/format/versions/key-files.ts';
import { type DedupReport, dedup } from '../dedup/dedup.ts';
import type { Effects } from '../effects.ts';
import type { RegistrySets } from '../normalise/chain.ts';
import { type NormaliseReport, StageFault } from '../normalise/report.ts';
import { normalise, registrySetsOf } from '../normalise/stage.ts';
import { acceptName } from '../publish/checks/check-rules.ts';
import { isWithoutParent } from '../publish/parent.ts';
import { type Published, type PublishInputs, publish } from '../publish/publish.ts';
import { recordsHeld } from '../raw/fetch-log.ts';
import { readRawSet } from '../raw/read-raw-set.ts';
import type { SignalsOrigin, SignalsReport } from '../signals/signals.ts';
import { assertSpace, bytesUnder, SNAPSHOT_BYTES_EACH, WORK_BYTES_EACH } from '../space.ts';
import type { Database } from '../store/database.ts';
import { imageBuilder } from '../terms/terms.ts';
import { type Asked, type NormalisedSets, registryStates } from './registry-states.ts';
import { currentTables, payloadFault, seedLedger } from './seeds.ts';
import { withWorkingDatabase } from './working-database.ts';
import type { Workspace } from './workspace.ts';

/** Each stage opens and closes the working database itself, so that it can run alone, in any process. */

export async function normaliseStage(
  workspace: Workspace,
  { asOf, accept = [] }: { asOf?: string; accept?: readonly string[] },
  effects: Effects,
): Promise<NormaliseReport> {
  const inputs = {
    dataDir: workspace.dataDir,
    sets: await registrySetsOf(workspace.dataDir),
    published: (await isWithoutParent(workspace.snapshotsDir, accept)) ? null : await currentTables(workspace),
    takeOlder: REGISTRY_IDS.filter((registry) => accept.includes(acceptName('older', registry))),
    ...(asOf === undefined ? {} : { asOf }),
  };
  await assertSpaceToNormalise(workspace.dataDir, inputs.sets, effects);
  try {
    return await withWorkingDatabase(workspace, effects.now(), (db) => normalise(inputs, { readRawSet }, db, effects));
  } catch (error) {
    const isKnown = error instanceof StageFault || inputs.published === null;
    throw (isKnown ? null : await payloadFault(workspace, error)) ?? error;
  }
}

/** Tables and payloads take about what as many registrations took where it was measured, less what is there of them. */
async function assertSpaceToNormalise(dataDir: string, sets: readonly RegistrySets[], effects: Effects): Promise<void> {
  const logs = sets.flatMap(({ full, increments }) => [full, ...increments]);
  const records = logs.reduce((sum, log) => sum + recordsHeld(log), 0);
  const needed = records * WORK_BYTES_EACH - (await bytesUnder(join(dataDir, 'work')));
  await assertSpace('normalise', { directory: dataDir, needed }, effects.freeBytes);
}

export async function dedupStage(workspace: Workspace, effects: Effects): Promise<DedupReport> {
  return withWorkingDatabase(workspace, effects.now(), async (db) => {
    await lastRun(db, 'normalise');
    await seedLedger(db, workspace);
    return dedup(db, effects);
  });
}

interface Gate extends Pick<PublishInputs, 'accept' | 'reason'> {
  /** The registries that this run asked; unknown where the stage runs alone. */
  asked?: Asked;
}

export async function publishStage(workspace: Workspace, gate: Gate, effects: Effects): Promise<Published> {
  return withWorkingDatabase(workspace, effects.now(), (db) => publishFrom(db, workspace, gate, effects));
}

async function publishFrom(
  db: Database,
  workspace: Workspace,
  { asked, ...gate }: Gate,
  effects: Effects,
): Promise<Published> {
  const normalised = await lastRun(db, 'normalise');
  const report = normalised.report as NormaliseReport;
  const deduped = await lastRun(db, 'dedup');
  const { ledger } = deduped.inputs as { ledger?: string | null };
  const registries = await registryStates(workspace.dataDir, normalised.inputs as NormalisedSets, report, asked);
  const { dataDir, snapshotsDir, corpus, codeVersion, codeCommit, signingKeyFile } = workspace;
  const needed = report.registries.reduce((sum, { kept }) => sum + kept, 0) * SNAPSHOT_BYTES_EACH;
  await assertSpace('publish', { directory: snapshotsDir, needed }, effects.freeBytes);
  const feeds = await feedStates(db);
  const inputs = {
    dataDir,
    snapshotsDir,
    registries,
    corpus,
    asOf: report.asOf,
    codeVersion,
    signers: await readSignerKeys(signingKeyFile),
    codeCommit,
    rules: (deduped.report as DedupReport).rules,
    ...(ledger == null ? {} : { ledger }),
    ...gate,
    ...feeds,
    onlyIfNew: true,
  };
  // Packing the terminology takes most of a second, in which the database reads and checks the tables.
  const building = imageBuilder(dataDir);
  // It is awaited where the image is made; until then a failure must not count as unhandled.
  building.catch(() => undefined);
  return await publish(inputs, db, async (...given) => (await building)(...given), effects);
}

/** State of the feeds after the last run of the signals stage, and the reviewed files that it applied; nothing when it never ran. */
async function feedStates(db: Database): Promise<Pick<PublishInputs, 'feeds' | 'applied'>> {
  const row = await db.one("SELECT inputs, report FROM stage_state WHERE stage = 'signals'");
  if (row === null) return {};
  const applied = JSON.parse(row.inputs as string) as SignalsOrigin;
  return {
    feeds: (JSON.parse(row.report as string) as SignalsReport).feeds,
    applied: Object.entries(applied).map(([name, sha256]) => ({ name, sha256 })),
  };
}

/** The record of a stage's last complete run. Throws where there is none. */
async function lastRun(db: Database, stage: 'normalise' | 'dedup'): Promise<{ inputs: unknown; report: unknown }> {
  const row = await db.one('SELECT inputs, report FROM stage_state WHERE stage = $1', [stage]);
  if (row !== null) return { inputs: JSON.parse(row.inputs as string), report: JSON.parse(row.report as string) };
  const message = `the ${stage} stage has not run yet; run \`pipeline ${stage}\` first, or \`pipeline run\``;
  throw new StageFault(stage, 'bad-input', null, message);
}
