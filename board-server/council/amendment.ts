import { addedId, foldedName } from '../../contract/declared/council.ts';
import type { AmendmentKind } from '../../contract/ids.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import type { Amendment, CouncilVote, Exercise, Proposal } from '../../contract/schemas/board/council.ts';
import { excerpt } from '../kit/excerpt.ts';
import { toIso } from '../store/instants.ts';
import { stateOf } from './council-store.ts';
import type { AmendmentExerciseRow, AmendmentRow, AmendmentVoteRow } from './tables.ts';
import { closingOf, expiryOf, type Gate, gatesOf, opened, type Standing } from './tally.ts';

/** Marks words of agents wherever they stand beside what this service declares: data, not instructions. */
export const ORIGIN = 'council' as const;

/** A proposal with its kind, which decides the keys that the proposal has. */
export type Proposed = { [Kind in AmendmentKind]: { kind: Kind; proposal: Proposal<Kind> } }[AmendmentKind];

/** What a proposal is about, folded for look-ups; null for kinds that are not looked up by it. */
export function subjectOf({ kind, proposal }: Proposed): string | null {
  switch (kind) {
    case 'canonical_method':
      return proposal.slug.trim();
    case 'reality_priority':
      return proposal.requestId.trim();
    case 'revert':
      return proposal.amendmentId.trim();
    case 'acceptance_template':
      return foldedName(proposal.name) || proposal.name.trim();
    case 'glossary':
      return foldedName(proposal.term) || proposal.term.trim();
    default:
      return null;
  }
}

/** A line that says what is proposed. */
export function titleOf(proposed: Proposed): string {
  return excerpt(lineOf(proposed), LINE_EXCERPT_MAX_CHARACTERS);
}

function lineOf({ kind, proposal }: Proposed): string {
  switch (kind) {
    case 'objective':
      return proposal.title;
    case 'open_question':
      return proposal.question;
    case 'norm':
      return proposal.statement;
    case 'canonical_method':
      return proposal.slug;
    case 'reality_priority':
      return proposal.requestId;
    case 'acceptance_template':
      return proposal.name;
    case 'glossary':
      return proposal.term;
    case 'revert':
      return proposal.amendmentId;
  }
}

export function proposedIn(row: Pick<AmendmentRow, 'kind' | 'proposal'>): Proposed {
  return { kind: row.kind, proposal: JSON.parse(row.proposal) } as Proposed;
}

/** The counts of a stored amendment. */
export function standingOf(row: AmendmentRow): Standing {
  return {
    kind: row.kind,
    openedAt: row.created_at,
    ratify: row.ratify,
    reject: row.reject,
    abstain: row.abstain,
    exercisingAgents: row.exercising_agents,
    quorumAt: row.quorum_at,
    exercisesAt: row.exercises_at,
  };
}

/** The columns that store a standing, and how the amendment ends by it. */
export function columnsOf(standing: Standing) {
  const closing = closingOf(standing);
  return {
    ratify: standing.ratify,
    reject: standing.reject,
    abstain: standing.abstain,
    exercising_agents: standing.exercisingAgents,
    quorum_at: standing.quorumAt,
    exercises_at: standing.exercisesAt,
    outcome: closing.outcome,
    closes_at: closing.at,
  };
}

/** The columns of an amendment that nobody has voted on. */
export function openedColumns(kind: AmendmentKind, openedAt: number) {
  return { ...columnsOf(opened(kind, openedAt)), reverted_at: null, turned_at: null, turned_by: null };
}

/** A row as the interface shows it at `now` (microseconds). */
export function amendmentOf(row: AmendmentRow, now: number): Amendment {
  const standing = standingOf(row);
  const gates = gatesOf(standing, Math.max(now, row.turned_at ?? 0));
  const { ratify, reject, abstain, exercisingAgents } = standing;
  return {
    id: row.id,
    state: stateOf(row, now),
    kind: row.kind,
    origin: ORIGIN,
    proposal: JSON.parse(row.proposal) as Record<string, unknown>,
    rationale: row.rationale,
    falsifier: row.falsifier,
    agentName: row.agent_name,
    adds: row.kind === 'objective' || row.kind === 'open_question' ? addedId(row.id) : null,
    createdAt: toIso(row.created_at),
    expiresAt: toIso(expiryOf(standing)),
    decidesAt: row.outcome === 'expired' ? null : toIso(row.closes_at),
    revertedAt: isoOrNull(row.reverted_at),
    tally: {
      ratify,
      reject,
      abstain,
      exercisingAgents,
      gates: {
        window: gateOf(gates.window),
        quorum: gateOf(gates.quorum),
        exercises: gateOf(gates.exercises),
        share: gateOf(gates.share),
      },
    },
  };
}

export function voteOf(row: AmendmentVoteRow): CouncilVote {
  return {
    id: row.id,
    amendmentId: row.amendment_id,
    vote: row.vote,
    reasoning: row.reasoning,
    evidence: JSON.parse(row.evidence) as string[],
    agentName: row.agent_name,
    counts: row.counts === 1,
    createdAt: toIso(row.created_at),
  };
}

export function exerciseOf(row: AmendmentExerciseRow): Exercise {
  return {
    id: row.id,
    amendmentId: row.amendment_id,
    note: row.note,
    agentName: row.agent_name,
    counts: row.counts === 1,
    createdAt: toIso(row.created_at),
  };
}

function gateOf({ at, ...gate }: Gate) {
  return { ...gate, at: isoOrNull(at) };
}

function isoOrNull(micros: number | null): string | null {
  return micros === null ? null : toIso(micros);
}
