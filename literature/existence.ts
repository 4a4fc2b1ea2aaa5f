import { LITERATURE_SOURCES } from './paper.ts';
import type { Outcome } from './questions.ts';
import { type AskedSource, askedOf } from './verification.ts';

/** Whether a paper exists, as the sources say, and how they describe it. It says nothing about what the paper holds. */
export interface PaperAnswer {
  /** `unreachable` is no answer: never that there is no such paper. */
  state: 'found' | 'not_found' | 'unreachable';
  /** These are null unless it was found, and where the source does not say. */
  title: string | null;
  year: number | null;
  journal: string | null;
  pmid: string | null;
  doi: string | null;
  retracted: boolean | null;
  asked: AskedSource[];
}

const NOTHING = { title: null, year: null, journal: null, pmid: null, doi: null, retracted: null };

/** One source that has the paper is enough; that it does not exist takes an answer of PubMed and of all who were asked. */
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
