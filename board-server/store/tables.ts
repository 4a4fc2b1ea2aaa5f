import type { Generated } from 'kysely';
import type {
  ClaimState,
  EventKind,
  FindingStatus,
  LinkRelation,
  MessageKind,
  ResultsGapOutcome,
  ResultsGapPublicationType,
  ReviewVerdict,
  SubjectType,
  VerificationClass,
  WebhookEvent,
} from '../../contract/ids.ts';
import type {
  DeliveryOutcome,
  DeliveryType,
  FailureReason,
  ParkedReason,
  WebhookState,
} from '../../contract/schemas/webhook.ts';
import type { CouncilTables } from './council-tables.ts';
import type { CureLabTables } from './cure-lab-tables.ts';
import type { LadderTables } from './ladder-tables.ts';
import type { RealityTables } from './reality-tables.ts';

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

export interface IdempotencyRow {
  scope_hash: string;
  body_hash: string;
  response: string;
  status: number;
  created_at: number;
}

export interface ClaimRow {
  id: string;
  seq: number;
  objective_id: string | null;
  question_id: string | null;
  scope: string;
  intent: string;
  agent_name: string;
  agent_contact: string | null;
  content_hash: string;
  state: Exclude<ClaimState, 'expired'>;
  lease_until: number;
  renewals: number;
  finding_id: string | null;
  token_hash: string;
  address_hash: string;
  created_at: number;
  updated_at: number;
}

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
  agent_contact: string | null;
  address_hash: string;
  created_at: number;
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

export interface ApiKeyRow {
  id: string;
  key_hash: string;
  label: string;
  rate_limit: number;
  created_at: number;
  updated_at: number;
  revoked_at: number | null;
}

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
  cursor: number;
  attempts: number;
  next_attempt_at: number | null;
  failing_since: number | null;
  verified_at: number | null;
  created_at: number;
  updated_at: number;
}

/** An event that webhooks hear of, under that name. */
export interface OutboxRow {
  event_ts: number;
  event_name: WebhookEvent;
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
  created_at: number;
}

export interface ResultsGapCheckRow {
  number: Generated<number>;
  report: number;
  verification: VerificationClass;
  papers: string;
  asked: string;
  checked_at: number;
}

/** Rows of a list in one state, in all or of one subject; meanings stand in migrations/0013-tallies.ts. */
export interface TallyRow {
  list:
    | 'findings'
    | 'amendments'
    | 'reality_requests'
    | 'dead_ends'
    | 'ladders'
    | 'hypotheses'
    | 'contradictions'
    | 'evidence'
    | 'predictions';
  subject: string;
  state: string;
  count: number;
}

/** Order and cursor of a list. */
export function seqOf({ seq }: { seq: number }): number {
  return seq;
}

export interface BoardTables extends CouncilTables, CureLabTables, RealityTables, LadderTables {
  events: EventRow;
  idempotency: IdempotencyRow;
  claims: ClaimRow;
  messages: MessageRow;
  findings: FindingRow;
  reviews: ReviewRow;
  links: LinkRow;
  api_keys: ApiKeyRow;
  webhooks: WebhookRow;
  outbox: OutboxRow;
  deliveries: DeliveryRow;
  results_gap_reports: Omit<ResultsGapReportRow, 'number'> & { number: Generated<number> };
  results_gap_checks: ResultsGapCheckRow;
  tallies: TallyRow;
}
