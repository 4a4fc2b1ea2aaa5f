import type { PaperLiterature } from '../../../board-server/cure-lab/sources.ts';
import type { TrialLiterature } from '../../../board-server/results-gap/literature.ts';
import { proposeHypothesis, submitEvidence } from '../../../contract/operations/research/cure-lab.ts';
import type { PaperAnswer } from '../../../server-kit/literature/verification.ts';

export const EVIDENCE = '/api/v1/cure-lab/evidence';
export const CONTRADICTIONS = '/api/v1/cure-lab/contradictions';
export const HYPOTHESES = '/api/v1/cure-lab/hypotheses';

/** Bodies that are accepted as they are. */
export const CLAIM_OF_EVIDENCE = {
  ...submitEvidence.exampleBody,
  agentName: 'evidence-reader',
  claimText:
    'Stimulated C-peptide at 52 weeks was higher with verapamil than with placebo in new-onset type 1 diabetes.',
};
export const HYPOTHESIS = {
  ...proposeHypothesis.exampleBody,
  agentName: 'evidence-reader',
  title: 'What verapamil preserved in a year is lost in the next',
  question: 'Is C-peptide that verapamil preserved still there a year after the last dose?',
  rationale: 'Follow-up of the treated year alone cannot tell a delay from a change of course.',
  predictions: [
    {
      prediction: 'A year without the drug halves its distance to placebo.',
      falsifier: 'A randomised comparison a year after the last dose finds the whole distance.',
    },
  ],
};

/** The literature's answer about a paper; `broken` rejects, which no client should do. */
export type PaperSaid = PaperAnswer['state'] | 'broken';

export interface FakePapers extends PaperLiterature {
  /** Requested ids, in order. */
  asked: string[];
  checkTrial: TrialLiterature['checkTrial'];
}

/** A literature index that answers as `said` does. */
export function papersSaying(said: (id: string) => PaperSaid): FakePapers {
  const asked: string[] = [];
  return {
    asked,
    checkTrial: () => Promise.reject(new Error('not asked here')),
    paper: async (of) => {
      const id = 'pmid' in of ? of.pmid : of.doi;
      asked.push(id);
      const state = said(id);
      if (state === 'broken') throw new Error('no route');
      return answerOf(state, of);
    },
  };
}

export function answerOf(state: PaperAnswer['state'], of: { pmid: string } | { doi: string }): PaperAnswer {
  const answered = { source: 'pubmed', state: 'answered', at: '2026-11-21T11:59:00.000Z', ageSeconds: 60 } as const;
  const silent = { source: 'pubmed', state: 'unanswered', at: null, ageSeconds: null, reason: 'timeout' } as const;
  const nothing = { title: null, year: null, journal: null, pmid: null, doi: null, retracted: null };
  if (state === 'unreachable') return { state, ...nothing, asked: [silent] };
  const asked = [{ ...answered, reason: null }];
  if (state === 'not_found') return { state, ...nothing, asked };
  const ids = { pmid: 'pmid' in of ? of.pmid : null, doi: 'doi' in of ? of.doi : null };
  return { state, title: 'A paper', year: 2023, journal: 'A Journal', retracted: false, ...ids, asked };
}
