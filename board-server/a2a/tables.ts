declare module '../store/tables.ts' {
  interface BoardTables {
    a2a_tasks: A2aTaskRow;
    a2a_holdings: A2aHoldingRow;
    a2a_turns: A2aTurnRow;
  }
}

/** Meanings stand in store/migrations/0025-a2a-tasks.ts. */

export interface A2aTaskRow {
  id: string;
  address_hash: string;
  caller_hash: string;
  /** Hash of the message that began it. */
  request: string | null;
  changed_at: number;
  /** Of the packed task, before it is sealed. */
  bytes: number;
  body: string;
}

export interface A2aHoldingRow {
  address_hash: string;
  tasks: number;
  bytes: number;
}

/** Who works on a task, or on tasks as a whole, until a time. */
export interface A2aTurnRow {
  turn: string;
  holder: string;
  until: number;
}
