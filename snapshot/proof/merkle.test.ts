import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RootOfLeaves } from './merkle.ts';

/** The eight leaves of Certificate Transparency's reference test, in hex. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');
const leafHash = (data: Uint8Array): Buffer => sha256(Buffer.of(0), data);
const hashes = LEAVES.map((hex) => leafHash(Buffer.from(hex, 'hex')));

test('roots are those of the reference test of Certificate Transparency', () => {
  for (const [index, root] of ROOTS.entries()) {
    const growing = new RootOfLeaves();
    growing.add(Buffer.concat(hashes.slice(0, index + 1)));
    expect(growing.root().toString('hex')).toBe(root);
  }
  expect(new RootOfLeaves().root().toString('hex')).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  );
});

/** The recursion of RFC 6962, word by word. */
function plainRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0]!;
  let left = 1;
  while (left * 2 < leaves.length) left *= 2;
  return sha256(Buffer.of(1), plainRoot(leaves.slice(0, left)), plainRoot(leaves.slice(left)));
}

test('a tree that grows by any number of leaves at a time has the root that the definition gives', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 700 }), fc.integer({ min: 1, max: 90 }), (size, pack) => {
      const leaves = Array.from({ length: size }, (_, index) => leafHash(Buffer.from(String(index))));
      const growing = new RootOfLeaves();
      for (let at = 0; at < size; at += pack) growing.add(Buffer.concat(leaves.slice(at, at + pack)));
      expect(growing.size).toBe(size);
      expect(growing.root().equals(plainRoot(leaves))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
