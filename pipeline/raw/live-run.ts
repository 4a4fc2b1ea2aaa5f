import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { withAttempt } from './attempts.ts';
import { type FetchLog, type RawFormat, SourceFault } from './fetch-log.ts';
import { createRun, rawSetsOf, readFetchLogs, runDirectory, writeFetchLog } from './fetch-log-store.ts';
import { replaceFile } from './files.ts';
import { type Answer, type ClientOptions, isHtml, RegistryClient, UnsoundBody } from './http-client.ts';
import { readRawSet } from './read-raw-set.ts';
import { SliceError, type Slicer } from './slice.ts';

const gzipAsync = promisify(gzip);
const DAY_MS = 86_400_000;
/** Milliseconds; an older unfinished run is left, since its pages would mix two states of the registry. */
const RESUME_WITHIN_MS = DAY_MS;

export type FetchMode = 'full' | 'incremental';

export interface LivePlan {
  dataDir: string;
  registry: RegistryId;
  mode: FetchMode;
  origin: string;
}

/** What an incremental run lies on: the full set's run name, and the first day that it asks for (one day of overlap). */
export interface Base {
  run: string;
  from: string;
}

/** What every live fetch is asked for. */
export interface LiveFetch extends Omit<ClientOptions, 'registry'> {
  dataDir: string;
  mode: FetchMode;
}

/** What a fetch works with: the client, what an incremental run lies on, and the run to go on with where there is one. */
export interface LiveStart {
  plan: LivePlan;
  client: RegistryClient;
  base: Base | null;
  unfinished: FetchLog | null;
}

/** Runs one attempt of a live fetch and books how it went. */
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
    return work({ plan, client, base, unfinished: await resumableRun(plan, base, effects) });
  });
}

/** SourceFault `not-the-registry` for a web page in the place of an answer. */
export function refuseHtml(registry: RegistryId, body: Buffer, format: 'JSON' | 'XML'): void {
  if (!isHtml(body)) return;
  const message = `a web page came instead of ${format}; check the address, or try again later`;
  throw new SourceFault(registry, 'not-the-registry', message);
}

/** Records in an answer; UnsoundBody where it is cut short or of another shape. `name` and `shape` are for the message. */
export function countRecords(slicer: Slicer, body: Buffer, name: string, shape: string): number {
  try {
    return slicer.push(body).length + slicer.end().length;
  } catch (error) {
    if (!(error instanceof SliceError)) throw error;
    if (error.kind === 'truncated') throw new UnsoundBody('truncated', `the ${name} is cut short: ${error.message}`);
    throw new UnsoundBody('not-the-registry', `the answer is not ${shape}: ${error.message}`);
  }
}

/** The unfinished run of the same mode, origin and base that is young enough to go on with; null when there is none. */
async function resumableRun(plan: LivePlan, base: Base | null, effects: Effects): Promise<FetchLog | null> {
  const candidate = (await readFetchLogs(plan.dataDir, plan.registry)).at(-1);
  if (candidate?.state !== 'open' || candidate.source !== 'live') return null;
  const fits =
    candidate.kind === plan.mode && candidate.origin === plan.origin && candidate.base === (base?.run ?? null);
  const age = effects.now().getTime() - Date.parse(candidate.startedAt);
  return fits && age <= RESUME_WITHIN_MS ? candidate : null;
}

/** Starts a new run and writes its log. */
export async function startRun(
  plan: LivePlan,
  base: Base | null,
  facts: Pick<FetchLog, 'dataTimestamp' | 'window'>,
  effects: Effects,
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
    dataTimestamp: facts.dataTimestamp,
    dataMoved: false,
    expectedRecords: null,
    window: facts.window,
    files: [],
    leftOut: [],
  };
  await writeFetchLog(plan.dataDir, log);
  return log;
}

/** Keeps one answer as received, then books it; a kill between the two leaves a file that the next run writes over. */
export async function storePage(
  plan: LivePlan,
  log: FetchLog,
  page: { answer: Answer<unknown>; format: RawFormat; records: number; position: string | null },
  effects: Effects,
): Promise<void> {
  const ordinal = log.files.length + 1;
  const suffix = page.format === 'ctgov-page' ? 'json' : 'xml';
  const name = `page-${String(ordinal).padStart(6, '0')}.${suffix}.gz`;
  const { body, url, receivedAt } = page.answer;
  await replaceFile(join(runDirectory(plan.dataDir, log), name), await gzipAsync(body, { level: 6 }));
  log.files.push({
    name,
    wrapping: 'gzip',
    format: page.format,
    sha256: createHash('sha256').update(body).digest('hex'),
    bytes: body.length,
    records: page.records,
    url,
    receivedAt,
    position: page.position,
  });
  await writeFetchLog(plan.dataDir, log);
  const done = recordsHeld(log);
  effects.progress({ stage: 'fetch', label: plan.registry, done, total: log.expectedRecords, unit: 'records' });
  effects.checkpoint(`fetch:${plan.registry}:page:${ordinal}`);
}

/** Marks the set as whole; from here on later stages read it. */
export async function completeRun(plan: LivePlan, log: FetchLog, effects: Effects): Promise<FetchLog> {
  log.state = 'complete';
  log.finishedAt = effects.now().toISOString();
  await writeFetchLog(plan.dataDir, log);
  return log;
}

/** Records in the files that a fetch log has so far. */
export function recordsHeld(log: FetchLog): number {
  return log.files.reduce((sum, file) => sum + file.records, 0);
}

/**
 * What an incremental run lies on. The day asked from is the newest day that the sets at hand are known to cover, less one:
 * for a live set the registry's own data time (else its start), for a dump the newest update that stands in its records.
 * SourceFault `incomplete-set` when there is no full set or it states no update.
 */
async function baseOf(plan: LivePlan): Promise<Base> {
  const sets = await rawSetsOf(plan.dataDir, plan.registry);
  if (!sets) {
    throw new SourceFault(
      plan.registry,
      'incomplete-set',
      `there is no complete full set of ${plan.registry}; run a full fetch first`,
    );
  }
  let newest = '';
  for (const log of [sets.full, ...sets.increments]) {
    const day =
      log.source === 'live' ? (log.dataTimestamp ?? log.startedAt).slice(0, 10) : await newestUpdate(plan, log);
    if (day > newest) newest = day;
  }
  const time = Date.parse(`${newest}T00:00:00Z`);
  if (Number.isNaN(time)) {
    throw new SourceFault(
      plan.registry,
      'incomplete-set',
      `${sets.full.run} states no date of its data; run a full fetch`,
    );
  }
  return { run: sets.full.run, from: new Date(time - DAY_MS).toISOString().slice(0, 10) };
}

const UPDATE: Record<RegistryId, { mark: Buffer; pattern: RegExp }> = {
  clinicaltrials_gov: {
    mark: Buffer.from('"lastUpdatePostDateStruct"'),
    pattern: /^"lastUpdatePostDateStruct"\s*:\s*\{[^{}]{0,200}?"date"\s*:\s*"(\d{4}-\d{2}-\d{2})"/,
  },
  isrctn: { mark: Buffer.from('lastUpdated='), pattern: /^lastUpdated=["'](\d{4}-\d{2}-\d{2})T/ },
};

async function newestUpdate(plan: LivePlan, log: FetchLog): Promise<string> {
  const { mark, pattern } = UPDATE[plan.registry];
  let newest = '';
  for await (const record of readRawSet(plan.dataDir, log)) {
    const at = record.ok ? record.payload.indexOf(mark) : -1;
    if (!record.ok || at === -1) continue;
    const day = pattern.exec(record.payload.toString('latin1', at, at + 400))?.[1];
    if (day !== undefined && day > newest) newest = day;
  }
  return newest;
}
