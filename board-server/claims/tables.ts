import type { ClaimState } from '../../contract/ids.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    claims: ClaimRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface ClaimRow {
  id: string;
  seq: number;
  objective_id: string | null;
  question_id: string | null;
  scope: string;
  intent: string;
  agent_name: string;
  agent_contact: string | null;
  content_hash: string;
  state: Exclude<ClaimState, 'expired'>;
  lease_until: number;
  renewals: number;
  finding_id: string | null;
  token_hash: string;
  address_hash: string;
  created_at: number;
  updated_at: number;
}
