import type { Generated } from 'kysely';
import type { ResultsGapOutcome, ResultsGapPublicationType, VerificationClass } from '../../contract/ids.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    results_gap_reports: Omit<ResultsGapReportRow, 'number'> & { number: Generated<number> };
    results_gap_checks: ResultsGapCheckRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface ResultsGapReportRow {
  number: number;
  id: string;
  nct_id: string;
  outcome: ResultsGapOutcome;
  pmid: string | null;
  doi: string | null;
  publication_type: ResultsGapPublicationType | null;
  search_strategy: string;
  note: string | null;
  agent_name: string;
  agent_key: string;
  agent_contact: string | null;
  content_hash: string;
  address_hash: string;
  group_hash: string;
  created_at: number;
}

interface ResultsGapCheckRow {
  number: Generated<number>;
  report: number;
  verification: VerificationClass;
  papers: string;
  asked: string;
  checked_at: number;
}
