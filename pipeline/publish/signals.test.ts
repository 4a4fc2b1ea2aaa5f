import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import {
  buildTestImage,
  makeWorkingDatabase,
  publishInputs,
  quietEffects,
  temporaryDirectory,
  tinyCorpus,
} from '../../test/builders/working-database.ts';
import { diff } from '../diff/diff.ts';
import { renderDiffText } from '../diff/render-text.ts';
import type { Database } from '../store/database.ts';
import { rootOfTable } from './identity/table-root.ts';
import { type Published, publish } from './publish.ts';
import { renderManifest } from './retention/version-list.ts';
import { verify } from './verify/verify.ts';

let root: { path: string } & AsyncDisposable;
let db: Database;
let first: Published;
let second: Published;

const feedState = (feed: string, items: number) => ({
  ...{
    feed,
    publisher: 'P',
    state: 'answered' as const,
    items,
    sha256: null,
    stale: false,
    reason: null,
    refused: 0,
    undated: 0,
  },
  ...{ future: 0, lastSuccessAt: '2026-11-20T03:00:00.000Z', lastAttemptAt: '2026-11-20T03:00:00.000Z' },
});
async function fill(ids: string[], firstSeen: string): Promise<void> {
  await db.run('DELETE FROM signals');
  for (const id of ids) {
    await db.run(
      `INSERT INTO signals VALUES ($1, 'a', 'P', 'en', NULL, 'T', NULL, NULL, $2, 'first_seen', 'news', NULL, 'I', ['trial'], NULL, [])`,
      [id, firstSeen],
    );
  }
}
const publishWith = (items: number) =>
  publish(publishInputs(root.path, tinyCorpus, { feeds: [feedState('a', items)] }), db, buildTestImage, quietEffects());

beforeAll(async () => {
  root = await temporaryDirectory();
  db = await makeWorkingDatabase(join(root.path, 'data'), tinyCorpus);
  await fill(['01', '02'], '2026-11-20T00:00:00.000Z');
  first = await publishWith(2);
  await fill(['02', '03', '04'], '2026-11-21T00:00:00.000Z');
  second = await publishWith(3);
});
afterAll(async () => {
  await db.close();
  await root[Symbol.asyncDispose]();
});

describe('signals in a snapshot', () => {
  test('stand in the manifest with the state of each feed, and are verified with it', async () => {
    expect(second.manifest.feeds).toEqual([feedState('a', 3)]);
    expect(renderManifest(second.manifest)).toContain(
      '\na                    3 items, last success 2026-11-20T03:00:00.000Z\n',
    );
    const snapshots = join(root.path, 'snapshots');
    expect((await verify(snapshots, second.version, quietEffects())).problems).toEqual([]);
    const wrong = await publishWith(4);
    expect((await verify(snapshots, wrong.version, quietEffects())).problems).toEqual([
      { file: 'manifest.json', message: 'items of a is 4, expected 3' },
    ]);
  });

  test('are counted as gained and lost between two', async () => {
    const found = await diff(join(root.path, 'snapshots'), first.version, second.version);
    expect(found.totals.signals).toEqual({ from: 2, lost: 1, gained: 2, to: 3 });
    expect(renderDiffText(found)).toContain('signals: 2 - 1 lost + 2 gained = 3\n');
  });

  test('have the same root whenever they were first seen', async () => {
    await fill(['01', '02'], '2026-11-22T00:00:00.000Z');
    const again = await publishWith(2);
    expect(again.manifest.tables.signals.root).toBe(first.manifest.tables.signals.root);
    expect(again.manifest.contentHash).toBe(first.manifest.contentHash);
  });

  test('do not keep a snapshot from being read that was made before its table had all columns', async () => {
    await using older = await temporaryDirectory();
    await db.run(
      `COPY (SELECT NULL::VARCHAR AS id, NULL::VARCHAR AS source WHERE false)
       TO ${sqlLiteral(join(older.path, 'signals.parquet'))} (FORMAT parquet)`,
    );
    expect(await rootOfTable(db, older.path, 'signals')).toEqual({
      rows: 0,
      root: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    });
  });
});
