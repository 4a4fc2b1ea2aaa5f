import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TABLE_SPECS, writtenColumns } from '../../snapshot/sql/tables.ts';
import { fillWorkingDatabase, makeWorkingDatabase, temporaryDirectory } from '../../test/builders/working-database.ts';
import type { Database } from '../store/database.ts';
import { rootOfTable } from './identity/table-root.ts';
import { type BlockedTable, hashBlocks } from './row-blocks.ts';

/**
 * What each record says and what its rows show. The ids below lie in three blocks; two of these blocks are adjacent.
 */
const record = fc.record({
  held: fc.boolean(),
  payload: fc.constantFrom('{"v":1}', '{"v":2}'),
  values: fc.array(fc.constantFrom('a', 'b', "é'\u0000"), { maxLength: 3 }),
  resolves: fc.boolean(),
});
type Held = typeof record extends fc.Arbitrary<infer T> ? T : never;
const IDS = ['NCT00000001', 'NCT00000002', 'NCT00000101', 'ISRCTN00000001'];
const anyWorld = fc.tuple(...IDS.map(() => record));

function corpusOf(world: readonly Held[]) {
  const held = world.flatMap((said, n) => (said.held ? [{ id: IDS[n] as string, ...said }] : []));
  const registry = (id: string) => (id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn');
  return {
    trials: held.map(({ id, payload }) => ({ canonicalId: `wt_${id.slice(-6)}${id}`, members: [{ id, payload }] })),
    identifiers: held.flatMap(({ id, values, resolves }) =>
      values.map((value, place) => ({
        ...{ registry: registry(id), registration_id: id, type: 'other', value, role: 'declared', field: `f${place}` },
        ...{ raw_value: value, suspect: false, in_index: resolves, resolves_to: resolves ? 'NCT00000001' : null },
      })),
    ),
    publications: held.flatMap(({ id, values }) =>
      values.map((citation, ordinal) => ({
        ...{ registry: registry(id), registration_id: id, ordinal, kind: 'other', citation, retracted: false },
      })),
    ),
  };
}

async function write(db: Database, dir: string, table: Exclude<BlockedTable, 'raw'>): Promise<void> {
  const { source } = TABLE_SPECS[table];
  await db.run(
    `COPY (SELECT ${writtenColumns(table)} FROM ${source}) TO '${join(dir, `${table}.parquet`)}' (FORMAT parquet)`,
  );
}

// The blocks kept for one world are there when the next is hashed: a block that outlived its rows would change a hash.
test('over any worlds in turn, kept blocks give the roots that the files alone give', async () => {
  await using place = await temporaryDirectory();
  await using db = await makeWorkingDatabase(place.path, { trials: [] });
  for (const [index, world] of fc.sample(anyWorld, { numRuns: 5, seed: 20261122 }).entries()) {
    const dir = join(place.path, `world-${index}`);
    await mkdir(dir);
    await fillWorkingDatabase(db, place.path, corpusOf(world));
    for (const table of ['identifiers', 'publications', 'canonical_ids'] as const) {
      await write(db, dir, table);
      expect([table, await hashBlocks(db, dir, table)]).toEqual([table, await rootOfTable(db, dir, table)]);
    }
  }
});
