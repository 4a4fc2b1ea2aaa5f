import type { MethodState } from '../../contract/declared/research.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    methods: MethodRow;
    method_uses: MethodUseRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface MethodRow {
  id: string;
  seq: number;
  slug: string;
  version: number;
  state: MethodState;
  title: string;
  applies_to: string;
  steps: string;
  failure_modes: string;
  checks: string;
  derived_from: string;
  endpoints_used: string;
  agent_name: string;
  content_hash: string;
  address_hash: string;
  created_at: number;
  superseded_at: number | null;
}

export interface MethodUseRow {
  id: string;
  seq: number;
  slug: string;
  version: number;
  finding_id: string;
  agent_name: string;
  address_hash: string;
  created_at: number;
}
