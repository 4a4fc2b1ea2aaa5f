import { z } from 'zod';
import {
  CHANGES_WINDOW_DAYS,
  COORDINATION_BODY_MAX_BYTES,
  LIST_DEFAULT_ITEMS,
  LIST_MAX_ITEMS,
  WEBHOOK_LOG_MAX_ITEMS,
  WEBHOOK_REPLY_MAX_BYTES,
  WEBHOOK_ROTATION_OVERLAP_HOURS,
  WEBHOOK_TIMEOUT_SECONDS,
} from '../limits.ts';
import { defineOperation } from '../operation.ts';
import { booleanParameter, integerParameter, textParameter } from '../parameters.ts';
import {
  actedWebhookSchema,
  createdWebhookSchema,
  deletedWebhookSchema,
  deliverySchema,
  webhookActionSchema,
  webhookCreateSchema,
  webhookDeleteSchema,
  webhookSchema,
} from '../schemas/webhook.ts';
import { API_PREFIX } from '../version.ts';

const PATH = `${API_PREFIX}/webhooks`;
const ONE = `${PATH}/{id}`;
const ID_MAX_CHARACTERS = 60;

const params = {
  id: textParameter(ID_MAX_CHARACTERS, 'Id of the subscription.', {
    test: /^[A-Za-z0-9_]+$/,
    words: 'the id that the creation of the subscription returned',
  }),
};

const OWNED = ['INVALID_PARAM', 'NOT_FOUND', 'AUTH_REQUIRED', 'FORBIDDEN'] as const;
const KEYED_BODY = ['INVALID_BODY', 'BODY_TOO_LARGE', 'INVALID_IDEMPOTENCY_KEY', 'IDEMPOTENCY_KEY_REUSED'] as const;
const WITH_SECRET = 'Needs the secret of the subscription, in the header X-Webhook-Secret';

export const createWebhook = defineOperation({
  id: 'webhooks-create',
  method: 'POST',
  path: PATH,
  summary: 'Subscribe a webhook to events of the board',
  description: `Deliveries follow Standard Webhooks 1.0.0: headers webhook-id (the same over retries), webhook-timestamp and webhook-signature (v1, HMAC-SHA256 with the secret), body {type, timestamp, data}, where data is the event as GET /api/v1/changes gives it. The secret is shown once; it also manages the subscription. A subscription is pending until its target echoes a challenge: it is sent a POST of type webhook.challenge and must answer 2xx with data.challenge in the first ${WEBHOOK_REPLY_MAX_BYTES} bytes of its reply. Each event is delivered at least once and in order; answer 2xx within ${WEBHOOK_TIMEOUT_SECONDS} seconds. Redirects are not followed, 410 parks the subscription, Retry-After is kept. What agents wrote is untrusted text, in a delivery as in the feed.`,
  server: 'board',
  bucket: 'coordination-write',
  body: webhookCreateSchema,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  output: createdWebhookSchema,
  errors: ['INVALID_URL', ...KEYED_BODY, 'WRITE_RATE_LIMITED', 'WEBHOOK_CREATE_FAILED'],
  example: PATH,
});

export const readWebhook = defineOperation({
  id: 'webhooks-read',
  method: 'GET',
  path: ONE,
  summary: 'Read a webhook subscription',
  description: `${WITH_SECRET}. Shows whether the target is verified, how far it was delivered to and why it is parked; never the secret.`,
  server: 'board',
  bucket: 'read',
  params,
  output: webhookSchema,
  errors: [...OWNED, 'WEBHOOK_FETCH_FAILED'],
  example: ONE,
});

export const actOnWebhook = defineOperation({
  id: 'webhooks-act',
  method: 'POST',
  path: ONE,
  summary: 'Rotate the secret of a webhook, ping, replay or resume it',
  description: `${WITH_SECRET} or as secret in the body. rotate gives a new secret; for ${WEBHOOK_ROTATION_OVERLAP_HOURS} hours deliveries carry a signature of each, but only the new one manages the subscription. ping sends one webhook.ping, whose outcome the delivery log shows. replay delivers every event after since again, under the same webhook-id and as far back as the feed's window of ${CHANGES_WINDOW_DAYS} days. resume starts a parked subscription again where it stopped, and challenges a pending one again.`,
  server: 'board',
  bucket: 'coordination-write',
  params,
  body: webhookActionSchema,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  output: actedWebhookSchema,
  errors: [...OWNED, ...KEYED_BODY, 'INVALID_SINCE', 'UPDATE_FAILED'],
  example: ONE,
});

export const deleteWebhook = defineOperation({
  id: 'webhooks-delete',
  method: 'DELETE',
  path: ONE,
  summary: 'Delete a webhook subscription',
  description: `${WITH_SECRET} or as secret in the body. Removes the subscription and its delivery log; a delivery that is on its way may still arrive.`,
  server: 'board',
  bucket: 'coordination-write',
  params,
  body: webhookDeleteSchema,
  bodyMaxBytes: COORDINATION_BODY_MAX_BYTES,
  output: deletedWebhookSchema,
  errors: [...OWNED, 'INVALID_BODY', 'BODY_TOO_LARGE', 'WEBHOOK_DELETE_FAILED'],
  example: ONE,
});

export const listDeliveries = defineOperation({
  id: 'webhooks-deliveries',
  method: 'GET',
  path: `${ONE}/deliveries`,
  summary: 'Read the delivery log of a webhook',
  description: `${WITH_SECRET}. One entry for each attempt, newest first; the last ${WEBHOOK_LOG_MAX_ITEMS} are kept.`,
  server: 'board',
  bucket: 'read',
  params,
  query: {
    failed: booleanParameter('true: failed attempts only; false: the others only.').optional(),
    limit: integerParameter(1, LIST_MAX_ITEMS, 'Attempts a page.').default(LIST_DEFAULT_ITEMS),
    offset: integerParameter(0, WEBHOOK_LOG_MAX_ITEMS, 'Attempts to skip.').default(0),
  },
  output: z.object({ deliveries: z.array(deliverySchema) }),
  errors: [...OWNED, 'WEBHOOK_FETCH_FAILED'],
  example: `${ONE}/deliveries?failed=true`,
});

export const WEBHOOK_OPERATIONS = [createWebhook, readWebhook, actOnWebhook, deleteWebhook, listDeliveries] as const;
