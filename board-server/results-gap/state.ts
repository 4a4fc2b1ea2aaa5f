import type { ResultsGapOutcome, ResultsGapPublicationType, VerificationClass } from '../../contract/ids.ts';
import type { Independence } from '../../contract/independence.ts';
import { areIndependent } from '../kit/independence.ts';

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
  /** Group of the address: what tells two voices apart beside the name. */
  group: string;
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
  groups: number;
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
export function confirmations(reports: readonly CheckedReport[], independence: Independence): Confirmations {
  const confirmed = new Map<string, ConfirmedReport>();
  for (const report of reports) {
    if (report.outcome !== 'publication') continue;
    const same = reports.filter((other) => other.outcome === 'publication' && namesSamePaper(report, other));
    const first = confirmedSince(report, same, independence);
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
  const since = agreedSince(answered, independence);
  if (since === null) return confirmed;
  for (const report of answered) confirmed.set(report.id, { report, support: supportOf(answered), confirmedAt: since });
  return confirmed;
}

/** Whether the literature itself ties the reported paper to the trial. */
export function isTied({ verification }: CheckedReport): boolean {
  return verification === 'registry_linked' || verification === 'abstract_mentions';
}

/** When a publication was confirmed: on arrival where the literature ties it, else by a second voice; null for a lead. */
function confirmedSince(
  report: CheckedReport,
  same: readonly CheckedReport[],
  independence: Independence,
): number | null {
  return isTied(report) ? report.checkedAt : agreedWith(report, same, independence);
}

/** When the check of the first report was stored that agrees with this one as another voice; null for none. */
function agreedWith(
  report: CheckedReport,
  reports: readonly CheckedReport[],
  independence: Independence,
): number | null {
  const others = reports.filter((other) => areIndependent(independence, report, other));
  if (others.length === 0) return null;
  return others.reduce(
    (first, { checkedAt }) => Math.min(first, Math.max(report.checkedAt, checkedAt)),
    Number.POSITIVE_INFINITY,
  );
}

/** When two of the reports were there that are two voices; null before. */
function agreedSince(reports: readonly CheckedReport[], independence: Independence): number | null {
  const times = reports.flatMap((report) => agreedWith(report, reports, independence) ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

function supportOf(reports: readonly CheckedReport[]): Support {
  return {
    agents: new Set(reports.map(({ agentKey }) => agentKey)).size,
    addresses: new Set(reports.map(({ addressHash }) => addressHash)).size,
    groups: new Set(reports.map(({ group }) => group)).size,
  };
}
