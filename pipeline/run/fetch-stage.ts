import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { fetchCtgov } from '../raw/fetch-ctgov.ts';
import { fetchIsrctn } from '../raw/fetch-isrctn.ts';
import { type FetchLog, SourceFault } from '../raw/fetch-log.ts';
import { rawSetsOf, removeOldSets } from '../raw/fetch-log-store.ts';
import { importDump } from '../raw/import-dump.ts';
import { recordsHeld } from '../raw/live-run.ts';
import { SAMPLE_DIRECTORY, type SampleOptions, withUnpacked } from './sample.ts';
import { originOf, type Source, type Workspace } from './workspace.ts';

export interface FetchOptions {
  source: Source;
  /** `auto`: incremental on top of a full set younger than a week, else full. */
  mode: 'auto' | 'full' | 'incremental';
  /** Live: the registries to ask; default both. */
  registries?: RegistryId[];
  /** Dump: a file or directory for each registry that has one. */
  dumps?: Partial<Record<RegistryId, string>>;
  sample?: SampleOptions;
}

export interface FetchOutcome {
  registry: RegistryId;
  ok: boolean;
  run: string | null;
  kind: FetchLog['kind'] | null;
  records: number | null;
  leftOut: FetchLog['leftOut'];
  /** Why a live registry could not be read; its last good set stays in use. */
  error: string | null;
}

/** A full sweep finds removals; increments cannot. */
const FULL_SWEEP_DAYS = 7;
/** The set in use and the one before it. */
const FULL_SETS_KEPT = 2;
const MS_PER_DAY = 86_400_000;

/**
 * Brings raw sets in. Live: a registry that fails is reported and leaves the other alone; when all fail, throws.
 * Dump and sample: any fault throws.
 */
export async function fetchStage(
  options: FetchOptions,
  config: Config,
  workspace: Workspace,
  effects: Effects,
): Promise<FetchOutcome[]> {
  const outcomes = await bringIn(options, config, workspace, effects);
  for (const { registry, ok } of outcomes) if (ok) await removeOldSets(workspace.dataDir, registry, FULL_SETS_KEPT);
  return outcomes;
}

async function bringIn(
  options: FetchOptions,
  config: Config,
  workspace: Workspace,
  effects: Effects,
): Promise<FetchOutcome[]> {
  const { dataDir } = workspace;
  if (options.source === 'live') return fetchLive(options, config, dataDir, effects);
  if (options.source === 'dump') return importAll(options.dumps ?? {}, dataDir, 'dump', effects);
  const { directory = SAMPLE_DIRECTORY, day = 0 } = options.sample ?? {};
  return withUnpacked(join(directory, `day-${day}`), join(dataDir, 'dump'), (dump) => {
    const dumps = { clinicaltrials_gov: join(dump, 'ctgov'), isrctn: join(dump, 'isrctn') };
    return importAll(dumps, dataDir, 'sample', effects);
  });
}

async function importAll(
  dumps: Partial<Record<RegistryId, string>>,
  dataDir: string,
  source: 'dump' | 'sample',
  effects: Effects,
): Promise<FetchOutcome[]> {
  const outcomes: FetchOutcome[] = [];
  for (const registry of REGISTRY_IDS) {
    const path = dumps[registry];
    if (path !== undefined) outcomes.push(succeeded(await importDump({ registry, path, dataDir, source }, effects)));
  }
  return outcomes;
}

async function fetchLive(
  options: FetchOptions,
  config: Config,
  dataDir: string,
  effects: Effects,
): Promise<FetchOutcome[]> {
  const registries = options.registries ?? [...REGISTRY_IDS];
  const faults: unknown[] = [];
  const outcomes = await Promise.all(
    registries.map(async (registry): Promise<FetchOutcome> => {
      try {
        const mode = await modeOf(options.mode, dataDir, registry, effects);
        const request = {
          baseUrl: originOf(config, registry),
          dataDir,
          mode,
          rate: config.fetchRatePerSecond,
          ...(config.contactEmail === null ? {} : { contact: config.contactEmail }),
        };
        return succeeded(await (registry === 'isrctn' ? fetchIsrctn : fetchCtgov)(request, effects));
      } catch (error) {
        // Only what the registry did wrong is contained; a full disk or a fault of ours stops the run.
        if (!(error instanceof SourceFault)) throw error;
        faults.push(error);
        return { registry, ok: false, run: null, kind: null, records: null, leftOut: [], error: error.message };
      }
    }),
  );
  if (outcomes.every(({ ok }) => !ok)) {
    throw new AggregateError(faults, `no registry could be read: ${outcomes.map(({ error }) => error).join('; ')}`);
  }
  return outcomes;
}

async function modeOf(
  mode: FetchOptions['mode'],
  dataDir: string,
  registry: RegistryId,
  effects: Effects,
): Promise<'full' | 'incremental'> {
  if (mode !== 'auto') return mode;
  const sets = await rawSetsOf(dataDir, registry);
  const finished = sets?.full.finishedAt;
  if (!finished) return 'full';
  const days = (effects.now().getTime() - Date.parse(finished)) / MS_PER_DAY;
  return days < FULL_SWEEP_DAYS ? 'incremental' : 'full';
}

function succeeded(log: FetchLog): FetchOutcome {
  const { registry, run, kind, leftOut } = log;
  return { registry, ok: true, run, kind, records: recordsHeld(log), leftOut, error: null };
}
