import type { EvidenceSource, SourceState } from '../../contract/declared/research.ts';
import { EVIDENCE_CHECK_SECONDS, EVIDENCE_RECHECK_HOURS } from '../../contract/limits/research.ts';
import type { EvidenceSourceShown } from '../../contract/schemas/research/cure-lab.ts';
import type { Literature } from '../../server-kit/literature/client.ts';
import { toIso } from '../store/instants.ts';
import type { SourceCheck, SourceStanding } from './evidence-check-store.ts';
import { aboutOf, kindOf } from './scopes.ts';

/** The one question that the cure lab asks of the literature: whether a paper exists. */
export type PaperLiterature = Pick<Literature, 'paper'>;

/** The indexes in which sources are looked up; one that is left out answers nothing. */
export interface SourceIndexes {
  literature?: Partial<PaperLiterature>;
  trialIds?: { readonly current: { has(id: string): boolean } | null };
}

const HOUR_MICROS = 3_600_000_000;

/** The one form of a source: its kind, a colon and its id. */
export function sourceKey(kind: EvidenceSource, id: string): string {
  const text = id.trim();
  if (kind === 'nctId') return `nctId:${text.toUpperCase()}`;
  return kind === 'pmid' ? `pmid:${text}` : `doi:${bareDoi(text)}`;
}

function bareDoi(text: string): string {
  return text.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '').toLowerCase();
}

function urlOf(kind: EvidenceSource, id: string): string {
  if (kind === 'nctId') return `https://clinicaltrials.gov/study/${id}`;
  return kind === 'pmid' ? `https://pubmed.ncbi.nlm.nih.gov/${id}/` : `https://doi.org/${encodeURI(id)}`;
}

/**
 * Asks whether a source exists. Takes seconds for a paper and no time for a registration; never rejects. Where no
 * answer came, the source is `unverified`, never `not_found`.
 */
export function checkSource(source: string, { literature, trialIds }: SourceIndexes, now: Date): Promise<SourceCheck> {
  const kind = kindOf(source);
  const id = aboutOf(source);
  if (kind === 'nctId') return Promise.resolve(checkTrial(id, trialIds?.current ?? null, now));
  return checkPaper(kind === 'pmid' ? { pmid: id } : { doi: id }, literature);
}

function checkTrial(id: string, ids: { has(id: string): boolean } | null, now: Date): SourceCheck {
  const source = 'trial-index';
  if (ids === null) {
    const asked = [{ source, state: 'unanswered' as const, at: null, reason: 'no snapshot is read' }];
    return { state: 'unverified', paper: null, asked };
  }
  const asked = [{ source, state: 'answered' as const, at: now.toISOString(), reason: null }];
  return { state: ids.has(id) ? 'verified' : 'not_found', paper: null, asked };
}

async function checkPaper(
  of: { pmid: string } | { doi: string },
  literature: Partial<PaperLiterature> | undefined,
): Promise<SourceCheck> {
  const unanswered: SourceCheck = { state: 'unverified', paper: null, asked: [] };
  if (literature?.paper === undefined) return unanswered;
  const deadline = AbortSignal.timeout(EVIDENCE_CHECK_SECONDS * 1000);
  try {
    const answer = await Promise.race([literature.paper(of, deadline), aborted(deadline)]);
    const asked = answer.asked.map(({ source, state, at, reason }) => ({ source, state, at, reason }));
    if (answer.state !== 'found') return { state: STATE_OF[answer.state], paper: null, asked };
    const { title, year, journal, pmid, doi, retracted } = answer;
    const paper = { title: title ?? '', year, journal, pmid, doi, retracted: retracted ?? false };
    return { state: 'verified', paper, asked };
  } catch {
    return unanswered;
  }
}

const STATE_OF = { not_found: 'not_found', unreachable: 'unverified' } as const;

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** What is known of a source: an answer holds until a later answer, even where nobody answered a check in between. */
export function stateOf({ answered }: SourceStanding): SourceState {
  return answered?.state ?? 'unverified';
}

/** When a source may be asked about again, in microseconds; 0 for one that never was. */
export function nextCheckFrom(standing: SourceStanding): number {
  const { newest } = standing;
  if (newest === undefined) return 0;
  // After a check without an answer the short interval holds, whatever was known before.
  return newest.checkedAt + EVIDENCE_RECHECK_HOURS[newest.state] * HOUR_MICROS;
}

export function isDue(standing: SourceStanding, nowMicros: number): boolean {
  return nextCheckFrom(standing) <= nowMicros;
}

export function presentSource(source: string, standing: SourceStanding): EvidenceSourceShown {
  const kind = kindOf(source);
  const id = aboutOf(source);
  const { answered } = standing;
  return {
    kind,
    id,
    url: urlOf(kind, id),
    state: stateOf(standing),
    checkedAt: answered === undefined ? null : toIso(answered.checkedAt),
    paper: answered?.paper ?? null,
  };
}
