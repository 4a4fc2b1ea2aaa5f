import type { ClaimRecord } from '../../../contract/schemas/claim.ts';
import { type Html, html } from '../html.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;

/** The remaining time of a lease, in words; in whole minutes, rounded down. */
export function timeLeft(expiresAt: string, now: Date): string {
  const milliseconds = Date.parse(expiresAt) - now.getTime();
  if (milliseconds <= 0) return 'lease ended';
  const minutes = Math.floor(milliseconds / MINUTE_MS);
  if (minutes === 0) return 'less than a minute left';
  if (minutes < HOUR_MINUTES) return `${minutes} min left`;
  return `${Math.floor(minutes / HOUR_MINUTES)} h ${minutes % HOUR_MINUTES} min left`;
}

/** The remaining lease of a live claim with the instant of its end, or the claim's final state. */
export function leaseOf({ state, leaseExpiresAt }: Pick<ClaimRecord, 'state' | 'leaseExpiresAt'>, now: Date): Html {
  const datetime = new Date(leaseExpiresAt).toISOString();
  const words = state === 'active' ? timeLeft(leaseExpiresAt, now) : state;
  return html`<time datetime="${datetime}">${words}</time>`;
}
