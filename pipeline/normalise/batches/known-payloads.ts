/** Hexadecimal digits of a payload hash that are kept: 64 bits. */
const HASH_HEX_DIGITS = 16;

function shortened(sha256: string): bigint {
  return BigInt(`0x${sha256.slice(0, HASH_HEX_DIGITS)}`);
}

/** Payload hashes, shortened and sorted, in memory that workers share. */
export function sharedHashes(sha256s: Iterable<string>, count: number): BigUint64Array<SharedArrayBuffer> {
  const hashes = new BigUint64Array(new SharedArrayBuffer(count * BigUint64Array.BYTES_PER_ELEMENT));
  let at = 0;
  for (const sha256 of sha256s) hashes[at++] = shortened(sha256);
  return hashes.sort();
}

/** True for every hash in `hashes`, and for any other hash with a chance of one in 10^13. */
export function mayHold(hashes: BigUint64Array, sha256: string): boolean {
  const wanted = shortened(sha256);
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] as bigint) < wanted) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === wanted;
}
