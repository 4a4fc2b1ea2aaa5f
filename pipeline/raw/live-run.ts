import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import {
  completeRun,
  type FetchLog,
  rawSetsOf,
  readFetchLogs,
  recordsHeld,
  removeRun,
  runDirectory,
  SourceFault,
  startRun,
  withAttempt,
  writeFetchLog,
} from './fetch-log.ts';
import { FileFault, replaceFile } from './files.ts';
import { type Answer, type ClientOptions, RegistryClient, unsoundBody } from './http-client.ts';
import type { Slicer } from './slice.ts';

const gzipAsync = promisify(gzip);
const DAY_MS = 86_400_000;
/** Milliseconds; an older unfinished run is not resumed, because its pages would mix two states of the registry. */
const RESUME_WITHIN_MS = DAY_MS;
/** A resumed run would meet these faults again; after any other fault the run can be resumed. */
const LASTING_FAULTS: readonly SourceFault['code'][] = ['repeated-token', 'endless', 'count-mismatch', 'no-records'];

/** Options of every live fetch. */
export interface LiveFetch extends Omit<ClientOptions, 'registry'> {
  dataDir: string;
  mode: FetchLog['kind'];
}

/** A raw set that a live fetch fills. */
export interface LiveRun {
  dataDir: string;
  log: FetchLog;
  effects: Effects;
}

/** The way through the records of a registry. */
export interface RegistryWalk {
  registry: RegistryId;
  /** The time that the registry states for its data; null where it states none. */
  dataTime(client: RegistryClient): Promise<string | null>;
  /** Stores every record that the run does not have yet, and checks their number. */
  walk(run: LiveRun, client: RegistryClient): Promise<void>;
}

/** Fetches a registry into a new raw set, or resumes the unfinished one. Throws SourceFault; a set that failed is never complete. */
export function liveFetch(fetch: LiveFetch, effects: Effects, source: RegistryWalk): Promise<FetchLog> {
  const { registry } = source;
  const { dataDir, mode: kind, baseUrl: origin } = fetch;
  return withAttempt(dataDir, registry, effects, async () => {
    const client = new RegistryClient({ ...fetch, registry }, effects);
    const extended = kind === 'incremental' ? await baseOf(dataDir, registry) : null;
    const base = extended?.run ?? null;
    const newest = (await readFetchLogs(dataDir, registry)).at(-1);
    const isOpen = newest?.state === 'open' && newest.source === 'live';
    const fits = newest?.kind === kind && newest.origin === origin && newest.base === base;
    const age = effects.now().getTime() - Date.parse(newest?.startedAt ?? '');
    if (isOpen && fits && age <= RESUME_WITHIN_MS) {
      try {
        return await walked({ dataDir, log: newest, effects }, client, source);
      } catch (error) {
        // Page tokens expire: when the registry no longer knows ours, the fetch starts again.
        if (!(error instanceof SourceFault && error.status === 400)) throw error;
        await removeRun(dataDir, newest);
      }
    }
    const dataTimestamp = await source.dataTime(client);
    const to = (dataTimestamp ?? effects.now().toISOString()).slice(0, 10);
    const window = extended && { from: extended.from, to };
    const run = { registry, kind, source: 'live', origin, base, dataTimestamp, window } as const;
    const log = await startRun(dataDir, run, effects.now());
    return walked({ dataDir, log, effects }, client, source);
  });
}

async function walked(run: LiveRun, client: RegistryClient, source: RegistryWalk): Promise<FetchLog> {
  const { dataDir, log, effects } = run;
  try {
    await source.walk(run, client);
  } catch (error) {
    if (error instanceof SourceFault && LASTING_FAULTS.includes(error.code)) await removeRun(dataDir, log);
    throw error;
  }
  return completeRun(dataDir, log, effects.now());
}

/** Stores one answer as received, then adds it to the log. After a kill between the two the next run overwrites the file. */
export async function storePage(
  { dataDir, log, effects }: LiveRun,
  { value, body, url, receivedAt }: Answer<{ records: number }>,
  position: string | null,
): Promise<void> {
  const isXml = log.registry === 'isrctn';
  const ordinal = log.files.length + 1;
  const name = `page-${String(ordinal).padStart(6, '0')}.${isXml ? 'xml' : 'json'}.gz`;
  await replaceFile(join(runDirectory(dataDir, log), name), await gzipAsync(body, { level: 6 }));
  log.files.push({
    name,
    wrapping: 'gzip',
    format: isXml ? 'isrctn-xml' : 'ctgov-page',
    sha256: createHash('sha256').update(body).digest('hex'),
    bytes: body.length,
    records: value.records,
    url,
    receivedAt,
    position,
  });
  await writeFetchLog(dataDir, log);
  const [label, done, total] = [log.registry, recordsHeld(log), log.expectedRecords];
  effects.progress({ stage: 'fetch', label, done, total, unit: 'records' });
  effects.checkpoint(`fetch:${log.registry}:page:${ordinal}`);
}

/** Counts the records of an answer, to be asked for again when it is cut short or of another shape. */
export function countRecords(slicer: Slicer, body: Buffer): number {
  try {
    return slicer.push(body).length + slicer.end().length;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.kind === 'truncated') throw unsoundBody('truncated', `the answer is cut short: ${error.message}`);
    throw unsoundBody('not-the-registry', `the answer is not a list of records: ${error.message}`);
  }
}

/**
 * Finds what an incremental run extends. Its first day is one day before the newest day that the stored sets cover: for a
 * live set that is the registry's own data time (else its start), for a dump its own day. Throws SourceFault
 * `incomplete-set` when there is no full set.
 */
async function baseOf(dataDir: string, registry: RegistryId): Promise<{ run: string; from: string }> {
  const sets = await rawSetsOf(dataDir, registry);
  if (!sets) {
    const message = `there is no complete full set of ${registry}; run a full fetch first`;
    throw new SourceFault(registry, 'incomplete-set', message);
  }
  const days = [sets.full, ...sets.increments].map(
    ({ dumpDay, dataTimestamp, startedAt }) => dumpDay?.day ?? (dataTimestamp ?? startedAt).slice(0, 10),
  );
  const newest = Date.parse(`${days.sort().at(-1)}T00:00:00Z`);
  return { run: sets.full.run, from: new Date(newest - DAY_MS).toISOString().slice(0, 10) };
}
