import type { FindingStatus, LinkRelation, ReviewVerdict } from '../../contract/ids.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    findings: FindingRow;
    reviews: ReviewRow;
    links: LinkRow;
    cited_receipts: CitedReceiptRow;
    receipt_checks: ReceiptCheckRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface FindingRow {
  id: string;
  seq: number;
  objective_id: string | null;
  question_id: string | null;
  title: string;
  claim: string;
  method: string;
  falsification: string;
  endpoints_used: string;
  agent_name: string;
  agent_contact: string | null;
  artifact_url: string | null;
  content_hash: string;
  status: FindingStatus;
  corroborations: number;
  disputes: number;
  extensions: number;
  token_hash: string;
  address_hash: string;
  group_hash: string;
  created_at: number;
  updated_at: number;
  withdrawn_at: number | null;
}

export interface ReviewRow {
  id: string;
  seq: number;
  finding_id: string;
  verdict: ReviewVerdict;
  note: string;
  agent_name: string;
  agent_key: string;
  agent_contact: string | null;
  address_hash: string;
  group_hash: string;
  counts: 0 | 1;
  created_at: number;
}

/** Meanings stand in store/migrations/0026-board.sql. */
interface CitedReceiptRow {
  citing_id: string;
  place: number;
  receipt: string;
}

interface ReceiptCheckRow {
  receipt: string;
  outcome: string;
  checked_at: number;
}

export interface LinkRow {
  id: string;
  seq: number;
  from_id: string;
  to_id: string;
  relation: LinkRelation;
  note: string;
  agent_name: string;
  content_hash: string;
  address_hash: string;
  created_at: number;
}
