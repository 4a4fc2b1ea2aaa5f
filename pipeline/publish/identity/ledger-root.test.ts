import { expect, test } from 'vitest';
import { TestPublisher } from '../../../test/support/snapshots/publisher.ts';
import { ledgerRoot } from './table-root.ts';

test('the root of the working database is that of the snapshot with the same ids, and no other time changes it', async () => {
  await using publisher = await TestPublisher.of();
  const { db } = publisher;
  const before = await ledgerRoot(db);
  const published = (await publisher.publish()).manifest.tables.canonical_ids.root;
  expect([before, await ledgerRoot(db)]).toEqual([published, published]);
  await db.run("UPDATE canonical_ids SET first_seen = '2030-01-01T00:00:00.000Z'");
  expect(await ledgerRoot(db)).toBe(published);
  await db.run("UPDATE canonical_ids SET state = 'retired' WHERE canonical_id = 'wt_bbbbbbbbbbbb'");
  expect(await ledgerRoot(db)).not.toBe(published);
});
