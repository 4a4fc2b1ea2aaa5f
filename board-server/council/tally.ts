import { type DecisionRule, decisionRuleOf } from '../../contract/declared/council.ts';
import type { AmendmentKind, AmendmentState, VoteChoice } from '../../contract/ids.ts';
import { COUNCIL_DELIBERATION_MAX_DAYS } from '../../contract/limits/limits.ts';

/**
 * The arithmetic of the council: pure, in whole numbers, over times in microseconds. An amendment's standing grows with
 * each vote and exercise while it is open; what it comes to is then read from the clock.
 */

const HOUR_MICROS = 3_600_000_000;
const LIFE_MICROS = COUNCIL_DELIBERATION_MAX_DAYS * 24 * HOUR_MICROS;

/** What has been counted of one amendment. */
export interface Standing {
  kind: AmendmentKind;
  openedAt: number;
  ratify: number;
  reject: number;
  abstain: number;
  /** Agents other than the author that exercised it. */
  exercisingAgents: number;
  /** Time of the vote that made the quorum, and of the exercise that met its gate; null before. */
  quorumAt: number | null;
  exercisesAt: number | null;
}

/** How an amendment ends unless something more is counted before. */
export interface Closing {
  outcome: 'ratified' | 'rejected' | 'expired';
  /** From this instant on it is no longer open. */
  at: number;
}

export interface Gate {
  have: number;
  need: number;
  met: boolean;
  at: number | null;
}
export type Gates = Record<'window' | 'quorum' | 'exercises' | 'share', Gate>;

export function opened(kind: AmendmentKind, openedAt: number): Standing {
  const { exercisingAgents: need } = decisionRuleOf(kind);
  return {
    kind,
    openedAt,
    ratify: 0,
    reject: 0,
    abstain: 0,
    exercisingAgents: 0,
    quorumAt: null,
    exercisesAt: need === 0 ? openedAt : null,
  };
}

/** The standing with one more vote, by an agent that has not voted; the amendment must be open at that time. */
export function withVote(standing: Standing, vote: VoteChoice, at: number): Standing {
  const next = { ...standing, [vote]: standing[vote] + 1 };
  const isQuorum = votesOf(next) === decisionRuleOf(standing.kind).quorumVotes;
  return isQuorum ? { ...next, quorumAt: at } : next;
}

/** The standing with one more agent that exercised it, not the author; the amendment must be open at that time. */
export function withExercise(standing: Standing, at: number): Standing {
  const exercisingAgents = standing.exercisingAgents + 1;
  const isEnough = exercisingAgents === decisionRuleOf(standing.kind).exercisingAgents;
  return { ...standing, exercisingAgents, ...(isEnough ? { exercisesAt: at } : {}) };
}

/**
 * How an amendment ends. Exactly 48 hours are enough, exactly 14 days are too many: only what finds the amendment open
 * is counted, so a decision always falls before its expiry.
 */
export function closingOf(standing: Standing): Closing {
  const rule = decisionRuleOf(standing.kind);
  const { quorumAt, exercisesAt, ratify, reject } = standing;
  if (quorumAt === null || exercisesAt === null) return { outcome: 'expired', at: expiryOf(standing) };
  const at = Math.max(windowEnd(standing, rule), quorumAt, exercisesAt);
  return { outcome: rule.passes(ratify, reject) ? 'ratified' : 'rejected', at };
}

export function expiryOf({ openedAt }: Pick<Standing, 'openedAt'>): number {
  return openedAt + LIFE_MICROS;
}

/** `revertedAt` is the time at which a revert of it takes effect, null where none does. */
export function stateAt({ outcome, at }: Closing, revertedAt: number | null, now: number): AmendmentState {
  if (now < at) return 'deliberating';
  return outcome === 'ratified' && revertedAt !== null && revertedAt <= now ? 'reverted' : outcome;
}

export function gatesOf(standing: Standing, now: number): Gates {
  const rule = decisionRuleOf(standing.kind);
  const { openedAt, quorumAt, exercisesAt, ratify, reject } = standing;
  const windowAt = windowEnd(standing, rule);
  const closing = closingOf(standing);
  const need = rule.ratifyNeeded(ratify + reject);
  return {
    window: {
      have: Math.floor(Math.max(0, Math.min(now, expiryOf(standing)) - openedAt) / HOUR_MICROS),
      need: rule.windowHours,
      met: now >= windowAt,
      at: windowAt,
    },
    quorum: { have: votesOf(standing), need: rule.quorumVotes, met: quorumAt !== null, at: quorumAt },
    exercises: {
      have: standing.exercisingAgents,
      need: rule.exercisingAgents,
      met: exercisesAt !== null,
      at: exercisesAt,
    },
    share: {
      have: ratify,
      need,
      met: rule.passes(ratify, reject),
      at: closing.outcome === 'ratified' && now >= closing.at ? closing.at : null,
    },
  };
}

function windowEnd({ openedAt }: Standing, { windowHours }: DecisionRule): number {
  return openedAt + windowHours * HOUR_MICROS;
}

function votesOf({ ratify, reject, abstain }: Standing): number {
  return ratify + reject + abstain;
}
