import { hash, timingSafeEqual } from 'node:crypto';

/** Bytes of a one-time token before base64url. */
export const TOKEN_BYTES = 32;

/** SHA-256 of a text in UTF-8, or of bytes, in lower-case hex. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content);
}

/**
 * JSON with the keys of every object sorted, so that equal values have equal text. Keys that are whole numbers come first, in
 * numeric order, unlike in RFC 8785: the hashes of boards that exist rest on it.
 */
export function sortedJson(value: unknown): string {
  return JSON.stringify(ordered(value));
}

/** Leaves an object with `toJSON` to JSON.stringify. */
function ordered(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(ordered);
  const named = value as Record<string, unknown>;
  if (typeof named.toJSON === 'function') return ordered(JSON.parse(JSON.stringify(value)));
  const names = Object.keys(named).sort();
  return Object.fromEntries(names.map((name) => [name, ordered(named[name])]));
}

/** Hash of an object's content, by which it is deduplicated; `type` separates kinds. */
export function contentHash(type: string, content: Record<string, unknown>): string {
  return sha256(`${type}\n${sortedJson(content)}`);
}

/** Compares a token with a stored hash, in a time that does not depend on where they differ. */
export function isToken(token: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(token), 'hex'), Buffer.from(storedHash, 'hex'));
}
