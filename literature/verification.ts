import type { VerificationClass } from '../contract/ids.ts';
import type { FaultReason } from '../contract/schemas/related.ts';
import { type LiteratureSource, type MatchedBy, namedIn, type Paper } from './paper.ts';
import type { Outcome } from './questions.ts';

/** A paper that names an identifier of a trial. A mention, not necessarily a result, and never a trial. */
export interface PaperMention {
  pmid: string | null;
  doi: string | null;
  title: string;
  journal: string | null;
  year: number | null;
  openAccess: boolean | null;
  citations: number | null;
  source: LiteratureSource;
  matchedIdentifier: string;
  matchedBy: MatchedBy;
  isPreprint: boolean;
  retracted: boolean;
}

/** What was asked of one source for a verification. */
export interface AskedSource {
  source: LiteratureSource;
  state: 'answered' | 'unanswered' | 'not_asked';
  /** ISO 8601, when it answered; the answer may be a kept one. Null where it did not. */
  at: string | null;
  ageSeconds: number | null;
  reason: FaultReason | null;
}

export interface Verification {
  class: VerificationClass;
  /** The papers that tie the trial; empty is none only under `pubmed_none` and `unverified`. */
  papers: PaperMention[];
  asked: AskedSource[];
}

export function mentionOf(paper: Paper, matchedIdentifier: string, matchedBy: MatchedBy): PaperMention {
  const { accessions: _accessions, text: _text, ...shown } = paper;
  return { ...shown, matchedIdentifier, matchedBy };
}

/** The papers of an answer that name the identifier; `unseen` is how one does that shows it nowhere in what was read. */
export function mentionsIn(outcome: Outcome, identifier: string, unseen: 'methods' | null): PaperMention[] {
  if (outcome.state !== 'answered') return [];
  return outcome.value.papers.flatMap((paper) => {
    const matchedBy = namedIn(paper, identifier) ?? unseen;
    return matchedBy === null ? [] : [mentionOf(paper, identifier, matchedBy)];
  });
}

/**
 * The class of what was found. What a source says stands alone; that there is nothing takes an answer of PubMed and of
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

/** One source's outcomes as one: unanswered where any question was, as old as the oldest answer. */
export function askedOf(source: LiteratureSource, outcomes: readonly Outcome[], now: Date): AskedSource {
  const own = outcomes.filter((outcome) => outcome.source === source);
  const failed = own.find((outcome) => outcome.state === 'unanswered');
  if (failed !== undefined) return { source, state: 'unanswered', at: null, ageSeconds: null, reason: failed.reason };
  const times = own.flatMap((outcome) => (outcome.state === 'answered' ? [outcome.at.getTime()] : []));
  if (times.length === 0) return { source, state: 'not_asked', at: null, ageSeconds: null, reason: null };
  const oldest = Math.min(...times);
  const ageSeconds = Math.max(0, Math.floor((now.getTime() - oldest) / 1000));
  return { source, state: 'answered', at: new Date(oldest).toISOString(), ageSeconds, reason: null };
}
