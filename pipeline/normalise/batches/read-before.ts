import { hash } from 'node:crypto';
import type { RegistryId } from '../../../contract/ids.ts';
import type { FetchLog } from '../../raw/fetch-log.ts';
import type { Database } from '../../store/database.ts';
import { NORMALISER_VERSION } from '../record.ts';
import type { NormaliseReport, RegistryReport } from '../report.ts';

/** One raw set that a run has read to its end. */
export interface ReadLog {
  /** SHA-256 of the set's fetch log, which holds the SHA-256 of each of its files. */
  sha256: string;
  /** Newest update that counts for the as-of day; null when there is none. */
  newest: string | null;
}

/** The raw sets of a registry that a run has read, in their order. */
export interface ReadSets {
  registry: RegistryId;
  ledgers: ReadLog[];
}

/** What the last complete run read of a registry, and what it made of it. */
export interface ReadBefore {
  ledgers: ReadLog[];
  report: RegistryReport;
}

export function fetchLogSha256(log: FetchLog): string {
  return hash('sha256', JSON.stringify(log), 'hex');
}

/** What the last complete run read, by registry; nothing when another version of the normaliser read it. */
export async function loadReadBefore(database: Database): Promise<Map<RegistryId, ReadBefore>> {
  const found = new Map<RegistryId, ReadBefore>();
  const row = await database.one("SELECT inputs, report FROM stage_state WHERE stage = 'normalise'");
  if (row === null) return found;
  const inputs = JSON.parse(String(row.inputs)) as { normaliserVersion?: number; read?: ReadSets[] };
  if (inputs.normaliserVersion !== NORMALISER_VERSION) return found;
  const report = JSON.parse(String(row.report)) as NormaliseReport;
  for (const { registry, ledgers } of inputs.read ?? []) {
    const of = report.registries.find((entry) => entry.registry === registry);
    if (of?.state === 'answered') found.set(registry, { ledgers, report: of });
  }
  return found;
}

/**
 * True when the sets begin with all sets that were read before. Reading those again would keep the same records,
 * because each record is judged only against earlier ones. A fetch log without files proves nothing.
 */
export function continues(logs: readonly FetchLog[], before: readonly ReadLog[]): boolean {
  if (before.length === 0 || before.length > logs.length) return false;
  return before.every(({ sha256 }, place) => {
    const log = logs[place] as FetchLog;
    return log.files.length > 0 && fetchLogSha256(log) === sha256;
  });
}
