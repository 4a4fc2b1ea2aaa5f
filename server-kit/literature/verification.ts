import type { VerificationClass } from '../../contract/ids.ts';
import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import { LITERATURE_SOURCES, type LiteratureSource, type MatchedBy, namedIn, type Paper } from './paper.ts';
import type { Found } from './pubmed.ts';

/** What came of one question. */
export type Outcome =
  /** `at`: when the answer was given; it may be a kept one. */
  | { state: 'answered'; source: LiteratureSource; value: Found; at: Date }
  | { state: 'unanswered'; source: LiteratureSource; reason: FaultReason }
  /** `off`: this deployment sends the source no request. */
  | { state: 'not_asked'; source: LiteratureSource; reason: 'off' };

/** A paper that names an identifier of a trial. A mention, not necessarily a result, and never a trial. */
export interface PaperMention extends Omit<Paper, 'accessions' | 'text'> {
  matchedIdentifier: string;
  matchedBy: MatchedBy;
}

/** The part of one source in an answer. */
export interface AskedSource {
  source: LiteratureSource;
  state: 'answered' | 'unanswered' | 'not_asked';
  /** When it answered, ISO 8601; the answer may be a kept one. Null if it did not answer. */
  at: string | null;
  ageSeconds: number | null;
  /** Why there is no answer; null also where no question was left for the source. */
  reason: FaultReason | null;
}

export interface Verification {
  class: VerificationClass;
  /** The papers that name the trial. An empty list means none only under `pubmed_none` and `unverified`. */
  papers: PaperMention[];
  asked: AskedSource[];
}

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

/**
 * A paper under the identifier that it names. `unseen` is the match to record where its received text does not show the identifier;
 * null leaves such a paper out.
 */
export function mentionOf(paper: Paper, matchedIdentifier: string, unseen: 'methods' | null): PaperMention | null {
  const matchedBy = namedIn(paper, matchedIdentifier) ?? unseen;
  if (matchedBy === null) return null;
  const { accessions: _accessions, text: _text, ...shown } = paper;
  return { ...shown, matchedIdentifier, matchedBy };
}

/** The papers of an answered question. */
export function papersOf(outcome: Outcome): Paper[] {
  return outcome.state === 'answered' ? outcome.value.papers : [];
}

/** Whether there is none of what no source found: that needs an answer of PubMed and of every other source that was asked. */
function isNone(outcomes: readonly Outcome[]): boolean {
  const hasPubmed = outcomes.some(({ source, state }) => source === 'pubmed' && state === 'answered');
  return hasPubmed && outcomes.every(({ state }) => state !== 'unanswered');
}

/** The class of the papers found; one source is enough for a paper. */
export function classOf(
  papers: readonly PaperMention[],
  outcomes: readonly Outcome[],
  claimsPaper: boolean,
): VerificationClass {
  if (papers.length > 0) {
    if (!claimsPaper) return 'pubmed_links_exist';
    return papers.some(({ matchedBy }) => matchedBy === 'databank') ? 'registry_linked' : 'abstract_mentions';
  }
  if (!isNone(outcomes)) return 'pubmed_unreachable';
  return claimsPaper ? 'unverified' : 'pubmed_none';
}

export function paperAnswer(outcomes: readonly Outcome[], now: Date): PaperAnswer {
  const asked = LITERATURE_SOURCES.map((source) => askedOf(source, outcomes, now));
  const [paper] = outcomes.flatMap(papersOf);
  if (paper === undefined) {
    const nothing = { title: null, year: null, journal: null, pmid: null, doi: null, retracted: null };
    return { state: isNone(outcomes) ? 'not_found' : 'unreachable', ...nothing, asked };
  }
  const { title, year, journal, pmid, doi, retracted } = paper;
  return { state: 'found', title, year, journal, pmid, doi, retracted, asked };
}

/** Combines the outcomes of one source: unanswered if any question was, and as old as the oldest answer. */
export function askedOf(source: LiteratureSource, outcomes: readonly Outcome[], now: Date): AskedSource {
  const own = outcomes.filter((outcome) => outcome.source === source);
  const failed = own.find((outcome) => outcome.state === 'unanswered');
  if (failed !== undefined) return { source, state: 'unanswered', at: null, ageSeconds: null, reason: failed.reason };
  const times = own.flatMap((outcome) => (outcome.state === 'answered' ? [outcome.at.getTime()] : []));
  const off = own.some(({ state }) => state === 'not_asked');
  if (times.length === 0) return { source, state: 'not_asked', at: null, ageSeconds: null, reason: off ? 'off' : null };
  const oldest = Math.min(...times);
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - oldest) / 1000));
  return { source, state: 'answered', at: new Date(oldest).toISOString(), ageSeconds, reason: null };
}
