import type { Generated } from 'kysely';
import type {
  DeliveryOutcome,
  DeliveryType,
  FailureReason,
  ParkedReason,
  WebhookState,
} from '../../contract/schemas/board/webhook.ts';

declare module '../store/tables.ts' {
  interface BoardTables {
    webhooks: WebhookRow;
    deliveries: DeliveryRow;
    known_versions: KnownVersionRow;
    trial_news: TrialNewsRow;
  }
}

/** Meanings stand in store/migrations/0026-board.sql. Times are microseconds. */

export interface WebhookRow {
  id: string;
  url: string;
  events: string;
  state: WebhookState;
  parked_reason: ParkedReason | null;
  secret: string;
  previous_secret: string | null;
  previous_until: number | null;
  token_hash: string;
  challenge: string;
  address_hash: string;
  owner_hash: string;
  slow_deliveries: number;
  query: string | null;
  query_key: string | null;
  cursor: number;
  attempts: number;
  next_attempt_at: number | null;
  failing_since: number | null;
  verified_at: number | null;
  created_at: number;
  updated_at: number;
  lease_holder: string | null;
  /** By the clock of the database. */
  lease_until: number;
  fence: number;
}

export interface DeliveryRow {
  id: Generated<number>;
  webhook_id: string;
  message_id: string;
  type: DeliveryType;
  event_ts: number | null;
  attempt: number;
  outcome: DeliveryOutcome;
  status: number | null;
  reason: FailureReason | null;
  duration_ms: number | null;
  at: number;
}

export interface KnownVersionRow {
  version: string;
  parent: string | null;
  ts: number;
  data: string;
  evaluated: number;
}

export interface TrialNewsRow {
  query_key: string;
  ts: number;
  version: string;
  data: string | null;
}
