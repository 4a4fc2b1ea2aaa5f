import type { RegistryId } from '../../contract/ids.ts';
import type { FetchLog, RawRecord } from '../../pipeline/raw/fetch-log.ts';

/** The fetch log of a complete full dump without files. */
export function fetchLog(registry: RegistryId, run: string, more: Partial<FetchLog> = {}): FetchLog {
  return {
    formatVersion: 1,
    registry,
    run,
    kind: 'full',
    source: 'dump',
    state: 'complete',
    base: null,
    startedAt: '2026-11-20T03:00:00Z',
    finishedAt: '2026-11-20T04:00:00Z',
    origin: 'test',
    dataTimestamp: null,
    dataMoved: false,
    expectedRecords: null,
    window: null,
    files: [],
    leftOut: [],
    ...more,
  };
}

/** An NCT number that the registry could have issued: those are multiples of 13. */
export function nct(number: number): string {
  return `NCT${String(number * 13).padStart(8, '0')}`;
}

/** The JSON of a study of that number; `more` are further modules. */
export function study(number: number, title: string, updated: string | null, more: object = {}): string {
  const identificationModule = { nctId: nct(number), briefTitle: title };
  const statusModule = updated === null ? {} : { lastUpdatePostDateStruct: { date: updated } };
  return JSON.stringify({ protocolSection: { identificationModule, statusModule, ...more } });
}

/** Readers of raw sets that are held in memory, by name of the run. */
export function readersOf(payloads: Record<string, readonly string[]>) {
  return {
    async *readRawSet(_dataDir: string, { registry, run }: FetchLog): AsyncGenerator<RawRecord> {
      for (const text of payloads[run] ?? [])
        yield { ok: true, registry, payload: Buffer.from(text), file: `${run}.gz`, receivedAt: '2026-11-20T03:30:00Z' };
    },
  };
}
