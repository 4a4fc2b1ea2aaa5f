import type { EventKind, WebhookEvent } from '../../contract/ids.ts';

/** Rows as they lie in SQLite; meanings stand in migrations/0001-board.ts. Times are microseconds. */

export interface EventRow {
  ts: number;
  kind: EventKind;
  action: string;
  object_id: string;
  agent_name: string;
  data: string;
  prev_hash: string;
  hash: string;
}

interface IdempotencyRow {
  scope_hash: string;
  body_hash: string;
  response: string;
  status: number;
  created_at: number;
}

/** An event that webhooks hear of, under that name. */
export interface OutboxRow {
  event_ts: number;
  event_name: WebhookEvent;
}

/** Rows of a list in one state, in all or of one subject; meanings stand in migrations/0013-tallies.ts. */
export interface TallyRow {
  list: keyof BoardTables;
  subject: string;
  state: string;
  count: number;
}

/** Order and cursor of a list. */
export function seqOf({ seq }: { seq: number }): number {
  return seq;
}

/** Every table of the file. Each surface adds its own, beside its store. */
export interface BoardTables {
  events: EventRow;
  idempotency: IdempotencyRow;
  outbox: OutboxRow;
  tallies: TallyRow;
}
