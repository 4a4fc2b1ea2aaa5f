import { Gauge, type Registry } from 'prom-client';
import { outcomeOf, RUN_OUTCOME_CODES } from '../../contract/run-outcomes.ts';
import type { IndexServices } from '../../index-server/entry.ts';
import { basisOf } from '../../snapshot/format/registry-answer.ts';

/** What the metrics tell of the index in this process: the snapshot that it serves, and the record of runs. */
export type WatchedIndex = {
  holder: Pick<IndexServices['holder'], 'version' | 'refused' | 'checkedAt' | 'acquire'>;
  runLog: Pick<IndexServices['runLog'], 'read'>;
};
type Runs = NonNullable<Awaited<ReturnType<WatchedIndex['runLog']['read']>>>['runs'];

/** Makes a gauge that is read anew at each scrape. */
type Watch = <Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[],
  collect: (gauge: Gauge<Label>) => void | Promise<void>,
) => void;

/** Runs of these commands make a version; `gc` and `current` do not. */
const MAKING: readonly string[] = ['run', 'schedule', 'publish'];

/** Asks an index server in another process which snapshot it serves; rejects if it does not answer. */
export type RemoteIndex = () => Promise<{ snapshot: string | null; refused: string | null; checkedAt: string | null }>;

/** Registers the metrics of the index. A scrape reads one manifest in memory and what was added to the record of runs. */
export function watchIndex(
  { holder, runLog }: WatchedIndex,
  now: () => Date,
  prefix: string,
  registry: Registry,
): void {
  const watch = watcher(prefix, registry);
  const { version, refused, checkedAt } = SNAPSHOT_METRICS;
  watch(...version, ['version'], (gauge) => {
    if (holder.version !== null) gauge.set({ version: holder.version }, 1);
  });
  watch(...refused, [], (gauge) => gauge.set(holder.refused === null ? 0 : 1));
  watch(...checkedAt, [], (gauge) => gauge.set(seconds(holder.checkedAt?.getTime() ?? 0)));
  watchAges(holder, now, watch);
  watchRuns(runLog, watch);
}

/** Registers what an index server tells of its snapshot. Nothing is shown of one that does not answer. */
export function watchRemoteIndex(ask: RemoteIndex, prefix: string, registry: Registry): void {
  const watch = watcher(prefix, registry);
  const { version, refused, checkedAt } = SNAPSHOT_METRICS;
  // The three are read together.
  let asked: ReturnType<RemoteIndex> | null = null;
  const told = async () => {
    asked ??= ask().finally(() => {
      asked = null;
    });
    return await asked.catch(() => null);
  };
  watch(...version, ['version'], async (gauge) => {
    const ready = await told();
    if (ready?.snapshot) gauge.set({ version: ready.snapshot }, 1);
  });
  watch(...refused, [], async (gauge) => {
    const ready = await told();
    if (ready !== null) gauge.set(ready.refused === null ? 0 : 1);
  });
  watch(...checkedAt, [], async (gauge) => {
    const ready = await told();
    if (ready !== null) gauge.set(seconds(Date.parse(ready.checkedAt ?? '1970-01-01T00:00:00Z')));
  });
}

const SNAPSHOT_METRICS = {
  version: ['snapshot_info', 'The snapshot that is served, as a label; absent while there is none.'],
  refused: [
    'snapshot_refused',
    '1 while the snapshot that CURRENT names is not served, because its files are not as published or cannot be opened.',
  ],
  checkedAt: [
    'snapshot_checked_timestamp_seconds',
    'When all files of the served snapshot were last found to be as published; 0: not yet.',
  ],
} as const;

function watcher(prefix: string, registry: Registry): Watch {
  return (name, help, labelNames, collect) => {
    new Gauge({
      name: `${prefix}${name}`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        // Without labels, a reset leaves a 0, which would be a value.
        if (labelNames.length === 0) this.remove();
        return collect(this);
      },
    });
  };
}

function watchAges(holder: WatchedIndex['holder'], now: () => Date, watch: Watch): void {
  watch(
    'snapshot_age_seconds',
    'Seconds since the served snapshot was published; absent while there is none.',
    [],
    (gauge) => {
      using lease = holder.acquire();
      if (lease !== null) gauge.set(seconds(now().getTime() - Date.parse(lease.manifest.createdAt)));
    },
  );
  watch(
    'registry_data_age_seconds',
    'Seconds since the first instant of the day of the data held of a registry; absent for one that never answered.',
    ['registry'],
    (gauge) => {
      using lease = holder.acquire();
      if (lease === null) return;
      for (const one of lease.manifest.registries) {
        const { dataDay } = basisOf(one, lease.manifest);
        if (dataDay !== null) gauge.set({ registry: one.registry }, seconds(now().getTime() - Date.parse(dataDay)));
      }
    },
  );
}

function watchRuns(runLog: WatchedIndex['runLog'], watch: Watch): void {
  /** Newest first; undefined where there is no record, or it cannot be read. */
  const making = async (): Promise<Runs | undefined> => {
    const records = await runLog.read().catch(() => null);
    return records?.runs.filter(({ command }) => MAKING.includes(command));
  };
  watch('pipeline_record_unreadable', '1 while the record of runs cannot be read.', [], async (gauge) => {
    gauge.set(
      await runLog.read().then(
        () => 0,
        () => 1,
      ),
    );
  });
  watch(
    'pipeline_last_run_timestamp_seconds',
    'When the last run began that was to make a version; absent without a record.',
    [],
    async (gauge) => {
      const last = (await making())?.[0];
      if (last !== undefined) gauge.set(seconds(Date.parse(last.at)));
    },
  );
  watch(
    'pipeline_last_success_timestamp_seconds',
    'When a run last ended with exit code 0 or 3: published, or found nothing new; 0: the record has none.',
    [],
    async (gauge) => {
      const runs = await making();
      const good = runs?.find(({ end }) => end?.exitCode === 0 || end?.exitCode === 3);
      if (runs !== undefined) gauge.set(seconds(Date.parse(good?.end?.at ?? '1970-01-01T00:00:00Z')));
    },
  );
  watch(
    'pipeline_last_outcome',
    '1 for the outcome of the last run that was to make a version, 0 for every other; absent without a record.',
    ['outcome'],
    async (gauge) => {
      const last = (await making())?.[0];
      if (last === undefined) return;
      const found = outcomeOf(last);
      for (const outcome of RUN_OUTCOME_CODES) gauge.set({ outcome }, outcome === found ? 1 : 0);
    },
  );
  watch(
    'pipeline_last_run_stage_seconds',
    'Seconds that each stage took in the last run that stated its end.',
    ['stage'],
    async (gauge) => {
      const ended = (await making())?.find(({ end }) => end !== null);
      for (const { stage, seconds: took } of ended?.end?.stages ?? []) gauge.set({ stage }, took);
    },
  );
}

function seconds(milliseconds: number): number {
  return Math.max(0, milliseconds / 1000);
}
