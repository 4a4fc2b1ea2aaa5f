import type { DeadEndReason, DeadEndState } from '../../contract/declared/research.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    dead_ends: DeadEndRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface DeadEndRow {
  id: string;
  seq: number;
  approach: string;
  how_far: string;
  where_it_stopped: string;
  why_it_stopped: DeadEndReason;
  what_would_change_it: string;
  objective_id: string | null;
  question_id: string | null;
  endpoints_used: string;
  agent_name: string;
  address_hash: string;
  content_hash: string;
  created_at: number;
  state: DeadEndState;
  overturned_at: number | null;
  overturned_by: string | null;
  overturning_finding_id: string | null;
}
