import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../effects.ts';
import { replaceFile } from './files.ts';
import type { Answer } from './http-client.ts';
import { type RawFormat, type RawLedger, SourceFault } from './ledger.ts';
import { createRun, rawSetsOf, readLedgers, runDirectory, writeLedger } from './ledger-store.ts';
import { readRawSet } from './read-raw-set.ts';

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

/** The unfinished run of the same mode, origin and base that is young enough to go on with; null when there is none. */
export async function resumableRun(plan: LivePlan, base: Base | null, effects: Effects): Promise<RawLedger | null> {
  const candidate = (await readLedgers(plan.dataDir, plan.registry)).at(-1);
  if (candidate?.state !== 'open' || candidate.source !== 'live') return null;
  const fits =
    candidate.kind === plan.mode && candidate.origin === plan.origin && candidate.base === (base?.run ?? null);
  const age = effects.now().getTime() - Date.parse(candidate.startedAt);
  return fits && age <= RESUME_WITHIN_MS ? candidate : null;
}

/** Starts a new run and writes its ledger. */
export async function startRun(
  plan: LivePlan,
  base: Base | null,
  facts: Pick<RawLedger, 'dataTimestamp' | 'window'>,
  effects: Effects,
): Promise<RawLedger> {
  const now = effects.now();
  const ledger: RawLedger = {
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
  await writeLedger(plan.dataDir, ledger);
  return ledger;
}

/** Keeps one answer as received, then books it; a kill between the two leaves a file that the next run writes over. */
export async function storePage(
  plan: LivePlan,
  ledger: RawLedger,
  page: { answer: Answer<unknown>; format: RawFormat; records: number; position: string | null },
  effects: Effects,
): Promise<void> {
  const ordinal = ledger.files.length + 1;
  const suffix = page.format === 'ctgov-page' ? 'json' : 'xml';
  const name = `page-${String(ordinal).padStart(6, '0')}.${suffix}.gz`;
  const { body, url, receivedAt } = page.answer;
  await replaceFile(join(runDirectory(plan.dataDir, ledger), name), await gzipAsync(body, { level: 6 }));
  ledger.files.push({
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
  await writeLedger(plan.dataDir, ledger);
  const done = recordsHeld(ledger);
  effects.progress({ stage: 'fetch', label: plan.registry, done, total: ledger.expectedRecords, unit: 'records' });
  effects.checkpoint(`fetch:${plan.registry}:page:${ordinal}`);
}

/** Marks the set as whole; from here on later stages read it. */
export async function completeRun(plan: LivePlan, ledger: RawLedger, effects: Effects): Promise<RawLedger> {
  ledger.state = 'complete';
  ledger.finishedAt = effects.now().toISOString();
  await writeLedger(plan.dataDir, ledger);
  return ledger;
}

/** Records in the files that a ledger has so far. */
export function recordsHeld(ledger: RawLedger): number {
  return ledger.files.reduce((sum, file) => sum + file.records, 0);
}

/**
 * What an incremental run lies on. The day asked from is the newest day that the sets at hand are known to cover, less one:
 * for a live set the registry's own data time (else its start), for a dump the newest update that stands in its records.
 * SourceFault `incomplete-set` when there is no full set or it states no update.
 */
export async function baseOf(plan: LivePlan): Promise<Base> {
  const sets = await rawSetsOf(plan.dataDir, plan.registry);
  if (!sets) {
    throw new SourceFault(
      plan.registry,
      'incomplete-set',
      `there is no complete full set of ${plan.registry}; run a full fetch first`,
    );
  }
  let newest = '';
  for (const ledger of [sets.full, ...sets.increments]) {
    const day =
      ledger.source === 'live'
        ? (ledger.dataTimestamp ?? ledger.startedAt).slice(0, 10)
        : await newestUpdate(plan, ledger);
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

async function newestUpdate(plan: LivePlan, ledger: RawLedger): Promise<string> {
  const { mark, pattern } = UPDATE[plan.registry];
  let newest = '';
  for await (const record of readRawSet(plan.dataDir, ledger)) {
    const at = record.ok ? record.payload.indexOf(mark) : -1;
    if (!record.ok || at === -1) continue;
    const day = pattern.exec(record.payload.toString('latin1', at, at + 400))?.[1];
    if (day !== undefined && day > newest) newest = day;
  }
  return newest;
}
