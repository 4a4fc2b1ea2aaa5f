import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { withAttempt } from './attempts.ts';
import {
  createRun,
  type FetchLog,
  rawSetsOf,
  readFetchLogs,
  recordsHeld,
  runDirectory,
  SourceFault,
  writeFetchLog,
} from './fetch-log.ts';
import { FileFault, replaceFile } from './files.ts';
import { type Answer, type ClientOptions, RegistryClient, RequestRefused, UnsoundBody } from './http-client.ts';
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

/** What a new run is: its registry, and of an incremental one the full set that it extends and its first day. */
export interface NewRun extends Pick<LiveFetch, 'dataDir' | 'mode' | 'baseUrl'> {
  registry: RegistryId;
  base: { run: string; from: string } | null;
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
  const { dataDir } = fetch;
  return withAttempt(dataDir, registry, effects, async () => {
    const client = new RegistryClient({ ...fetch, registry }, effects);
    const base = fetch.mode === 'incremental' ? await baseOf(dataDir, registry) : null;
    const started = { ...fetch, registry, base };
    const unfinished = await resumableRun(started, effects);
    if (unfinished !== null) {
      try {
        return await walked(new LiveRun(dataDir, unfinished, effects), client, source);
      } catch (error) {
        // Page tokens expire: when the registry no longer knows ours, the fetch starts again.
        if (!(error instanceof RequestRefused && error.status === 400)) throw error;
        await removeRun(dataDir, unfinished);
      }
    }
    const dataTimestamp = await source.dataTime(client);
    const windowEnd = (dataTimestamp ?? effects.now().toISOString()).slice(0, 10);
    const log = await startRun(started, dataTimestamp, windowEnd, effects);
    return walked(new LiveRun(dataDir, log, effects), client, source);
  });
}

async function walked(run: LiveRun, client: RegistryClient, source: RegistryWalk): Promise<FetchLog> {
  try {
    await source.walk(run, client);
  } catch (error) {
    if (error instanceof SourceFault && LASTING_FAULTS.includes(error.code)) await removeRun(run.dataDir, run.log);
    throw error;
  }
  return run.complete();
}

/** Removes a run that can neither be completed nor resumed. */
async function removeRun(dataDir: string, log: FetchLog): Promise<void> {
  await rm(runDirectory(dataDir, log), { recursive: true });
}

/** The newest run if it is unfinished, has this mode, origin and base, and is young enough to resume; else null. */
async function resumableRun({ dataDir, registry, mode, baseUrl, base }: NewRun, effects: Effects) {
  const candidate = (await readFetchLogs(dataDir, registry)).at(-1);
  if (candidate?.state !== 'open' || candidate.source !== 'live') return null;
  const fits = candidate.kind === mode && candidate.origin === baseUrl && candidate.base === (base?.run ?? null);
  const age = effects.now().getTime() - Date.parse(candidate.startedAt);
  return fits && age <= RESUME_WITHIN_MS ? candidate : null;
}

/** Starts a new run and writes its log. `window` of an incremental run begins at its base's first day. */
export async function startRun(
  { dataDir, registry, mode, baseUrl, base }: NewRun,
  dataTimestamp: string | null,
  windowEnd: string,
  effects: Effects,
): Promise<FetchLog> {
  const now = effects.now();
  const log: FetchLog = {
    formatVersion: 1,
    registry,
    run: await createRun(dataDir, registry, mode, now),
    kind: mode,
    source: 'live',
    state: 'open',
    base: base?.run ?? null,
    startedAt: now.toISOString(),
    finishedAt: null,
    origin: baseUrl,
    dataTimestamp,
    dataMoved: false,
    expectedRecords: null,
    window: base && { from: base.from, to: windowEnd },
    files: [],
    leftOut: [],
  };
  await writeFetchLog(dataDir, log);
  return log;
}

/** A raw set that a live fetch fills. */
export class LiveRun {
  readonly dataDir: string;
  readonly log: FetchLog;
  readonly #effects: Effects;

  constructor(dataDir: string, log: FetchLog, effects: Effects) {
    this.dataDir = dataDir;
    this.log = log;
    this.#effects = effects;
  }

  /** Stores one answer as received, then adds it to the log. After a kill between the two the next run overwrites the file. */
  async storePage(answer: Answer<{ records: number }>, position: string | null): Promise<void> {
    const { log } = this;
    const isXml = log.registry === 'isrctn';
    const ordinal = log.files.length + 1;
    const name = `page-${String(ordinal).padStart(6, '0')}.${isXml ? 'xml' : 'json'}.gz`;
    const { body, url, receivedAt } = answer;
    await replaceFile(join(runDirectory(this.dataDir, log), name), await gzipAsync(body, { level: 6 }));
    log.files.push({
      name,
      wrapping: 'gzip',
      format: isXml ? 'isrctn-xml' : 'ctgov-page',
      sha256: createHash('sha256').update(body).digest('hex'),
      bytes: body.length,
      records: answer.value.records,
      url,
      receivedAt,
      position,
    });
    await this.writeLog();
    const [label, done, total] = [log.registry, recordsHeld(log), log.expectedRecords];
    this.#effects.progress({ stage: 'fetch', label, done, total, unit: 'records' });
    this.#effects.checkpoint(`fetch:${log.registry}:page:${ordinal}`);
  }

  async writeLog(): Promise<void> {
    await writeFetchLog(this.dataDir, this.log);
  }

  /** Marks the set as complete; later stages read it from now on. */
  async complete(): Promise<FetchLog> {
    this.log.state = 'complete';
    this.log.finishedAt = this.#effects.now().toISOString();
    await this.writeLog();
    return this.log;
  }
}

/** Throws SourceFault `not-the-registry` for a web page: a portal, a block page or a maintenance notice. */
export function refuseHtml(registry: RegistryId, body: Buffer, format: 'JSON' | 'XML'): void {
  const head = body.toString('latin1', 0, 2048);
  if (!/^\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i.test(head)) return;
  const message = `a web page came instead of ${format}; check the address, or try again later`;
  throw new SourceFault(registry, 'not-the-registry', message);
}

/** Counts the records of an answer; throws UnsoundBody, with `name` or `shape`, when it is cut short or of another shape. */
export function countRecords(slicer: Slicer, body: Buffer, name: string, shape: string): number {
  try {
    return slicer.push(body).length + slicer.end().length;
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    if (error.kind === 'truncated') throw new UnsoundBody('truncated', `the ${name} is cut short: ${error.message}`);
    throw new UnsoundBody('not-the-registry', `the answer is not ${shape}: ${error.message}`);
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
  const newest = days.sort().at(-1);
  return { run: sets.full.run, from: new Date(Date.parse(`${newest}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10) };
}
