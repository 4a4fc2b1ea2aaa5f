import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Effects, ProgressEvent } from '../../pipeline/effects.ts';
import type { FetchLog, RawRecord } from '../../pipeline/raw/fetch-log.ts';
import type { LiveFetch } from '../../pipeline/raw/live-run.ts';
import { readRawSet } from '../../pipeline/raw/read-raw-set.ts';

/** Effects with a clock that stands still until the test moves it, and a checkpoint that can throw. */
export interface TestEffects extends Effects {
  time: Date;
  /** The checkpoint that throws; null for none. */
  killAt: string | null;
  checkpoints: string[];
  events: ProgressEvent[];
}

/** Effects for tests; the clock stands at 2026-11-21T03:15:00Z. */
export function testEffects(): TestEffects {
  const effects: TestEffects = {
    time: new Date('2026-11-21T03:15:00.000Z'),
    killAt: null,
    checkpoints: [],
    events: [],
    now: () => new Date(effects.time),
    progress: (event) => effects.events.push(event),
    checkpoint: (name) => {
      effects.checkpoints.push(name);
      if (name === effects.killAt) throw new Error(`killed at ${name}`);
    },
  };
  return effects;
}

/** A new directory under the system's temporary one, removed at the end of its scope. */
export async function temporaryDirectory(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'raw-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

export interface Scene<Fetch, Registry> extends AsyncDisposable {
  registry: Registry;
  dataDir: string;
  effects: TestEffects;
  /** Milliseconds of each wait that the fetcher asked for; it never really waits. */
  waits: number[];
  fetch(options?: Partial<Fetch>): Promise<FetchLog>;
}

/** A fake registry, an empty data directory, and a full fetch with the `defaults` of the test. */
export async function liveScene<Fetch extends LiveFetch, Registry extends { url: string; close(): Promise<void> }>(
  registry: Registry,
  fetcher: (fetch: Fetch, effects: Effects) => Promise<FetchLog>,
  defaults: Omit<Fetch, keyof LiveFetch>,
): Promise<Scene<Fetch, Registry>> {
  const directory = await temporaryDirectory();
  const dataDir = directory.path;
  const effects = testEffects();
  const waits: number[] = [];
  const delay = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
  const live: LiveFetch = { baseUrl: registry.url, dataDir, mode: 'full', rate: 1000, delay };
  return {
    registry,
    dataDir,
    effects,
    waits,
    fetch: (options) => fetcher({ ...live, ...defaults, ...options } as Fetch, effects),
    [Symbol.asyncDispose]: async () => {
      await registry.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Every record of a set. */
export async function recordsOf(dataDir: string, log: FetchLog): Promise<RawRecord[]> {
  const records: RawRecord[] = [];
  for await (const record of readRawSet(dataDir, log)) records.push(record);
  return records;
}

/** Payloads of the valid records and `reason: detail` of the others. */
export async function payloadsOf(dataDir: string, log: FetchLog): Promise<string[]> {
  const records = await recordsOf(dataDir, log);
  return records.map((record) => (record.ok ? record.payload.toString('utf8') : `${record.reason}: ${record.detail}`));
}

/** A minimal study in the registry's shape. */
export function studyOf(ordinal: number, updated = '2026-10-01'): object {
  const nctId = `NCT${String(ordinal).padStart(8, '0')}`;
  return {
    protocolSection: {
      identificationModule: { nctId, briefTitle: `Study "${ordinal}" of {brackets} and \\ slashes \u00e9` },
      statusModule: { overallStatus: 'COMPLETED', lastUpdatePostDateStruct: { date: updated, type: 'ACTUAL' } },
    },
    hasResults: false,
  };
}

/** A minimal fullTrial in the registry's shape. */
export function trialOf(ordinal: number, lastUpdated: string): { xml: string; lastUpdated: string } {
  const id = String(10_000_000 + ordinal);
  const xml = `<fullTrial><trial lastUpdated="${lastUpdated}" version="1"><isrctn>${id}</isrctn><trialDescription><title>Trial ${ordinal} \u00e9</title></trialDescription></trial></fullTrial>`;
  return { xml, lastUpdated };
}

/** A zip archive; `store` leaves the entries uncompressed. */
export function zipOf(entries: Record<string, string>, store = false): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text);
    const data = store ? content : deflateRawSync(content);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(store ? 0 : 8, 4);
    fixed.writeUInt32LE(crc32(content), 10);
    fixed.writeUInt32LE(data.length, 14);
    fixed.writeUInt32LE(content.length, 18);
    fixed.writeUInt16LE(Buffer.byteLength(name), 22);
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, Buffer.from(name)]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), fixed, tail, Buffer.from(name));
    parts.push(header, data);
    offset += header.length + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(entries).length, 4);
  end.writeUInt16LE(Object.keys(entries).length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]);
}
