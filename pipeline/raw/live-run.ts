import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { withAttempt } from './attempts.ts';
import { updateDay } from './dump-day.ts';
import { type FetchLog, SourceFault } from './fetch-log.ts';
import { createRun, rawSetsOf, readFetchLogs, runDirectory, writeFetchLog } from './fetch-log-store.ts';
import { replaceFile } from './files.ts';
import { type Answer, type ClientOptions, isHtml, RegistryClient, UnsoundBody } from './http-client.ts';
import { readRawSet } from './read-raw-set.ts';
import { SliceError, type Slicer } from './slice.ts';

const gzipAsync = promisify(gzip);
const DAY_MS = 86_400_000;
/** Milliseconds; an older unfinished run is not resumed, because its pages would mix two states of the registry. */
const RESUME_WITHIN_MS = DAY_MS;

export type FetchMode = 'full' | 'incremental';

export interface LivePlan {
  dataDir: string;
  registry: RegistryId;
  mode: FetchMode;
  origin: string;
}

/** What an incremental run extends: the full set's run name, and the first day that it asks for (one day of overlap). */
export interface Base {
  run: string;
  from: string;
}

/** Options of every live fetch. */
export interface LiveFetch extends Omit<ClientOptions, 'registry'> {
  dataDir: string;
  mode: FetchMode;
}

/** What a fetch works with. */
export interface LiveStart {
  plan: LivePlan;
  client: RegistryClient;
  effects: Effects;
  /** Null for a full fetch. */
  base: Base | null;
  /** The run to resume; null when there is none. */
  unfinished: FetchLog | null;
}

/** Runs one attempt of a live fetch and records its outcome. */
export function liveFetch(
  registry: RegistryId,
  fetch: LiveFetch,
  effects: Effects,
  work: (start: LiveStart) => Promise<FetchLog>,
): Promise<FetchLog> {
  const plan: LivePlan = { dataDir: fetch.dataDir, registry, mode: fetch.mode, origin: fetch.baseUrl };
  return withAttempt(fetch.dataDir, registry, effects, async () => {
    const client = new RegistryClient({ ...fetch, registry }, effects);
    const base = fetch.mode === 'incremental' ? await baseOf(plan) : null;
    return work({ plan, client, effects, base, unfinished: await resumableRun(plan, base, effects) });
  });
}

/** Throws SourceFault `not-the-registry` when a web page came instead of an answer. */
export function refuseHtml(registry: RegistryId, body: Buffer, format: 'JSON' | 'XML'): void {
  if (!isHtml(body)) return;
  const message = `a web page came instead of ${format}; check the address, or try again later`;
  throw new SourceFault(registry, 'not-the-registry', message);
}

/** Counts the records of an answer; throws UnsoundBody, with `name` or `shape`, when it is cut short or of another shape. */
export function countRecords(slicer: Slicer, body: Buffer, name: string, shape: string): number {
  try {
    return slicer.push(body).length + slicer.end().length;
  } catch (error) {
    if (!(error instanceof SliceError)) throw error;
    if (error.kind === 'truncated') throw new UnsoundBody('truncated', `the ${name} is cut short: ${error.message}`);
    throw new UnsoundBody('not-the-registry', `the answer is not ${shape}: ${error.message}`);
  }
}

/** The newest run if it is unfinished, has this mode, origin and base, and is young enough to resume; else null. */
async function resumableRun(plan: LivePlan, base: Base | null, effects: Effects): Promise<FetchLog | null> {
  const candidate = (await readFetchLogs(plan.dataDir, plan.registry)).at(-1);
  if (candidate?.state !== 'open' || candidate.source !== 'live') return null;
  const fits =
    candidate.kind === plan.mode && candidate.origin === plan.origin && candidate.base === (base?.run ?? null);
  const age = effects.now().getTime() - Date.parse(candidate.startedAt);
  return fits && age <= RESUME_WITHIN_MS ? candidate : null;
}

/** Starts a new run and writes its log. `window` of an incremental run begins at its base's first day. */
export async function startRun(
  { plan, base, effects }: Pick<LiveStart, 'plan' | 'base' | 'effects'>,
  dataTimestamp: string | null,
  windowEnd: string,
): Promise<FetchLog> {
  const now = effects.now();
  const log: FetchLog = {
    formatVersion: 1,
    registry: plan.registry,
    run: await createRun(plan.dataDir, plan.registry, plan.mode, now),
    kind: plan.mode,
    source: 'live',
    state: 'open',
    base: base?.run ?? null,
    startedAt: now.toISOString(),
    finishedAt: null,
    origin: plan.origin,
    dataTimestamp,
    dataMoved: false,
    expectedRecords: null,
    window: base && { from: base.from, to: windowEnd },
    files: [],
    leftOut: [],
  };
  await writeFetchLog(plan.dataDir, log);
  return log;
}

/** One run of a live fetch over one raw set. Each registry adds how it walks through its records. */
export class LiveRun {
  protected readonly plan: LivePlan;
  protected readonly log: FetchLog;
  readonly #effects: Effects;

  constructor({ plan, effects }: Pick<LiveStart, 'plan' | 'effects'>, log: FetchLog) {
    this.plan = plan;
    this.log = log;
    this.#effects = effects;
  }

  /** Stores one answer as received, then adds it to the log. After a kill between the two the next run overwrites the file. */
  async storePage(
    answer: Answer<{ records: number }>,
    format: 'ctgov-page' | 'isrctn-xml',
    position: string | null,
  ): Promise<void> {
    const { plan, log } = this;
    const ordinal = log.files.length + 1;
    const name = `page-${String(ordinal).padStart(6, '0')}.${format === 'ctgov-page' ? 'json' : 'xml'}.gz`;
    const { body, url, receivedAt } = answer;
    await replaceFile(join(runDirectory(plan.dataDir, log), name), await gzipAsync(body, { level: 6 }));
    const sha256 = createHash('sha256').update(body).digest('hex');
    const { records } = answer.value;
    log.files.push({ name, wrapping: 'gzip', format, sha256, bytes: body.length, records, url, receivedAt, position });
    await this.writeLog();
    const done = recordsHeld(log);
    this.#effects.progress({ stage: 'fetch', label: plan.registry, done, total: log.expectedRecords, unit: 'records' });
    this.#effects.checkpoint(`fetch:${plan.registry}:page:${ordinal}`);
  }

  protected async writeLog(): Promise<void> {
    await writeFetchLog(this.plan.dataDir, this.log);
  }

  /** Marks the set as complete; later stages read it from now on. */
  async complete(): Promise<FetchLog> {
    this.log.state = 'complete';
    this.log.finishedAt = this.#effects.now().toISOString();
    await this.writeLog();
    return this.log;
  }
}

/** Records in the files that a fetch log has so far. */
export function recordsHeld(log: FetchLog): number {
  return log.files.reduce((sum, file) => sum + file.records, 0);
}

/**
 * Finds what an incremental run extends. Its first day is one day before the newest day that the stored sets cover: for a
 * live set that is the registry's own data time (else its start), for a dump the newest update in its records.
 * Throws SourceFault `incomplete-set` when there is no full set or no set states a date.
 */
async function baseOf(plan: LivePlan): Promise<Base> {
  const sets = await rawSetsOf(plan.dataDir, plan.registry);
  if (!sets) {
    const message = `there is no complete full set of ${plan.registry}; run a full fetch first`;
    throw new SourceFault(plan.registry, 'incomplete-set', message);
  }
  let newest = '';
  for (const log of [sets.full, ...sets.increments]) {
    const day =
      log.source === 'live' ? (log.dataTimestamp ?? log.startedAt).slice(0, 10) : await newestUpdate(plan, log);
    if (day > newest) newest = day;
  }
  const time = Date.parse(`${newest}T00:00:00Z`);
  if (Number.isNaN(time)) {
    const message = `${sets.full.run} states no date of its data; run a full fetch`;
    throw new SourceFault(plan.registry, 'incomplete-set', message);
  }
  return { run: sets.full.run, from: new Date(time - DAY_MS).toISOString().slice(0, 10) };
}

async function newestUpdate(plan: LivePlan, log: FetchLog): Promise<string> {
  let newest = '';
  for await (const record of readRawSet(plan.dataDir, log)) {
    const day = record.ok ? updateDay(plan.registry, record.payload) : null;
    if (day !== null && day > newest) newest = day;
  }
  return newest;
}
