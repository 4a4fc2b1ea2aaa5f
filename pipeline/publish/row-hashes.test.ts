import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorkingDatabase, temporaryDirectory } from '../../test/builders/working-database.ts';
import { anyCorpus, writeWideTables } from '../../test/builders/worlds.ts';
import { amountOf } from '../../test/support/runner/amount.ts';
import type { Database } from '../store/database.ts';
import { rootOfTable } from './identity/table-root.ts';
import { differingKeys, hashRegistrationsAgain, hashTrialsAgain, keepRowHashes } from './row-hashes.ts';

// The hashes kept for one corpus are there for the next: a hash that outlived its row would change a result.
test('over any corpora in turn, kept row hashes give the roots and the differing rows that the files alone give', async () => {
  await using place = await temporaryDirectory();
  await using db = await makeWorkingDatabase(place.path, { trials: [] });
  let before: { dir: string; root: string } | null = null;
  for (const [index, corpus] of fc
    .sample(anyCorpus, { numRuns: amountOf({ quick: 2, deep: 6 }), seed: 20261122 })
    .entries()) {
    const dir = await writeWideTables(db, place.path, corpus, `world-${index}`);
    const registrations = await hashRegistrationsAgain(db, dir);
    expect(registrations).toEqual(await rootOfTable(db, dir, 'registrations'));
    await keepRowHashes(db, 'registrations', registrations.root);
    const trials = await hashTrialsAgain(db, dir, registrations.root);
    expect(trials).toEqual(await rootOfTable(db, dir, 'trials'));
    if (before !== null && index % 3 !== 0) {
      const keys = await rowsByKey(db, before.dir, dir);
      expect(await differingKeys(db, 'trials', before.root)).toEqual(keys);
    }
    await keepRowHashes(db, 'trials', trials.root);
    before = { dir, root: trials.root };
  }
});

/** Canonical ids of trials whose rows differ between the two directories, or that only one of them has. */
async function rowsByKey(db: Database, before: string, after: string): Promise<string[]> {
  const sides = [before, after].map(async (dir) => {
    const rows = await db.all(`SELECT * FROM read_parquet('${join(dir, 'trials.parquet')}')`);
    return new Map(rows.map((row) => [String(row.canonical_id), JSON.stringify(row)]));
  });
  const [a, b] = await Promise.all(sides);
  return [...new Set([...a!.keys(), ...b!.keys()])].filter((id) => a!.get(id) !== b!.get(id)).sort();
}

test('the row hashes of other trials than the parent has tell no differences', async () => {
  await using place = await temporaryDirectory();
  const corpus = { trials: [{ canonicalId: 'wt_a', members: [{ id: 'NCT00000001' }] }] };
  await using db = await makeWorkingDatabase(place.path, corpus);
  const dir = await writeWideTables(db, place.path, corpus, 'a');
  await expect(hashTrialsAgain(db, dir, 'f'.repeat(64))).rejects.toThrow('do not belong to the registrations');
  const registrations = await hashRegistrationsAgain(db, dir);
  await keepRowHashes(db, 'registrations', registrations.root);
  const { root } = await hashTrialsAgain(db, dir, registrations.root);
  expect(await differingKeys(db, 'trials', root)).toBeNull();
  await keepRowHashes(db, 'trials', root);
  expect(await differingKeys(db, 'trials', '0'.repeat(64))).toBeNull();
  expect(await differingKeys(db, 'trials', root)).toEqual([]);
});
