import type { ResultsGapOutcome, ResultsGapPublicationType, VerificationClass } from '../../contract/ids.ts';
import { RESULTS_GAP_CONFIRMING_AGENTS } from '../../contract/limits.ts';

/** What the state of a trial is computed from: a report with the latest class that the literature gave it. */
export interface CheckedReport {
  id: string;
  nctId: string;
  outcome: ResultsGapOutcome;
  pmid: string | null;
  doi: string | null;
  publicationType: ResultsGapPublicationType | null;
  /** Folded agentName: what tells two agents apart. */
  agentKey: string;
  addressHash: string;
  verification: VerificationClass;
  /** Place of its latest check among all checks: later is larger. */
  check: number;
  /** Microseconds: when its latest check was stored. */
  checkedAt: number;
}

/** What a source of literature answered for a check; `at` is null where it did not. */
export interface AskedSource {
  source: string;
  state: 'answered' | 'unanswered' | 'not_asked';
  at: string | null;
  reason: string | null;
}

export interface Support {
  agents: number;
  addresses: number;
}

export interface ConfirmedReport {
  report: CheckedReport;
  support: Support;
  /** Microseconds. */
  confirmedAt: number;
}

/** The confirmed reports of one trial, by report id; every other report is a lead. */
type Confirmations = ReadonlyMap<string, ConfirmedReport>;

/** Whether two reports name the same paper: one identifier in common, and none that contradicts it. */
function namesSamePaper(one: Pick<CheckedReport, 'pmid' | 'doi'>, other: Pick<CheckedReport, 'pmid' | 'doi'>): boolean {
  const pmids = one.pmid !== null && other.pmid !== null;
  const dois = one.doi !== null && other.doi !== null;
  if ((pmids && one.pmid !== other.pmid) || (dois && one.doi !== other.doi)) return false;
  return pmids || dois;
}

/** Computes, from all reports of one trial in the order in which they came, which are confirmed. */
export function confirmations(reports: readonly CheckedReport[]): Confirmations {
  const confirmed = new Map<string, ConfirmedReport>();
  for (const report of reports) {
    if (report.outcome !== 'publication') continue;
    const same = reports.filter((other) => other.outcome === 'publication' && namesSamePaper(report, other));
    const first = confirmedSince(report, same);
    if (first !== null) confirmed.set(report.id, { report, support: supportOf(same), confirmedAt: first });
  }
  if (confirmed.size > 0) return confirmed;
  const searched = reports.filter(({ outcome }) => outcome === 'searched_none');
  const answered = searched.filter(({ verification }) => verification !== 'pubmed_unreachable');
  const latest = answered.reduce<CheckedReport | null>(
    (last, one) => (last && last.check > one.check ? last : one),
    null,
  );
  if (latest?.verification !== 'pubmed_none') return confirmed;
  const since = agreedSince(answered);
  if (since === null) return confirmed;
  for (const report of answered) confirmed.set(report.id, { report, support: supportOf(answered), confirmedAt: since });
  return confirmed;
}

/** Whether the literature itself ties the reported paper to the trial. */
export function isTied({ verification }: CheckedReport): boolean {
  return verification === 'registry_linked' || verification === 'abstract_mentions';
}

/** When a publication was confirmed: on arrival where the literature ties it, else by the second agent; null for a lead. */
function confirmedSince(report: CheckedReport, same: readonly CheckedReport[]): number | null {
  if (isTied(report)) return report.checkedAt;
  const others = same.filter(({ agentKey }) => agentKey !== report.agentKey).map(({ checkedAt }) => checkedAt);
  return others.length === 0 ? null : Math.max(report.checkedAt, Math.min(...others));
}

/** When the second different agent was answered; null while there is only one. */
function agreedSince(reports: readonly CheckedReport[]): number | null {
  const firstOf = new Map<string, number>();
  for (const { agentKey, checkedAt } of reports) {
    firstOf.set(agentKey, Math.min(checkedAt, firstOf.get(agentKey) ?? checkedAt));
  }
  return [...firstOf.values()].sort((a, b) => a - b)[RESULTS_GAP_CONFIRMING_AGENTS - 1] ?? null;
}

function supportOf(reports: readonly CheckedReport[]): Support {
  return {
    agents: new Set(reports.map(({ agentKey }) => agentKey)).size,
    addresses: new Set(reports.map(({ addressHash }) => addressHash)).size,
  };
}
