import { hash, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../proof/canonical-json.ts';

/** Bytes of a one-time token before base64url. */
export const TOKEN_BYTES = 32;

export function sha256(text: string): string {
  return hash('sha256', text);
}

/** Hash of an object's content, by which it is deduplicated; `type` separates kinds. */
export function contentHash(type: string, content: Record<string, unknown>): string {
  return sha256(`${type}\n${canonicalJson(content)}`);
}

/** Compares a token with a stored hash, in a time that does not depend on where they differ. */
export function isToken(token: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(token), 'hex'), Buffer.from(storedHash, 'hex'));
}
