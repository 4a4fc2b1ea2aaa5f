import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { ManifestRegistry } from '../../snapshot/format/versions/manifest.ts';
import type { NormaliseReport } from '../normalise/report.ts';
import { lastAttempt } from '../raw/attempts.ts';
import { instantOf } from '../raw/dump-day.ts';
import { type FetchLog, readFetchLog, recordsHeld } from '../raw/fetch-log.ts';
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
  const sets = await fetchLogsOf(dataDir, registry, normalised);
  const read = report.registries.find((entry) => entry.registry === registry);
  const failed = attempts?.lastError !== null && attempts !== null;
  if (!sets || read?.state !== 'answered') {
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
      lastAttemptAt: attempts?.lastAttemptAt ?? null,
      dataTimestamp: null,
      source: null,
      inputs: [],
    };
  }
  const newest = sets.increments.at(-1) ?? sets.full;
  // A file that is read says nothing of the registry's today: a dump is as old as its own day.
  const lastSuccessAt = newest.dumpDay ? instantOf(newest.dumpDay) : (newest.finishedAt ?? newest.startedAt);
  return {
    registry,
    state: 'answered',
    registrations: read.kept,
    quarantined: read.quarantined,
    superseded: read.superseded,
    expectedRecords: registryTotal(sets.full),
    complete: isComplete(sets.full),
    stale: failed,
    degraded: failed,
    degradedReason: failed
      ? `the attempt of ${attempts.lastAttemptAt} failed; this is the set of ${lastSuccessAt}`
      : null,
    lastSuccessAt,
    lastAttemptAt: attempts?.lastAttemptAt ?? null,
    dataTimestamp: newest.dataTimestamp,
    ...(newest.dumpDay === undefined ? {} : { dumpDay: newest.dumpDay }),
    source: sets.full.source,
    inputs: [sets.full, ...sets.increments].flatMap(inputsOf),
  };
}

/** The fetch logs of the sets that were normalised, which may be older than the newest ones at hand. */
async function fetchLogsOf(
  dataDir: string,
  registry: RegistryId,
  normalised: NormalisedSets,
): Promise<{ full: FetchLog; increments: FetchLog[] } | null> {
  const sets = normalised.sets.find((entry) => entry.registry === registry);
  if (sets === undefined) return null;
  const read = async (run: string): Promise<FetchLog> => {
    const log = await readFetchLog(dataDir, registry, run);
    if (log === null) throw new Error(`the raw set ${run} of ${registry} is gone; run normalise again`);
    return log;
  };
  return { full: await read(sets.full), increments: await Promise.all(sets.increments.map(read)) };
}

/** How many records the registry counts, unfiltered. A dump's own total counts only the dump. */
function registryTotal({ source, expectedRecords, registryTotal: asked }: FetchLog): number | null {
  if (source !== 'live') return null;
  return asked === undefined ? expectedRecords : asked;
}

/** A sweep that came to the end of what the registry counted. */
function isComplete(full: FetchLog): boolean {
  const total = registryTotal(full);
  return total !== null && recordsHeld(full) >= total;
}

function inputsOf(log: FetchLog): ManifestRegistry['inputs'] {
  return log.files.map(({ name, url, receivedAt, sha256, records }) => ({
    run: log.run,
    origin: log.origin,
    name,
    url,
    receivedAt,
    sha256,
    records,
  }));
}
