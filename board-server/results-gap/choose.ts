import type { ResultsGapMode } from '../../contract/ids.ts';
import { sha256 } from '../../server-kit/hashing.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import type { MatchMode, Population } from './population.ts';
import type { ReportLog, TrialStanding } from './report-log.ts';

export interface Choice {
  /** Null for a caller who gives no name. */
  agentName: string | null;
  topic: string | null;
  /** How the topic is read. */
  match: MatchMode;
  mode: ResultsGapMode;
  /** Latest completion day that is old enough, in days since 1970-01-01. */
  completedBy: number;
}

/**
 * The row of the population to look into next, or null where nothing matches. A name gets the same row until a report
 * changes it. Fresh: the first row without any report, beginning at a place that the hash of the name gives. Replicate:
 * of the trials with an open lead of another agent and without a report by this one, the first by a hash of name and
 * trial.
 */
export function chooseRow(population: Population, reportLog: ReportLog, choice: Choice): number | null {
  const agentKey = choice.agentName === null ? null : agentKeyOf(choice.agentName);
  return choice.mode === 'fresh'
    ? freshRow(population, reportLog, choice, agentKey)
    : leadRow(population, reportLog, choice, agentKey);
}

function freshRow(
  population: Population,
  reportLog: ReportLog,
  { topic, match, completedBy }: Choice,
  agentKey: string | null,
): number | null {
  const rows = population.rowsOf(topic, match);
  const start = rows.length === 0 ? 0 : hash32(agentKey ?? '') % rows.length;
  for (let step = 0; step < rows.length; step += 1) {
    const row = rows[(start + step) % rows.length] as number;
    if (!population.completedBy(row, completedBy)) continue;
    if (reportLog.standingOf(population.nctIdAt(row)) === undefined) return row;
  }
  return null;
}

function leadRow(
  population: Population,
  reportLog: ReportLog,
  { topic, match, completedBy }: Choice,
  agentKey: string | null,
): number | null {
  const seed = hash32(agentKey ?? '');
  let best: { row: number; hash: number } | null = null;
  for (const [nctId, standing] of reportLog.standings()) {
    if (!isForOther(standing, agentKey)) continue;
    const hash = continued(seed, nctId);
    if (best !== null && best.hash <= hash) continue;
    const row = population.rowOf(nctId);
    if (row === null || !population.completedBy(row, completedBy)) continue;
    if (topic !== null && !population.hasTopic(row, topic, match)) continue;
    best = { row, hash };
  }
  return best?.row ?? null;
}

/** Whether a lead waits for another agent and this one has not reported on the trial. */
function isForOther({ openLeads, reports }: TrialStanding, agentKey: string | null): boolean {
  return openLeads.length > 0 && reports.every((report) => report.agentKey !== agentKey);
}

/** The first 32 bits of a SHA-256. */
function hash32(text: string): number {
  return Number.parseInt(sha256(text).slice(0, 8), 16);
}

/**
 * The hash continued over a text, by FNV-1a and a last mixing. It is fast and spreads well, which is all that many
 * texts need.
 */
function continued(seed: number, text: string): number {
  let hash = seed;
  for (let place = 0; place < text.length; place += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01_00_01_93);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
