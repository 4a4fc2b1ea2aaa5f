import type { ResultsGapOutcome, VerificationClass } from '../../contract/ids.ts';
import { RESULTS_GAP_CHECK_SECONDS, RESULTS_GAP_PAPERS_MAX_ITEMS } from '../../contract/limits/limits.ts';
import type { ResultsGapPaper } from '../../contract/schemas/board/results-gap.ts';
import type { Literature } from '../../server-kit/literature/client.ts';
import type { AskedSource } from './state.ts';

/** The one call that this work makes to the literature: what ties a trial to one paper, or to any. */
export type TrialLiterature = Pick<Literature, 'checkTrial'>;

/** What is asked about one report. */
export interface Claim {
  nctId: string;
  outcome: ResultsGapOutcome;
  pmid: string | null;
  doi: string | null;
}

export interface LiteratureCheck {
  verification: VerificationClass;
  papers: ResultsGapPaper[];
  asked: AskedSource[];
}

const CLASSES: Record<ResultsGapOutcome, readonly VerificationClass[]> = {
  publication: ['registry_linked', 'abstract_mentions', 'unverified', 'pubmed_unreachable'],
  searched_none: ['pubmed_links_exist', 'pubmed_none', 'pubmed_unreachable'],
};

const UNREACHABLE: LiteratureCheck = { verification: 'pubmed_unreachable', papers: [], asked: [] };

/** Equal for two claims that the same question answers. */
export function questionOf({ nctId, pmid, doi }: Claim): string {
  return `${nctId} ${pmid ?? ''} ${doi ?? ''}`;
}

/** Asks the literature within its seconds. Never rejects: whatever is no answer is `pubmed_unreachable`, never none. */
export async function checkClaim(
  literature: TrialLiterature | undefined,
  claim: Claim,
  signal: AbortSignal,
): Promise<LiteratureCheck> {
  if (literature === undefined) return UNREACHABLE;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(RESULTS_GAP_CHECK_SECONDS * 1000)]);
  const paper = claim.outcome === 'publication' ? { pmid: claim.pmid, doi: claim.doi } : {};
  try {
    const {
      class: verification,
      papers,
      asked,
    } = await Promise.race([literature.checkTrial(claim.nctId, paper, deadline), aborted(deadline)]);
    if (!CLASSES[claim.outcome].includes(verification)) return UNREACHABLE;
    return {
      verification,
      papers: papers
        .slice(0, RESULTS_GAP_PAPERS_MAX_ITEMS)
        .map(({ pmid, doi, title }) => ({ pmid, doi, title: title || null })),
      asked: asked.map(({ source, state, at, reason }) => ({ source, state, at, reason })),
    };
  } catch {
    return UNREACHABLE;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
