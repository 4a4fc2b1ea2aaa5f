import type { VerificationClass } from '../../contract/ids.ts';
import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import { type LiteratureSource, type MatchedBy, namedIn, type Paper } from './paper.ts';
import type { Outcome } from './questions.ts';

/** A paper that names an identifier of a trial. A mention, not necessarily a result, and never a trial. */
export interface PaperMention extends Omit<Paper, 'accessions' | 'text'> {
  matchedIdentifier: string;
  matchedBy: MatchedBy;
}

/** What was asked of one source for a verification. */
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

export function mentionOf(paper: Paper, matchedIdentifier: string, matchedBy: MatchedBy): PaperMention {
  const { accessions: _accessions, text: _text, ...shown } = paper;
  return { ...shown, matchedIdentifier, matchedBy };
}

/**
 * The papers of an answer that name the identifier. `unseen` is the match to record for a paper whose received text does
 * not show the identifier; null leaves such a paper out.
 */
export function mentionsIn(outcome: Outcome, identifier: string, unseen: 'methods' | null): PaperMention[] {
  if (outcome.state !== 'answered') return [];
  return outcome.value.papers.flatMap((paper) => {
    const matchedBy = namedIn(paper, identifier) ?? unseen;
    return matchedBy === null ? [] : [mentionOf(paper, identifier, matchedBy)];
  });
}

/**
 * The class of what was found. One source is enough for a paper; that nothing was found needs an answer of PubMed and of
 * every other source that was asked.
 */
export function classOf(
  papers: readonly PaperMention[],
  outcomes: readonly Outcome[],
  claimsPaper: boolean,
): VerificationClass {
  if (papers.length > 0) {
    if (!claimsPaper) return 'pubmed_links_exist';
    return papers.some(({ matchedBy }) => matchedBy === 'databank') ? 'registry_linked' : 'abstract_mentions';
  }
  const pubmed = outcomes.filter(({ source }) => source === 'pubmed');
  const allAnswered =
    pubmed.length > 0 &&
    pubmed.every(({ state }) => state === 'answered') &&
    outcomes.every(({ state }) => state !== 'unanswered');
  if (!allAnswered) return 'pubmed_unreachable';
  return claimsPaper ? 'unverified' : 'pubmed_none';
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
