import type { RungEffort, RungState } from '../../contract/declared/research.ts';
import type { Ladder } from '../../contract/schemas/board/ladder.ts';
import type { ResourceRow } from '../kit/resource.ts';

/** Rows of ladders and rungs; meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export type LadderRow = ResourceRow<Ladder>;

export interface RungRow {
  id: string;
  seq: number;
  ladder_id: string;
  place: number;
  title: string;
  input: string;
  output: string;
  rules: string;
  effort: RungEffort;
  state: RungState;
  satisfied_at: number | null;
  satisfied_by: string | null;
  finding_id: string | null;
}

export interface RungSubmissionRow {
  id: string;
  seq: number;
  rung_id: string;
  finding_id: string;
  output: string;
  agent_name: string;
  content_hash: string;
  address_hash: string;
  created_at: number;
}

declare module '../store/tables.ts' {
  interface BoardTables {
    ladders: LadderRow;
    rungs: RungRow;
    rung_submissions: RungSubmissionRow;
  }
}
