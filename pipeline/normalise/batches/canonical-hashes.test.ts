import { expect, test } from 'vitest';
import { type CanonicalHash, canonicalHash, canonicalHashes, type NamedPayloads } from './canonical-hashes.ts';

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

test('the day of the whole data set is left out; any other text of that name, and a study without it, is hashed as it stands', () => {
  const on = (day: string, title = 'T'): string =>
    JSON.stringify({ title, derivedSection: { miscInfoModule: { versionHolder: day, submissionTracking: {} } } });
  expect(canonicalHash(on('2026-11-21'))).toBe(canonicalHash(on('2026-11-20')));
  expect(canonicalHash(on('2026-11-20', 'U'))).not.toBe(canonicalHash(on('2026-11-20')));
  expect(canonicalHash('{"versionHolder":"2026-11-20"}')).not.toBe(canonicalHash('{"versionHolder":"2026-11-21"}'));
  for (const odd of ['{"derivedSection":null}', '{"derivedSection":{"miscInfoModule":null}}', '{"derivedSection":7}'])
    expect(canonicalHash(odd)).toMatch(/^[0-9a-f]{64}$/);
  expect(canonicalHash('{"derivedSection":{"miscInfoModule":"2026"}}')).toMatch(/^[0-9a-f]{64}$/);
});
