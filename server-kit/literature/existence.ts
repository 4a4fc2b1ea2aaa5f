import { LITERATURE_SOURCES } from './paper.ts';
import type { Outcome } from './questions.ts';
import { type AskedSource, askedOf } from './verification.ts';

/** Whether a paper exists according to the sources, and how they describe it; nothing about its content. */
export interface PaperAnswer {
  /** `unreachable` means that the question is open, never that there is no such paper. */
  state: 'found' | 'not_found' | 'unreachable';
  /** This and the next five are null unless the paper was found and the source states them. */
  title: string | null;
  year: number | null;
  journal: string | null;
  pmid: string | null;
  doi: string | null;
  retracted: boolean | null;
  asked: AskedSource[];
}

const NOTHING = { title: null, year: null, journal: null, pmid: null, doi: null, retracted: null };

/** The paper exists if one source has it. It is not found only if PubMed and every other asked source answered without it. */
export function existenceOf(outcomes: readonly Outcome[], now: Date): PaperAnswer {
  const asked = LITERATURE_SOURCES.map((source) => askedOf(source, outcomes, now));
  const [paper] = outcomes.flatMap((outcome) => (outcome.state === 'answered' ? outcome.value.papers : []));
  if (paper !== undefined) {
    const { title, year, journal, pmid, doi, retracted } = paper;
    return { state: 'found', title, year, journal, pmid, doi, retracted, asked };
  }
  const hasPubmed = outcomes.some(({ source, state }) => source === 'pubmed' && state === 'answered');
  const isComplete = hasPubmed && outcomes.every(({ state }) => state !== 'unanswered');
  return { state: isComplete ? 'not_found' : 'unreachable', ...NOTHING, asked };
}
