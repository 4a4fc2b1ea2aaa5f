import { WEBHOOK_EVENTS } from '../../contract/ids.ts';
import { readInstant } from '../../contract/instants.ts';
import {
  CHANGES_WINDOW_DAYS,
  WEBHOOK_MAX_PER_ADDRESS,
  WEBHOOK_MAX_TOTAL,
  WEBHOOK_REPLY_MAX_BYTES,
  WEBHOOK_ROTATION_OVERLAP_HOURS,
} from '../../contract/limits/limits.ts';
import type { OperationInput, OperationOutput } from '../../contract/operation.ts';
import { actOnWebhook, createWebhook, type WEBHOOK_OPERATIONS } from '../../contract/operations/board/webhooks.ts';
import { filtersAsSent } from '../../contract/schemas/board/webhook.ts';
import { EVERY_WEBHOOK_EVENT } from '../../contract/webhook-events.ts';
import { isToken, sha256, TOKEN_BYTES } from '../../server-kit/hashing.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { appliedOf, pageOf, shownBy } from '../kit/pagination.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, groupHash, storeOr, writeOnce } from '../kit/write.ts';
import type { Board } from '../store/board.ts';
import { toMicros } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { deliveriesOf, deliveryRecord, insertDelivery, queuedDelivery } from './delivery-store.ts';
import { openedSecret, sealedSecret } from './kept-secret.ts';
import type { WebhookServices } from './open-webhooks.ts';
import { webhookSecret } from './signature.ts';
import type { WebhookRow } from './tables.ts';
import { TargetRefused } from './target.ts';
import {
  countWebhooks,
  deleteWebhookRow,
  removeLapsed,
  updateWebhook,
  webhookById,
  webhookRecord,
} from './webhook-store.ts';

const REPLAY_MICROS = CHANGES_WINDOW_DAYS * 86_400_000_000;
const OVERLAP_MICROS = WEBHOOK_ROTATION_OVERLAP_HOURS * 3_600_000_000;
/** By then the caller may have deleted a subscription, or a pending one may have lapsed. */
const FULL_RETRY_SECONDS = 3600;
/** Enough to tell any two queries apart. */
const QUERY_KEY_CHARACTERS = 32;
const HOW_TO_VERIFY = `The target now gets a POST of type webhook.challenge: answer 2xx with the text of data.challenge within the first ${WEBHOOK_REPLY_MAX_BYTES} bytes of the reply, at once and not with the whole request. Until then the state is pending and nothing is delivered; events from now on are kept for it. POST /api/v1/webhooks/{id} with action resume sends the challenge again.`;
const SINCE_EXPECTED = 'an ISO 8601 time or epoch milliseconds';

type Owned = 'NOT_FOUND' | 'AUTH_REQUIRED' | 'FORBIDDEN';
type Action = OperationInput<typeof actOnWebhook>['body'];
type Acted = OperationOutput<typeof actOnWebhook>;

interface Services extends BoardServices {
  webhooks: WebhookServices;
}

export const webhookHandlers: Handlers<typeof WEBHOOK_OPERATIONS, Services> = {
  'webhooks-create': async ({ body }, context, services, fail) => {
    const { href: url } = await target(services, body.url, fail);
    const asked = body.events ?? WEBHOOK_EVENTS;
    const events = EVERY_WEBHOOK_EVENT.filter((name) => (asked as readonly string[]).includes(name));
    const filters = filtersOf(body, events, fail);
    const terms = { unavailable: 'WEBHOOK_CREATE_FAILED' } as const;
    const reply = await writeOnce(services, createWebhook, context, fail, terms, async (tx) => {
      const address = addressHash(services, context);
      await removeLapsed(tx, tx.now);
      await requireRoom(tx, address, fail);
      const owner = { address_hash: address, owner_hash: groupHash(services, context) };
      const secret = webhookSecret(services.board.effects.random(TOKEN_BYTES));
      const row = newRow(tx, services.board, { url, events: JSON.stringify(events), ...filters, secret, ...owner });
      await tx.insert('webhooks', row);
      const data = { ...webhookRecord(row, tx.now), secret, howToVerify: HOW_TO_VERIFY };
      return { created: true, data };
    });
    if (reply.status === 201 && 'id' in reply.data) services.webhooks.changed(reply.data.id);
    return reply;
  },

  'webhooks-read': ({ params }, context, { board }, fail) =>
    storeOr('WEBHOOK_FETCH_FAILED', async () => {
      const row = await owned(board.read, params.id, context, null, fail);
      return { data: webhookRecord(row, toMicros(context.now)) };
    }),

  'webhooks-act': async ({ params, body }, context, services, fail) => {
    const since = body.action === 'replay' ? sinceOf(body.since, fail) : null;
    const terms = { unavailable: 'UPDATE_FAILED' } as const;
    const reply = await writeOnce(services, actOnWebhook, context, fail, terms, async (tx) => {
      const row = await owned(tx, params.id, context, body.secret, fail);
      return { created: false, data: await act(tx, services.board, row, body, since) };
    });
    services.webhooks.changed(params.id);
    return reply;
  },

  'webhooks-delete': async ({ params, body }, context, { board, webhooks }, fail) => {
    await storeOr('WEBHOOK_DELETE_FAILED', () =>
      board.write(async (tx) => {
        await owned(tx, params.id, context, body.secret, fail);
        await deleteWebhookRow(tx, params.id);
      }),
    );
    webhooks.changed(params.id);
    return { data: { id: params.id, deleted: true as const } };
  },

  'webhooks-deliveries': ({ params, query }, context, { board }, fail) =>
    storeOr('WEBHOOK_FETCH_FAILED', async () => {
      await owned(board.read, params.id, context, null, fail);
      const page = pageOf('webhooks-deliveries', { id: params.id, failed: query.failed }, query, fail);
      const { rows: read, total } = await deliveriesOf(board.read, params.id, query.failed, page.range);
      const { rows, pagination } = shownBy(page, read, total, ({ id }) => id);
      return { data: { deliveries: rows.map(deliveryRecord) }, meta: { ...appliedOf(context), pagination } };
    }),
};

/** The address of a usable target. A name that does not resolve now may later, and is told apart by its challenge. */
async function target({ webhooks }: Services, text: string, fail: Fail<'INVALID_URL'>): Promise<URL> {
  try {
    const url = webhooks.targets.parse(text);
    await webhooks.targets.addressesOf(url).catch((error: unknown) => {
      if (error instanceof TargetRefused) throw error;
    });
    return url;
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    return fail('INVALID_URL', { message: `The target is not usable: ${error.message}.` });
  }
}

/** The filters of a subscription and what they are shared under; those of every trial where it names none. */
function filtersOf(
  { query }: OperationInput<typeof createWebhook>['body'],
  events: readonly string[],
  fail: Fail<'INVALID_BODY'>,
): Pick<WebhookRow, 'query' | 'query_key'> {
  if (events.includes('trial.changed')) {
    const filters = JSON.stringify(filtersAsSent(query ?? {}));
    return { query: filters, query_key: sha256(filters).slice(0, QUERY_KEY_CHARACTERS) };
  }
  if (query == null) return { query: null, query_key: null };
  const issues = [{ path: 'query', message: 'expected only where events names trial.changed' }];
  return fail('INVALID_BODY', { message: `The body has 1 problem(s): query: ${issues[0]?.message}`, issues });
}

async function requireRoom(
  db: Reader,
  address: string,
  fail: Fail<'WRITE_RATE_LIMITED' | 'WEBHOOK_CREATE_FAILED'>,
): Promise<void> {
  const { all, own } = await countWebhooks(db, address);
  const details = { retryAfterSeconds: FULL_RETRY_SECONDS };
  if (all >= WEBHOOK_MAX_TOTAL) fail('WEBHOOK_CREATE_FAILED', details);
  if (own < WEBHOOK_MAX_PER_ADDRESS) return;
  const message = `Your subscriptions are full: your address holds ${WEBHOOK_MAX_PER_ADDRESS}, the most it may.`;
  const hint = 'Delete one with DELETE /api/v1/webhooks/{id}, then send this again.';
  fail('WRITE_RATE_LIMITED', { ...details, message, hint, retryable: false });
}

function newRow(
  tx: Transaction,
  board: Board,
  {
    secret,
    ...given
  }: Pick<WebhookRow, 'url' | 'events' | 'query' | 'query_key' | 'secret' | 'address_hash' | 'owner_hash'>,
): WebhookRow {
  const ts = tx.nextTime();
  const id = tx.newId('webhook', ts);
  return {
    ...given,
    id,
    state: 'pending',
    parked_reason: null,
    secret: sealedSecret(board, id, secret),
    previous_secret: null,
    previous_until: null,
    token_hash: sha256(secret),
    challenge: tx.newToken(),
    slow_deliveries: 0,
    cursor: ts,
    attempts: 0,
    next_attempt_at: tx.now,
    failing_since: null,
    verified_at: null,
    created_at: ts,
    updated_at: ts,
    lease_holder: null,
    lease_until: 0,
    fence: 0,
  };
}

/** The subscription, if the request carries its secret. */
async function owned(
  db: Reader,
  id: string,
  context: RequestContext,
  inBody: string | null | undefined,
  fail: Fail<Owned>,
): Promise<WebhookRow> {
  const row = (await webhookById(db, id, toMicros(context.now))) ?? fail('NOT_FOUND');
  const secret = context.header('x-webhook-secret') || inBody || fail('AUTH_REQUIRED');
  return isToken(secret, row.token_hash) ? row : fail('FORBIDDEN');
}

function sinceOf(since: string | number | null | undefined, fail: Fail<'INVALID_SINCE'>): number {
  const details = { parameter: 'since', expected: SINCE_EXPECTED };
  return readInstant(String(since ?? '').trim()) ?? fail('INVALID_SINCE', details);
}

async function act(
  tx: Transaction,
  board: Board,
  row: WebhookRow,
  { action }: Action,
  since: number | null,
): Promise<Acted> {
  if (action === 'ping' && row.state !== 'pending') {
    const deliveryId = await queuePing(tx, row);
    return { ...webhookRecord(row, tx.now), deliveryId };
  }
  const change = changeBy(action, row, tx, board, since);
  const changed = { ...row, ...change, updated_at: tx.now };
  await updateWebhook(tx, row.id, { ...change, updated_at: tx.now });
  const record = webhookRecord(changed, tx.now);
  return action === 'rotate' ? { ...record, secret: openedSecret(board, row.id, changed.secret) } : record;
}

/** A subscription has one ping on its way at most. */
async function queuePing(tx: Transaction, { id }: WebhookRow): Promise<number> {
  const waiting = await queuedDelivery(tx, id);
  if (waiting) return waiting.id;
  return insertDelivery(tx, {
    webhook_id: id,
    message_id: tx.newId('ping', tx.nextTime()),
    type: 'webhook.ping',
    event_ts: null,
    attempt: 1,
    outcome: 'queued',
    status: null,
    reason: null,
    duration_ms: null,
    at: tx.now,
  });
}

/** A ping of a pending subscription is its challenge: a target that nobody owns gets nothing else. */
function changeBy(
  action: Action['action'],
  row: WebhookRow,
  tx: Transaction,
  board: Board,
  since: number | null,
): Partial<WebhookRow> {
  const atOnce = { attempts: 0, next_attempt_at: tx.now, failing_since: null };
  switch (action) {
    case 'rotate': {
      const secret = webhookSecret(board.effects.random(TOKEN_BYTES));
      const previous = { previous_secret: row.secret, previous_until: tx.now + OVERLAP_MICROS };
      return { secret: sealedSecret(board, row.id, secret), token_hash: sha256(secret), ...previous };
    }
    case 'replay':
      return {
        cursor: Math.min(row.cursor, Math.max(since!, tx.now - REPLAY_MICROS)),
        ...(row.state === 'active' ? atOnce : {}),
      };
    case 'resume':
    case 'ping':
      // One that was slow begins among the slow ones, and has its whole budget.
      if (row.state === 'parked') {
        const slow_deliveries = Math.min(row.slow_deliveries, 1);
        return { ...atOnce, state: 'active', parked_reason: null, slow_deliveries };
      }
      if (row.state !== 'pending') return {};
      if (action === 'resume') return atOnce;
      // A ping brings a challenge that is left forward and begins no count anew: a target that nobody owns hears few.
      return row.next_attempt_at === null ? {} : { next_attempt_at: Math.min(row.next_attempt_at, tx.now) };
  }
}
