import { createHash } from 'node:crypto';
import { BASE_32 } from '../../contract/base-32.ts';

const BITS = 5;

/** Usual length of an id; 60 bits, so that a collision among a million ids is a one-in-a-million event. */
const SHORT_HASH_LENGTH = 12;
/** Whole characters in 256 bits. */
const LONGEST = 51;

/** The first `length` (1 to 51) base-32 characters of the SHA-256 of `text` in UTF-8, most significant bit first. */
export function shortHash(text: string, length: number = SHORT_HASH_LENGTH): string {
  const digest = createHash('sha256').update(text, 'utf8').digest();
  let characters = '';
  let pending = 0;
  let pendingBits = 0;
  for (const byte of digest) {
    pending = ((pending << 8) | byte) & 0xfff;
    pendingBits += 8;
    while (pendingBits >= BITS && characters.length < length) {
      pendingBits -= BITS;
      characters += BASE_32[(pending >> pendingBits) & 31];
    }
    if (characters.length === length) break;
  }
  return characters;
}

/**
 * `prefix` and the shortest hash of `text`, from 12 characters up, that is not taken. Which of two colliding texts gets
 * the longer id depends on the order of calls, so callers ask in a fixed order.
 */
export function unusedId(
  prefix: string,
  text: string,
  isTaken: (id: string) => boolean,
  hash: (text: string, length: number) => string = shortHash,
): string {
  for (let length = SHORT_HASH_LENGTH; length <= LONGEST; length += 1) {
    const id = prefix + hash(text, length);
    if (!isTaken(id)) return id;
  }
  throw new Error(`every ${prefix} id of ${text} is taken: the table of ids holds it already`);
}
