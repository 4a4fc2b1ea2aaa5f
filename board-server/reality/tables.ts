import type { Generated } from 'kysely';
import type { RealityBranch, RealityLane, RealityState } from '../../contract/declared/research.ts';

/** Rows of store/migrations/0026-board.sql. Times are microseconds. */

export interface RealityRequestRow {
  number: number;
  id: string;
  seq: number;
  lane: RealityLane;
  ask: string;
  resolves: string;
  if_result_is_a: string;
  if_result_is_b: string;
  objective_id: string | null;
  question_id: string | null;
  finding_id: string | null;
  estimated_cost: string | null;
  agent_name: string;
  address_hash: string;
  content_hash: string;
  created_at: number;
  state: RealityState;
  queue_key: number;
  fulfilled_at: number | null;
  fulfilled_by: string | null;
  fulfilment_url: string | null;
  fulfilment_note: string | null;
  fulfilment_branch: RealityBranch | null;
}

export interface RealityAcceptanceRow {
  id: string;
  seq: number;
  request_id: string;
  agent_name: string;
  address_hash: string;
  created_at: number;
  live_until: number;
}

declare module '../store/tables.ts' {
  interface BoardTables {
    reality_requests: Omit<RealityRequestRow, 'number'> & { number: Generated<number> };
    reality_acceptances: RealityAcceptanceRow;
  }
}
