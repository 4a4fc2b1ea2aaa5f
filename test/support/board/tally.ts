import {
  type Closing,
  closingOf,
  type Gates,
  gatesOf,
  opened,
  type Standing,
  stateAt,
  withExercise,
  withVote,
} from '../../../board-server/council/tally.ts';
import type { AmendmentKind, AmendmentState, VoteChoice } from '../../../contract/ids.ts';

/** A vote or an exercise as it came; `agent` is the folded name. */
interface CouncilEvent {
  at: number;
  agent: string;
  vote?: VoteChoice;
}

export interface Tally extends Closing {
  standing: Standing;
  state: AmendmentState;
  /** Null while votes or exercises are too few, and if the amendment expired. */
  decidesAt: number | null;
  gates: Gates;
}

/**
 * The tally of all votes and exercises, in any order. Counts events up to `now` that come while the amendment is open:
 * of each agent the first vote and the first exercise, but no exercise of the author.
 */
export function tally(input: {
  kind: AmendmentKind;
  openedAt: number;
  author: string;
  votes: readonly (CouncilEvent & { vote: VoteChoice })[];
  exercises: readonly CouncilEvent[];
  now: number;
}): Tally {
  const { kind, openedAt, author, votes, exercises, now } = input;
  const events: CouncilEvent[] = [...votes, ...exercises].sort((a, b) => a.at - b.at);
  const seen = { votes: new Set<string>(), exercises: new Set([author]) };
  let standing = opened(kind, openedAt);
  for (const { at, agent, vote } of events) {
    if (at > now || at < openedAt || at >= closingOf(standing).at) continue;
    const agents = vote === undefined ? seen.exercises : seen.votes;
    if (agents.has(agent)) continue;
    agents.add(agent);
    standing = vote === undefined ? withExercise(standing, at) : withVote(standing, vote, at);
  }
  const closing = closingOf(standing);
  return {
    ...closing,
    standing,
    state: stateAt(closing, null, now),
    decidesAt: closing.outcome === 'expired' ? null : closing.at,
    gates: gatesOf(standing, now),
  };
}
