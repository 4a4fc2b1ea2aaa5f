import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '../../contract/schemas/board/webhook.ts';

/** Standard Webhooks 1.0.0: https://github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md. */

/** A secret as it is shown: the prefix and base64 of the key's bytes. */
export function webhookSecret(key: Buffer): string {
  return WEBHOOK_SECRET_PREFIX + key.toString('base64');
}

/** `v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`; `timestamp` is in seconds. */
export function signature(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** The three headers of an attempt, with a signature of each secret, the newest first. */
export function signedHeaders(
  secrets: readonly string[],
  id: string,
  timestamp: number,
  body: string,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => signature(secret, id, timestamp, body)).join(' '),
  };
}
