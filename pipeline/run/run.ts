import type { Config } from '../../server-kit/config/config.ts';
import { readSignerKeys } from '../../snapshot/format/versions/key-files.ts';
import type { DedupReport } from '../dedup/dedup.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import { asPublisher, type Publisher } from '../object-store/publisher.ts';
import type { Pushed } from '../object-store/push.ts';
import { assertAccepted } from '../publish/checks/gate.ts';
import { soundLog } from '../publish/identity/log.ts';
import { findParent } from '../publish/parent.ts';
import type { Published } from '../publish/publish.ts';
import type { SignalsReport } from '../signals/signals.ts';
import { type FetchOptions, type FetchOutcome, fetchStage } from './fetch-stage.ts';
import { type SignalsOptions, signalsStage } from './signals-stage.ts';
import { dedupStage, normaliseStage, publishStage } from './stages.ts';
import { WorkingDatabaseDamaged } from './working-database.ts';
import { workspaceOf } from './workspace.ts';

export interface RunOptions extends FetchOptions, Pick<SignalsOptions, 'feeds'> {
  /** Names of breaches that the publication gate lets pass. */
  accept: string[];
  /** Who accepts them and why. */
  reason?: string;
}

export interface RunReport {
  fetch: FetchOutcome[];
  normalise: NormaliseReport;
  dedup: DedupReport;
  signals: SignalsReport;
  published: Published;
  /** What was sent to the store that machines share; absent without one. */
  pushed?: Pushed;
  /** Where a damaged working database lies now, which the run made again; null where it was sound. */
  setAside: string | null;
}

/** Runs a stage and takes its time. */
export type TimeStage = <T>(stage: string, work: () => Promise<T>) => Promise<T>;
/** Runs the stages, and keeps a record of how they ended; called while the locks are held. */
export type RecordRun = (work: (timed: TimeStage) => Promise<RunReport>) => Promise<RunReport>;

/**
 * Runs all stages; their order stands only here. After a fault the served snapshot is unchanged, and `told` holds what the
 * stages had reported until then.
 */
export async function run(
  options: RunOptions,
  config: Config,
  effects: Effects,
  recorded: RecordRun = (work) => work((_stage, stage) => stage()),
  told: Partial<RunReport> = {},
): Promise<RunReport> {
  const workspace = workspaceOf(config, options.source);
  const afterFetch = async (timed: TimeStage): Promise<void> => {
    told.normalise = await timed('normalise', () => normaliseStage(workspace, options, effects));
    told.dedup = await timed('dedup', () => dedupStage(workspace, effects));
    told.signals = await timed('signals', () => signalsStage(options, config, workspace, effects));
    const asked = { source: options.source, registries: told.fetch?.map(({ registry }) => registry) ?? [] };
    told.published = await timed('publish', () => publishStage(workspace, { ...gateOf(options), asked }, effects));
  };
  const stages = async (timed: TimeStage, publisher: Publisher): Promise<RunReport> => {
    // Known before anything is fetched; publish looks again.
    await readSignerKeys(config.signingKeyFile);
    await soundLog(config.snapshotsDir);
    assertAccepted((await findParent(config.snapshotsDir, options.accept)).findings, options.accept);
    const fetched: FetchOutcome[] = [];
    told.fetch = fetched;
    await timed('fetch', () => fetchStage(options, config, workspace, effects, fetched));
    told.setAside = null;
    try {
      await afterFetch(timed);
    } catch (error) {
      if (!(error instanceof WorkingDatabaseDamaged)) throw error;
      told.setAside = error.aside;
      await afterFetch(timed);
    }
    if (publisher.push !== null) told.pushed = await timed('push', publisher.push);
    return told as RunReport;
  };
  const asked = () => asPublisher(config, effects, (publisher) => recorded((timed) => stages(timed, publisher)));
  return withPipelineLock(config, asked, effects);
}

function gateOf({ accept, reason }: RunOptions): Pick<RunOptions, 'accept' | 'reason'> {
  return { accept, ...(reason === undefined ? {} : { reason }) };
}
