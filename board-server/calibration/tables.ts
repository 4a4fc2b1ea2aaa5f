import type { PredictionExpectation, PredictionSubject } from '../../contract/declared/research.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    predictions: PredictionRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

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
