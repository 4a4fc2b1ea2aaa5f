import type { Selectable } from 'kysely';
import type { EventAbout } from '../../contract/event-abouts.ts';
import type { EventKind } from '../../contract/ids.ts';
import type { WebhookEvent } from '../../contract/webhook-events.ts';

/** Rows as they lie in SQLite; meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface EventRow {
  ts: number;
  kind: EventKind;
  /** Lies within `kind`; meanings stand in store/migrations/0026-board.sql. */
  about: EventAbout;
  action: string;
  object_id: string;
  agent_name: string;
  data: string;
  prev_hash: string;
  hash: string;
}

export interface IdempotencyRow {
  scope_hash: string;
  body_hash: string;
  response: string;
  secret_names: string;
  sealed: string | null;
  status: number;
  created_at: number;
}

/** What a group of addresses stored on one day; meanings stand in store/migrations/0026-board.sql. */
interface StoredBytesRow {
  day: number;
  group_hash: string;
  bytes: number;
}

/** The one row of what all boards of an installation have in common; meanings stand in store/migrations/0026-board.sql. */
interface InstallationRow {
  id: 1;
  address_salt: string;
}

/** The one row that is written to prove that the file can be written to. */
interface ProofRow {
  id: 1;
  at: number;
}

/** An event that webhooks hear of, under that name. */
export interface OutboxRow {
  event_ts: number;
  event_name: WebhookEvent;
}

/** Rows of a list in one state, in all or of one subject; meanings stand in store/migrations/0026-board.sql. */
export interface TallyRow {
  list: keyof BoardTables;
  subject: string;
  state: string;
  count: number;
}

/** Every table of the file. Each surface adds its own, beside its store. */
export interface BoardTables {
  events: EventRow;
  idempotency: IdempotencyRow;
  installation: InstallationRow;
  outbox: OutboxRow;
  proofs: ProofRow;
  stored_bytes: StoredBytesRow;
  tallies: TallyRow;
}

/** A row of a table as it is read. */
export type RowOf<Table extends keyof BoardTables> = Selectable<BoardTables[Table]>;

/** Tables whose rows have a text in this column. */
export type TableWith<Column extends string> = {
  [Table in keyof BoardTables]: BoardTables[Table] extends Record<Column, string> ? Table : never;
}[keyof BoardTables];
