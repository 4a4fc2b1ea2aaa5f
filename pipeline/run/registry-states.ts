import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { ManifestRegistry } from '../../snapshot/format/versions/manifest.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import { instantOf } from '../raw/dump-day.ts';
import { type FetchLog, lastAttempt, readFetchLog, recordsHeld } from '../raw/fetch-log.ts';
import type { Source } from './workspace.ts';

/** The raw sets that the normalise stage read, as it recorded them. */
export interface NormalisedSets {
  sets: { registry: RegistryId; full: string; increments: string[] }[];
}

/** What a run was given. */
export interface Asked {
  source: Source;
  registries: readonly RegistryId[];
}

/** The option that gives a dump of the registry to a run. */
const DUMP_OPTIONS: Readonly<Record<RegistryId, string>> = { clinicaltrials_gov: '--ctgov', isrctn: '--isrctn' };

/**
 * The manifest's entry of each registry: the raw sets that were read, their counts, and the outcome of the last attempt. Of a
 * registry that was not asked, where that is known, the last good set is kept.
 */
export async function registryStates(
  dataDir: string,
  normalised: NormalisedSets,
  report: NormaliseReport,
  asked: Asked | null = null,
): Promise<ManifestRegistry[]> {
  return Promise.all(
    REGISTRY_IDS.map(async (registry) => {
      const state = await stateOf(dataDir, registry, normalised, report);
      return asked === null || asked.registries.includes(registry) ? state : notAsked(state, asked.source);
    }),
  );
}

function notAsked(entry: ManifestRegistry, source: Source): ManifestRegistry {
  const { registry, state, stale, dumpDay, lastSuccessAt } = entry;
  if (state === 'unanswered' || stale) return entry;
  const why = source === 'live' ? '--registry did not name it' : `no ${DUMP_OPTIONS[registry]} was given`;
  const day = dumpDay?.day ?? lastSuccessAt?.slice(0, 10);
  const degradedReason = `${why}; this is the last good set, of ${day}`;
  return { ...entry, stale: true, degraded: true, degradedReason };
}

async function stateOf(
  dataDir: string,
  registry: RegistryId,
  normalised: NormalisedSets,
  report: NormaliseReport,
): Promise<ManifestRegistry> {
  const attempts = await lastAttempt(dataDir, registry);
  const logs = await fetchLogsOf(dataDir, registry, normalised);
  const read = report.registries.find((entry) => entry.registry === registry);
  const failed = attempts !== null && attempts.lastError !== null;
  const lastAttemptAt = attempts?.lastAttemptAt ?? null;
  const [full, newest] = [logs[0], logs.at(-1)];
  if (full === undefined || newest === undefined || read?.state !== 'answered') {
    return {
      registry,
      state: 'unanswered',
      registrations: null,
      quarantined: null,
      superseded: null,
      expectedRecords: null,
      complete: false,
      stale: failed,
      degraded: true,
      degradedReason: attempts === null ? 'the registry was not asked' : 'the registry never answered',
      lastSuccessAt: null,
      lastAttemptAt,
      dataTimestamp: null,
      source: null,
      inputs: [],
    };
  }
  // A file that is read says nothing of the registry's today: a dump is as old as its own day.
  const lastSuccessAt = newest.dumpDay ? instantOf(newest.dumpDay) : (newest.finishedAt ?? newest.startedAt);
  const total = registryTotal(full);
  const reason = `the attempt of ${lastAttemptAt} failed; this is the set of ${lastSuccessAt}`;
  return {
    registry,
    state: 'answered',
    registrations: read.kept,
    quarantined: read.quarantined,
    superseded: read.superseded,
    expectedRecords: total,
    // A sweep that came to the end of what the registry counted.
    complete: total !== null && recordsHeld(full) >= total,
    stale: failed,
    degraded: failed,
    degradedReason: failed ? reason : null,
    lastSuccessAt,
    lastAttemptAt,
    dataTimestamp: newest.dataTimestamp,
    ...(newest.dumpDay === undefined ? {} : { dumpDay: newest.dumpDay }),
    source: full.source,
    inputs: logs.flatMap(inputsOf),
  };
}

/**
 * The fetch logs of the sets that were normalised, the full one first, which may be older than the newest ones at hand; none
 * of a registry without any.
 */
async function fetchLogsOf(dataDir: string, registry: RegistryId, { sets }: NormalisedSets): Promise<FetchLog[]> {
  const found = sets.find((entry) => entry.registry === registry);
  const runs = found === undefined ? [] : [found.full, ...found.increments];
  return Promise.all(
    runs.map(async (run) => {
      const log = await readFetchLog(dataDir, registry, run);
      if (log === null) throw new Error(`the raw set ${run} of ${registry} is gone; run normalise again`);
      return log;
    }),
  );
}

/** How many records the registry counts, unfiltered. A dump's own total counts only the dump. */
function registryTotal({ source, expectedRecords, registryTotal: asked }: FetchLog): number | null {
  if (source !== 'live') return null;
  return asked === undefined ? expectedRecords : asked;
}

function inputsOf({ run, origin, files }: FetchLog): ManifestRegistry['inputs'] {
  return files.map(({ name, url, receivedAt, sha256, records }) => {
    return { run, origin, name, url, receivedAt, sha256, records };
  });
}
