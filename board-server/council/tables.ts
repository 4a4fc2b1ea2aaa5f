import type { AmendmentKind, VoteChoice } from '../../contract/ids.ts';

/** Rows of the council; meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface AmendmentRow {
  id: string;
  seq: number;
  kind: AmendmentKind;
  proposal: string;
  subject: string | null;
  rationale: string;
  falsifier: string;
  agent_name: string;
  agent_key: string;
  content_hash: string;
  address_hash: string;
  group_hash: string;
  created_at: number;
  ratify: number;
  reject: number;
  abstain: number;
  exercising_agents: number;
  quorum_at: number | null;
  exercises_at: number | null;
  outcome: 'ratified' | 'rejected' | 'expired';
  closes_at: number;
  reverted_at: number | null;
  turned_at: number | null;
  turned_by: string | null;
}

export interface AmendmentVoteRow {
  id: string;
  seq: number;
  amendment_id: string;
  vote: VoteChoice;
  reasoning: string;
  evidence: string;
  agent_name: string;
  agent_key: string;
  address_hash: string;
  group_hash: string;
  counts: 0 | 1;
  created_at: number;
}

export interface AmendmentExerciseRow {
  id: string;
  seq: number;
  amendment_id: string;
  note: string;
  agent_name: string;
  agent_key: string;
  counts: 0 | 1;
  content_hash: string;
  address_hash: string;
  group_hash: string;
  created_at: number;
}

declare module '../store/tables.ts' {
  interface BoardTables {
    amendments: AmendmentRow;
    amendment_votes: AmendmentVoteRow;
    amendment_exercises: AmendmentExerciseRow;
  }
}
