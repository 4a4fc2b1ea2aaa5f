import { WEBHOOK_PAYLOAD_MAX_BYTES } from '../../contract/limits/limits.ts';
import type { WebhookEvent } from '../../contract/webhook-events.ts';
import { wellFormedJson } from '../../server-kit/well-formed.ts';
import { publicEvent } from '../store/event-chain.ts';
import { toIso } from '../store/instants.ts';
import type { EventRow } from '../store/tables.ts';

export const CHALLENGE_TYPE = 'webhook.challenge';

/** A message to a target: its id, which stays the same over retries, and the body that is signed. */
export interface Message {
  id: string;
  body: string;
}

/**
 * An event as the feed gives it. One above WEBHOOK_PAYLOAD_MAX_BYTES comes without its own data and with `truncated`;
 * the feed has it whole under the same ts.
 */
export function eventMessage(name: WebhookEvent, event: EventRow): Message {
  const whole = publicEvent(event);
  const body = bodyOf(name, event.ts, whole);
  const { ts, kind, about, action, id, agentName, subject, text, prevHash, hash } = whole;
  const fits = Buffer.byteLength(body) <= WEBHOOK_PAYLOAD_MAX_BYTES;
  const named = { ts, kind, about, action, id, agentName, subject, text, prevHash, hash, truncated: true };
  return { id: eventMessageId(event.ts), body: fits ? body : bodyOf(name, event.ts, named) };
}

function eventMessageId(ts: number): string {
  return `evt_${ts}`;
}

/** News of the trial index, as they were stored; the id names the version. */
export function newsMessage(name: WebhookEvent, id: string, ts: number, data: string): Message {
  return { id, body: bodyOf(name, ts, JSON.parse(data)) };
}

/** Not an event: proves that the target belongs to whoever subscribed it. */
export function challengeMessage(webhookId: string, attempt: number, challenge: string, now: number): Message {
  const id = `challenge_${webhookId}_${attempt}`;
  return { id, body: bodyOf(CHALLENGE_TYPE, now, { webhookId, challenge }) };
}

/** Not an event: shows that deliveries arrive. */
export function pingMessage(webhookId: string, messageId: string, now: number): Message {
  return { id: messageId, body: bodyOf('webhook.ping', now, { webhookId }) };
}

function bodyOf(type: string, at: number, data: Record<string, unknown>): string {
  return wellFormedJson(JSON.stringify({ type, timestamp: toIso(at), data }));
}
