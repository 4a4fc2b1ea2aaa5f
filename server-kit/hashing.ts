import { createHash, timingSafeEqual } from 'node:crypto';

/** Bytes of a one-time token before base64url. */
export const TOKEN_BYTES = 32;

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** JSON with the keys of every object sorted, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );
}

/** Hash of what an object says, under which it is deduplicated; `type` keeps kinds apart. */
export function contentHash(type: string, content: Record<string, unknown>): string {
  return sha256(`${type}\n${canonicalJson(content)}`);
}

/** Whether a token is the one whose hash is stored, in time that does not depend on where they differ. */
export function isToken(token: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(token), 'hex'), Buffer.from(storedHash, 'hex'));
}
