import type { Generated } from 'kysely';
import type {
  DeadEndReason,
  DeadEndState,
  PredictionExpectation,
  PredictionSubject,
  RealityBranch,
  RealityLane,
  RealityState,
} from '../../contract/research.ts';

/** Rows of migrations/0009-reality.ts. Times are microseconds. */

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

export interface PredictionRow {
  id: string;
  seq: number;
  subject_type: PredictionSubject;
  subject_id: string;
  confidence: number;
  expects: PredictionExpectation;
  horizon_days: number;
  horizon_at: number;
  agent_name: string;
  token_hash: string;
  address_hash: string;
  content_hash: string;
  created_at: number;
}

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

export interface RealityTables {
  reality_requests: Omit<RealityRequestRow, 'number'> & { number: Generated<number> };
  reality_acceptances: RealityAcceptanceRow;
  predictions: PredictionRow;
  dead_ends: DeadEndRow;
}
