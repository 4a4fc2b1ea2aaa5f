import type { Config } from '../../server-kit/config/config.ts';
import { readSignerKeys } from '../../snapshot/format/versions/key-files.ts';
import type { RunEnd } from '../../snapshot/format/versions/run-log.ts';
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
import { databaseMadeAgain, degradedWords, outcomeOfPublished, replacedWords } from './outcome.ts';
import { type Asked, type Ended, gateOf, recorded, type TimeStage } from './run-record.ts';
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

/**
 * Runs all stages under the locks, and keeps a row of the run, however it ends; the order of the stages stands only here. After a fault
 * the served snapshot is unchanged, and `told` holds the reports of the stages until then.
 */
export function run(
  options: RunOptions,
  config: Config,
  effects: Effects,
  asked: Asked = { command: 'run', words: [] },
  told: Partial<RunReport> = {},
): Promise<RunReport> {
  const ended = (report: RunReport): Ended => ({ ...endOfPublish(asked, report), rows: rowsOf(report) });
  const work = (publisher: Publisher) =>
    recorded(asked, config, effects, (timed) => runStages(options, config, effects, { publisher, timed, told }), ended);
  return withPipelineLock(config, () => asPublisher(config, effects, work), effects);
}

interface Running {
  publisher: Publisher;
  timed: TimeStage;
  told: Partial<RunReport>;
}

async function runStages(
  options: RunOptions,
  config: Config,
  effects: Effects,
  { publisher, timed, told }: Running,
): Promise<RunReport> {
  const workspace = workspaceOf(config, options.source);
  const { accept, reason } = options;
  // Known before anything is fetched; publish looks again.
  await readSignerKeys(config.signingKeyFile);
  await soundLog(config.snapshotsDir);
  assertAccepted((await findParent(config.snapshotsDir, accept)).findings, accept);
  const fetched: FetchOutcome[] = [];
  told.fetch = fetched;
  await timed('fetch', () => fetchStage(options, config, workspace, effects, fetched));
  told.setAside = null;
  const afterFetch = async (): Promise<void> => {
    told.normalise = await timed('normalise', () => normaliseStage(workspace, options, effects));
    told.dedup = await timed('dedup', () => dedupStage(workspace, effects));
    told.signals = await timed('signals', () => signalsStage(options, config, workspace, effects));
    const asked = { source: options.source, registries: fetched.map(({ registry }) => registry) };
    const gate = { accept, ...(reason !== undefined && { reason }), asked };
    told.published = await timed('publish', () => publishStage(workspace, gate, effects));
  };
  await afterFetch().catch((error: unknown) => {
    if (!(error instanceof WorkingDatabaseDamaged)) throw error;
    told.setAside = error.aside;
    return afterFetch();
  });
  if (publisher.push !== null) told.pushed = await timed('push', publisher.push);
  return told as RunReport;
}

/** The end of a command that published, as the record keeps it. */
export function endOfPublish(
  { reason }: Asked,
  { published, fetch = [], setAside = null }: Pick<RunReport, 'published'> & Partial<RunReport>,
): Ended {
  const words = [
    replacedWords(published),
    degradedWords(published, fetch),
    setAside === null ? null : databaseMadeAgain(setAside),
  ];
  return {
    ...outcomeOfPublished(published),
    message: words.filter((text) => text !== null).join('\n') || null,
    published,
    gate: gateOf(published.checks, reason),
  };
}

/** Records that were read of the registries that the run asked. */
function rowsOf({ fetch, normalise, dedup }: RunReport): NonNullable<RunEnd['rows']> {
  const asked = normalise.registries.filter((entry) => fetch.some(({ registry }) => registry === entry.registry));
  const read = asked.map(({ registry, state, read: count }) => [registry, state === 'answered' ? count : null]);
  return { read: Object.fromEntries(read), trials: dedup.trials };
}
