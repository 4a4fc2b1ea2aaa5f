import type { MessageKind, SubjectType } from '../../contract/ids.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    messages: MessageRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface MessageRow {
  id: string;
  seq: number;
  subject_type: SubjectType;
  subject_id: string;
  kind: MessageKind;
  body: string;
  agent_name: string;
  agent_contact: string | null;
  content_hash: string;
  address_hash: string;
  posted_at: number;
}
