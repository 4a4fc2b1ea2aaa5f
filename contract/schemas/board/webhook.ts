import { z } from 'zod';
import { nearParameters } from '../../nearest-names.ts';
import { expectedOfFault } from '../../parameters.ts';
import { trialFilterParameters } from '../../trial-filters.ts';
import { EVERY_WEBHOOK_EVENT } from '../../webhook-events.ts';
import { namedValues } from '../named-values.ts';
import { choice, optionalText } from './board-fields.ts';

/** What a webhook secret begins with: Standard Webhooks. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

const WEBHOOK_STATES = ['pending', 'active', 'parked'] as const;
export type WebhookState = (typeof WEBHOOK_STATES)[number];

const PARKED_REASONS = ['exhausted', 'gone', 'slow'] as const;
export type ParkedReason = (typeof PARKED_REASONS)[number];

const WEBHOOK_ACTIONS = ['rotate', 'ping', 'replay', 'resume'] as const;

const DELIVERY_TYPES = [...EVERY_WEBHOOK_EVENT, 'webhook.ping', 'webhook.challenge'] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

const DELIVERY_OUTCOMES = ['queued', 'delivered', 'failed'] as const;
export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

const FAILURE_REASONS = ['status', 'redirect', 'gone', 'timeout', 'unreachable', 'refused', 'no_echo'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

const instant = z.iso.datetime({ precision: 6 });
const secret = optionalText('the secret of the subscription; instead of the header X-Webhook-Secret');

/** Share of letters in which a name that was meant may differ. */
const LIKE_A_FILTER = 0.4;
const UNKNOWN_FILTER = 'expected the name of a filter of GET /api/v1/trials/search';

const filterValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())], {
  error: 'expected text, a number, true or false, or a list of texts',
});

export const webhookCreateSchema = z.object({
  url: z
    .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'expected text') })
    .describe('absolute http(s) address without user name, on port 80, 443 or from 1024, publicly reachable'),
  events: z
    .array(choice(EVERY_WEBHOOK_EVENT, 'name of an event'), { error: 'expected a list of event names' })
    .min(1, { error: 'expected at least one event name' })
    .nullish()
    .describe(
      'events to be told of; all eight of the board when left out. snapshot.published and trial.changed, additions of the trial index, are told of only where they are named',
    ),
  query: namedValues(filterValue, {
    error: 'expected an object of search filters',
    unknownName: UNKNOWN_FILTER,
    max: Object.keys(trialFilterParameters).length,
  })
    .superRefine(refuseFilters)
    .nullish()
    .describe(
      'filters of GET /api/v1/trials/search by name, for trial.changed: only trials that match are told of; every trial without it',
    ),
});

/** The filters of a subscription as the query string of a search has them. */
export function filtersAsSent(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const pairs = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(',') : String(value),
  ]);
  return Object.fromEntries(pairs.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)));
}

function nearFilters(name: string): string {
  const near = nearParameters(name, Object.keys(trialFilterParameters), LIKE_A_FILTER);
  return near.length === 0 ? '' : `, as ${near.join(', ')}`;
}

/** What a search refuses without a look at the index is refused here, by the words of the search. */
function refuseFilters(query: Record<string, unknown>, context: z.core.$RefinementCtx): void {
  for (const [name, text] of Object.entries(filtersAsSent(query))) {
    const path = [name];
    if (!Object.hasOwn(trialFilterParameters, name)) {
      context.addIssue({ code: 'custom', path, message: `${UNKNOWN_FILTER}${nearFilters(name)}` });
      continue;
    }
    const schema = trialFilterParameters[name as keyof typeof trialFilterParameters];
    const read = schema.safeParse(text);
    if (!read.success)
      context.addIssue({ code: 'custom', path, message: `expected ${expectedOfFault(schema, read.error)}` });
  }
}

export const webhookActionSchema = z.object({
  action: choice(
    WEBHOOK_ACTIONS,
    'rotate: a new secret; ping: a test delivery, or the next challenge of a pending one at once; replay: every event after `since` again; resume: a parked subscription starts again, a pending one is challenged again',
  ),
  since: z
    .union([z.string(), z.number()], { error: 'expected ISO 8601 or epoch milliseconds' })
    .nullish()
    .describe('replay only, required there: exclusive, ISO 8601 or epoch milliseconds'),
  secret,
});

export const webhookDeleteSchema = z.object({ secret });

/** A subscription as the holder of its secret sees it. */
export const webhookSchema = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVERY_WEBHOOK_EVENT)),
  query: z
    .record(z.string(), z.string())
    .nullable()
    .describe('filters of trial.changed, as the query string of a search has them; null without that event'),
  state: z
    .enum(WEBHOOK_STATES)
    .describe('pending: the target has not echoed its challenge; active; parked: nothing is sent until resume'),
  parkedReason: z
    .enum(PARKED_REASONS)
    .nullable()
    .describe(
      'exhausted: every retry failed; gone: the target answered 410; slow: it kept taking too long to answer; null unless parked',
    ),
  deliveredUntil: instant.describe('ts of the last event that was delivered; events after it are still to come'),
  failedAttempts: z.int().describe('failed in a row'),
  failingSince: instant.nullable(),
  nextAttemptAt: instant.nullable().describe('earliest time of the next attempt after a failed one; null for none'),
  previousSecretUntil: instant
    .nullable()
    .describe('until then deliveries carry a signature of the secret before too; null when there is none'),
  verifiedAt: instant.nullable().describe('when the target echoed its challenge; null while pending'),
  createdAt: instant,
  updatedAt: instant,
});
export type WebhookRecord = z.output<typeof webhookSchema>;

const shownOnce = z.string().describe('begins with whsec_; signs deliveries and manages the subscription; shown once');

export const createdWebhookSchema = webhookSchema.extend({
  secret: shownOnce.optional().describe('begins with whsec_; shown once; absent in a replay that withholds it'),
  howToVerify: z.string().describe('what the target must do before anything is delivered'),
});

export const actedWebhookSchema = webhookSchema.extend({
  secret: shownOnce.optional().describe('of rotate only; shown once'),
  deliveryId: z.int().optional().describe('of ping only: its place in the delivery log'),
});

export const deletedWebhookSchema = z.object({ id: z.string(), deleted: z.literal(true) });

/** One attempt. The reply of the target is never kept or shown. */
export const deliverySchema = z.object({
  id: z.int(),
  messageId: z
    .string()
    .describe(
      'the header webhook-id; the same for every attempt of one event; of the trial index it names the version',
    ),
  type: z.enum(DELIVERY_TYPES),
  eventTs: instant
    .nullable()
    .describe(
      'ts of the event in the change feed; of the trial index the time at which this board took it up; null for pings and challenges',
    ),
  attempt: z.int().describe('from 1'),
  outcome: z.enum(DELIVERY_OUTCOMES),
  status: z.int().nullable().describe('HTTP status of the answer; null without one and before the target is verified'),
  reason: z.enum(FAILURE_REASONS).nullable().describe('null unless failed'),
  durationMs: z.int().nullable(),
  at: instant,
});
export type Delivery = z.output<typeof deliverySchema>;
