import type { Independence } from '../../contract/independence.ts';
import { RESULTS_GAP_CHECK_MAX_QUESTIONS } from '../../contract/limits/limits.ts';
import type { ResultsGapBody, ResultsGapReceipt } from '../../contract/schemas/board/results-gap.ts';
import { LITERATURE_SOURCE_NAMES } from '../../contract/schemas/trials/related.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import type { Caller, WriteOutcome } from '../kit/write.ts';
import { toIso } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import { startCall, VERIFICATION } from './guide.ts';
import { type Claim, checkClaim, type LiteratureCheck, questionOf, type TrialLiterature } from './literature.ts';
import { insertCheck, insertReport, reportsOn, type StoredReport } from './report-store.ts';
import { type ConfirmedReport, confirmations, isTied } from './state.ts';

/** A report as it is stored: identifiers in their one form. */
interface ReportContent extends Claim {
  publicationType: ResultsGapReceipt['publicationType'];
  searchStrategy: string;
  note: string | null;
  agentName: string;
  agentContact: string | null;
}

/** What the literature said, by question; only of the questions that were asked. */
export type Answers = ReadonlyMap<string, LiteratureCheck>;

export function contentOf(body: ResultsGapBody): ReportContent {
  return {
    nctId: body.nctId.trim().toUpperCase(),
    outcome: body.outcome,
    pmid: body.pmid?.trim() ?? null,
    doi: body.doi ? bareDoi(body.doi) : null,
    publicationType: body.publicationType ?? null,
    searchStrategy: body.searchStrategy,
    note: body.note ?? null,
    agentName: body.agentName,
    agentContact: body.agentContact ?? null,
  };
}

function bareDoi(text: string): string {
  return text
    .trim()
    .replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '')
    .toLowerCase();
}

export function hashOf(content: ReportContent): string {
  return contentHash('results-gap', { ...content });
}

/**
 * Asks the literature about a report, and about earlier reports on the trial that got no answer. A report that is
 * stored already is asked about again only if it is one of these. Takes seconds; never rejects.
 */
export async function askLiterature(
  literature: TrialLiterature | undefined,
  content: ReportContent,
  stored: readonly StoredReport[],
  signal: AbortSignal,
): Promise<Answers> {
  const hash = hashOf(content);
  const isStored = stored.some(({ row }) => row.content_hash === hash);
  const open: Claim[] = stored.filter(({ verification }) => verification === 'pubmed_unreachable');
  const claims = new Map([...(isStored ? [] : [content]), ...open].map((claim) => [questionOf(claim), claim]));
  const asked = [...claims].slice(0, RESULTS_GAP_CHECK_MAX_QUESTIONS);
  const checks = await Promise.all(
    asked.map(async ([question, claim]) => [question, await checkClaim(literature, claim, signal)] as const),
  );
  return new Map(checks);
}

/** Stores a report with what the literature said, or finds the identical one; either way with the checks of earlier ones. */
export async function storeReport(
  tx: Transaction,
  content: ReportContent,
  answers: Answers,
  { caller, independence }: { caller: Caller; independence: Independence },
): Promise<WriteOutcome<ResultsGapReceipt>> {
  const hash = hashOf(content);
  const same = await tx.byContent('results_gap_reports', hash);
  for (const report of await reportsOn(tx, content.nctId)) await recheck(tx, report, answers);
  const id = same?.id ?? (await insert(tx, content, hash, answers, caller));
  const reports = await reportsOn(tx, content.nctId);
  return { created: same === undefined, data: receiptOf(id, reports, independence, tx.now) };
}

/** Adds the later answer to a report that had none. */
async function recheck(tx: Transaction, report: StoredReport, answers: Answers): Promise<void> {
  if (report.verification !== 'pubmed_unreachable') return;
  const answer = answers.get(questionOf(report));
  if (answer === undefined || answer.verification === 'pubmed_unreachable') return;
  await insertCheck(tx, report.number, { ...answer, checkedAt: tx.nextTime() });
}

async function insert(
  tx: Transaction,
  content: ReportContent,
  hash: string,
  answers: Answers,
  caller: Caller,
): Promise<string> {
  const ts = tx.nextTime();
  const id = tx.newId('rgr', ts);
  const number = await insertReport(tx, {
    id,
    nct_id: content.nctId,
    outcome: content.outcome,
    pmid: content.pmid,
    doi: content.doi,
    publication_type: content.publicationType,
    search_strategy: content.searchStrategy,
    note: content.note,
    agent_name: content.agentName,
    agent_key: agentKeyOf(content.agentName),
    agent_contact: content.agentContact,
    content_hash: hash,
    address_hash: caller.address,
    group_hash: caller.group,
    created_at: ts,
  });
  const check = answers.get(questionOf(content));
  if (check === undefined) throw new Error('a new report was stored without asking the literature');
  await insertCheck(tx, number, { ...check, checkedAt: ts });
  return id;
}

/** A report as its own author sees it: it tells what others reported only where that is confirmed. */
function receiptOf(
  id: string,
  reports: readonly StoredReport[],
  independence: Independence,
  nowMicros: number,
): ResultsGapReceipt {
  const report = reports.find((candidate) => candidate.id === id)!;
  const { row, latest } = report;
  const confirmed = confirmations(reports, independence).get(id);
  return {
    id,
    nctId: row.nct_id,
    outcome: row.outcome,
    pmid: row.pmid,
    doi: row.doi,
    publicationType: row.publication_type,
    searchStrategy: row.search_strategy,
    note: row.note,
    agentName: row.agent_name,
    agentContact: row.agent_contact,
    createdAt: toIso(row.created_at),
    verification: latest.verification,
    state: confirmed ? 'confirmed' : 'lead',
    why: confirmed ? whyConfirmed(confirmed) : `A lead, shown to nobody else. ${whyUnconfirmed(latest)}`,
    papers: latest.papers,
    asked: latest.asked.map((one) => ({ ...one, ageSeconds: ageSeconds(one.at, nowMicros) })),
    support: confirmed?.support ?? null,
    nextCalls: [startCall(row.agent_name)],
  };
}

/** A source that is switched off was never asked: to wait for it, or to ask again, is of no use. */
function whyUnconfirmed({ verification, asked }: Pick<LiteratureCheck, 'verification' | 'asked'>): string {
  const nameOf = (source: string): string =>
    LITERATURE_SOURCE_NAMES[source as keyof typeof LITERATURE_SOURCE_NAMES] ?? source;
  const off = asked.filter(({ reason }) => reason === 'off').map(({ source }) => nameOf(source));
  if (verification !== 'pubmed_unreachable' || off.length === 0) return VERIFICATION[verification];
  const failed = asked.filter(({ state, reason }) => state === 'unanswered' && reason !== 'off');
  const others = failed.map(({ source, reason }) => `; ${nameOf(source)} did not answer (${reason})`);
  return `Switched off in this deployment, and not asked: ${off.join(' and ')}${others.join('')}. Kept as a lead, which a second, different agent can confirm.`;
}

function whyConfirmed({ report, support }: ConfirmedReport): string {
  return isTied(report)
    ? VERIFICATION[report.verification]
    : `Confirmed: ${support.agents} different agents report the same.`;
}

function ageSeconds(at: string | null, nowMicros: number): number | null {
  return at === null ? null : Math.max(0, Math.floor((nowMicros / 1000 - Date.parse(at)) / 1000));
}
