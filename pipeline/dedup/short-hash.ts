import { hash } from 'node:crypto';
import { BASE_32 } from '../../contract/base-32.ts';

const BITS = 5;
const DIGEST_BITS = 256;

/** Usual length of an id; 60 bits, so that a collision among a million ids is a one-in-a-million event. */
const SHORT_HASH_LENGTH = 12;
/** Whole characters in 256 bits. */
const LONGEST = 51;

/** The first `length` (1 to 51) base-32 characters of the SHA-256 of `text` in UTF-8, most significant bit first. */
export function shortHash(text: string, length: number = SHORT_HASH_LENGTH): string {
  const digest = BigInt(`0x${hash('sha256', text, 'hex')}`);
  const digits = (digest >> BigInt(DIGEST_BITS - BITS * length)).toString(2 ** BITS).padStart(length, '0');
  return digits.replace(/./g, (digit) => BASE_32[Number.parseInt(digit, 2 ** BITS)] as string);
}

/**
 * `prefix` and the shortest hash of `text`, from 12 characters up, that is not taken. Which of two colliding texts gets
 * the longer id depends on the order of calls, so callers ask in a fixed order.
 */
export function unusedId(
  prefix: string,
  text: string,
  isTaken: (id: string) => boolean,
  hashOf: (text: string, length: number) => string = shortHash,
): string {
  for (let length = SHORT_HASH_LENGTH; length <= LONGEST; length += 1) {
    const id = prefix + hashOf(text, length);
    if (!isTaken(id)) return id;
  }
  throw new Error(`every ${prefix} id of ${text} is taken: the table of ids holds it already`);
}
