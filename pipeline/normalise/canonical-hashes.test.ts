import { expect, test } from 'vitest';
import { type CanonicalHash, canonicalHashes, type NamedPayloads } from './canonical-hashes.ts';

/** SHA-256 of `{"a":1,"b":[]}`. */
const ONE = 'f87e4099e9be5e75094e0a4f46d3dc18a9c37429314a5a2490fb78d31e7e170c';

async function* payloads(): AsyncGenerator<NamedPayloads> {
  yield { ids: ['NCT1', 'NCT2'], payloads: ['{"a":1,"b":[]}', ' { "b" : [ ], "\\u0061" : 1.0 }'] };
  yield { ids: ['NCT3'], payloads: ['\uFEFF{"a":1e0,"b":[]}'] };
  yield { ids: Array.from({ length: 200 }, (_, place) => `N${place}`), payloads: Array(200).fill('{"a":2,"b":[]}') };
}

async function hashesBy(threads: number): Promise<CanonicalHash[]> {
  return Array.fromAsync(canonicalHashes(payloads(), threads));
}

test('equal values have the hash of the canonical form, however they are written, with and without workers', async () => {
  const found = await hashesBy(0);
  expect(found.slice(0, 3)).toEqual(['NCT1', 'NCT2', 'NCT3'].map((id) => ({ id, canonical: ONE })));
  expect(new Set(found.slice(3).map(({ canonical }) => canonical)).size).toBe(1);
  expect(found[3]?.canonical).not.toBe(ONE);
  expect(found).toHaveLength(203);
  expect(await hashesBy(2)).toEqual(found);
});
