import { join } from 'node:path';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { Config } from '../../server-kit/config/config.ts';
import type { Effects } from '../effects.ts';
import { fetchCtgov } from '../raw/fetch-ctgov.ts';
import { fetchIsrctn } from '../raw/fetch-isrctn.ts';
import {
  type FetchLog,
  type NamedFile,
  rawSetsOf,
  recordsHeld,
  removeOldSets,
  runDirectory,
  SourceFault,
} from '../raw/fetch-log.ts';
import { importDump } from '../raw/import-dump.ts';
import { assertSpace, bytesUnder } from '../space.ts';
import { SAMPLE_DIRECTORY, type SampleOptions, withUnpacked } from './sample.ts';
import { clientOptions, type Source, type Workspace } from './workspace.ts';

export interface FetchOptions {
  source: Source;
  /** `auto`: incremental when there is a full set younger than a week, else full. */
  mode: 'auto' | 'full' | 'incremental';
  /** Live: the registries to fetch; default both. */
  registries?: RegistryId[];
  /** Dump: a file or directory for each registry that has one. */
  dumps?: Partial<Record<RegistryId, string>>;
  sample?: SampleOptions;
  /** Dump: the day it was made, where its records do not tell (YYYY-MM-DD). */
  asOf?: string;
}

export interface FetchOutcome {
  registry: RegistryId;
  ok: boolean;
  run: string | null;
  kind: FetchLog['kind'] | null;
  records: number | null;
  leftOut: readonly NamedFile[];
  /** Files of a dump that were read although their form lacks much, and what it lacks. */
  gaps: readonly NamedFile[];
  /** Why a registry could not be read; the last good set of a live one stays in use. */
  error: string | null;
}

/** A full fetch finds removed records; an incremental one cannot. */
const FULL_SWEEP_DAYS = 7;
/** The current set and the previous one. */
const FULL_SETS_KEPT = 2;
const MS_PER_DAY = 86_400_000;

/**
 * Fetches or imports raw sets. Live: a registry that fails is reported and does not affect the other; throws when all fail.
 * Dump and sample: any fault throws. What is known of each registry is added to `outcomes`, so that it stays known after a fault.
 */
export async function fetchStage(
  options: FetchOptions,
  config: Config,
  workspace: Workspace,
  effects: Effects,
  outcomes: FetchOutcome[] = [],
): Promise<FetchOutcome[]> {
  const { dataDir } = workspace;
  if (options.source === 'live') await fetchLive(options, config, dataDir, outcomes, effects);
  else if (options.source === 'dump') await importAll(options, dataDir, 'dump', outcomes, effects);
  else {
    const { directory = SAMPLE_DIRECTORY, day = 0 } = options.sample ?? {};
    await withUnpacked(join(directory, `day-${day}`), join(dataDir, 'dump'), (dump) => {
      const dumps = { clinicaltrials_gov: join(dump, 'ctgov'), isrctn: join(dump, 'isrctn') };
      return importAll({ dumps }, dataDir, 'sample', outcomes, effects);
    });
  }
  for (const { registry, ok } of outcomes) if (ok) await removeOldSets(dataDir, registry, FULL_SETS_KEPT);
  return outcomes;
}

async function importAll(
  { dumps = {}, asOf }: Pick<FetchOptions, 'dumps' | 'asOf'>,
  dataDir: string,
  source: 'dump' | 'sample',
  outcomes: FetchOutcome[],
  effects: Effects,
): Promise<void> {
  for (const registry of REGISTRY_IDS) {
    const path = dumps[registry];
    if (path === undefined) continue;
    const dump = { registry, path, dataDir, source, ...(asOf === undefined ? {} : { asOf }) };
    try {
      outcomes.push(succeeded(await importDump(dump, effects)));
    } catch (error) {
      if (error instanceof SourceFault) outcomes.push(failed(registry, error));
      throw error;
    }
  }
}

async function fetchLive(
  options: FetchOptions,
  config: Config,
  dataDir: string,
  outcomes: FetchOutcome[],
  effects: Effects,
): Promise<void> {
  const registries = options.registries ?? [...REGISTRY_IDS];
  const faults: unknown[] = [];
  const found = await Promise.all(
    registries.map(async (registry): Promise<FetchOutcome> => {
      try {
        const mode = await modeOf(options.mode, dataDir, registry, effects);
        if (mode === 'full') await assertSpaceForSweep(dataDir, registry, effects);
        const baseUrl = registry === 'clinicaltrials_gov' ? config.ctgovUrl : config.isrctnUrl;
        const request = { baseUrl, dataDir, mode, ...clientOptions(config) };
        return succeeded(await (registry === 'isrctn' ? fetchIsrctn : fetchCtgov)(request, effects));
      } catch (error) {
        // Only a fault of the registry is reported; a full disk or a fault of ours stops the run.
        if (!(error instanceof SourceFault)) throw error;
        faults.push(error);
        return failed(registry, error);
      }
    }),
  );
  outcomes.push(...found);
  if (outcomes.every(({ ok }) => !ok)) {
    throw new AggregateError(faults, `no registry could be read: ${outcomes.map(({ error }) => error).join('; ')}`);
  }
}

/** A full sweep takes about what the last full set took; how much a first one takes is not known. */
async function assertSpaceForSweep(dataDir: string, registry: RegistryId, effects: Effects): Promise<void> {
  const sets = await rawSetsOf(dataDir, registry);
  if (sets === null) return;
  const needed = await bytesUnder(runDirectory(dataDir, sets.full));
  await assertSpace('fetch', { directory: dataDir, needed }, effects.freeBytes);
}

async function modeOf(
  mode: FetchOptions['mode'],
  dataDir: string,
  registry: RegistryId,
  effects: Effects,
): Promise<'full' | 'incremental'> {
  if (mode !== 'auto') return mode;
  const sets = await rawSetsOf(dataDir, registry);
  const made = sets?.full.dumpDay?.day ?? sets?.full.finishedAt;
  if (!made) return 'full';
  const days = (effects.now().getTime() - Date.parse(made)) / MS_PER_DAY;
  return days < FULL_SWEEP_DAYS ? 'incremental' : 'full';
}

function succeeded(log: FetchLog): FetchOutcome {
  const { registry, run, kind, leftOut, gaps = [] } = log;
  return { registry, ok: true, run, kind, records: recordsHeld(log), leftOut, gaps, error: null };
}

function failed(registry: RegistryId, { message, told }: SourceFault): FetchOutcome {
  return { registry, ok: false, run: null, kind: null, records: null, ...told, error: message };
}
