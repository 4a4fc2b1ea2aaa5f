import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  buildTestImage,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../../test/builders/working-database.ts';
import { publish } from '../publish.ts';
import { ledgerRoot } from './ledger-root.ts';

test('the root of the working database is that of the snapshot with the same ids, and no other time changes it', async () => {
  await using root = await temporaryDirectory();
  await using db = await makeWorkingDatabase(join(root.path, 'data'), tinyCorpus);
  const before = await ledgerRoot(db);
  const { manifest } = await publish(publishInputs(root.path, tinyCorpus), db, buildTestImage, quietEffects());
  const published = manifest.tables.canonical_ids.root;
  expect([before, await ledgerRoot(db)]).toEqual([published, published]);
  await db.run("UPDATE canonical_ids SET first_seen = '2030-01-01T00:00:00.000Z'");
  expect(await ledgerRoot(db)).toBe(published);
  await db.run("UPDATE canonical_ids SET state = 'retired' WHERE canonical_id = 'wt_bbbbbbbbbbbb'");
  expect(await ledgerRoot(db)).not.toBe(published);
});
