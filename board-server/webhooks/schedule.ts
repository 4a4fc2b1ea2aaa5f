import {
  WEBHOOK_ATTEMPT_SECONDS,
  WEBHOOK_CHALLENGE_SECONDS,
  WEBHOOK_JITTER_FRACTION,
} from '../../contract/limits/limits.ts';

const SECOND_MICROS = 1_000_000;
/** A target may ask for a pause, but not for one beyond the time in which it would be given up. */
const RETRY_AFTER_MAX_SECONDS = WEBHOOK_ATTEMPT_SECONDS.at(-1)!;

/**
 * When the next attempt is due after so many failures in a row, or null when there is none left. Times are microseconds;
 * `jitter`, from 0 to 1, lengthens the pause by a share of it, and `notBefore` is what the target asked for. The pause
 * counts from now, so that attempts which a stopped board missed do not crowd once it runs again.
 */
export function nextAttemptAt(
  kind: 'event' | 'challenge',
  failures: number,
  now: number,
  jitter: number,
  notBefore: number | null,
): number | null {
  const offsets: readonly number[] = kind === 'event' ? WEBHOOK_ATTEMPT_SECONDS : WEBHOOK_CHALLENGE_SECONDS;
  const offset = offsets[failures];
  if (offset === undefined) return null;
  const pause = (offset - (offsets[failures - 1] ?? 0)) * SECOND_MICROS;
  return Math.max(now + pause + Math.floor(pause * WEBHOOK_JITTER_FRACTION * jitter), notBefore ?? 0);
}

/** The time that a Retry-After header (seconds or an HTTP date) asks to wait for; null without a usable one. */
export function retryAfterAt(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const at = /^\d{1,9}$/.test(text) ? now + Number(text) * SECOND_MICROS : Date.parse(text) * 1000;
  if (Number.isNaN(at)) return null;
  return Math.max(now, Math.min(at, now + RETRY_AFTER_MAX_SECONDS * SECOND_MICROS));
}
