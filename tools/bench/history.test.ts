import { expect, it } from 'vitest';
import { manifestOf } from './history.ts';

it('makes manifests that the servers read, with and without a parent', () => {
  const [at, pack] = [new Date('2026-01-02T03:00:00Z'), Buffer.from('a pack')];
  const [first, second] = ['20260102T030000Z-00000001', '20260103T030000Z-00000002'];
  expect(manifestOf(first, at, null, pack)).toMatchObject({ version: first, parent: null, storedChanges: null });
  expect(manifestOf(second, at, first, pack)).toMatchObject({ parent: first, storedChanges: { pack: { bytes: 6 } } });
});
