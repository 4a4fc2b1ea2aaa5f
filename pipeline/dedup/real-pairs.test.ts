import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FixtureCorpus, fillFixture, fixedEffects, openFixture } from '../../test/support/dedup-corpus.ts';
import type { Database } from '../store/database.ts';
import { type DedupReport, dedup } from './dedup.ts';

const FILE = resolve(import.meta.dirname, '../../../shared/registry-data/pairs/nct-isrctn-pairs.csv');

interface RealPair {
  nct: string;
  isrctn: string;
  /** Who is known to assert the pair: the registries themselves and others. */
  assertedBy: string[];
}

function readPairs(): RealPair[] {
  const [, ...lines] = readFileSync(FILE, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [nct, isrctn, , , assertedBy] = line.split(',');
    return { nct: nct!, isrctn: isrctn!, assertedBy: assertedBy!.split(';') };
  });
}

function corpusOf(pairs: RealPair[], saidBy: (pair: RealPair, side: 'ctgov' | 'isrctn') => boolean): FixtureCorpus {
  const ids = new Set(pairs.flatMap((pair) => [pair.nct, pair.isrctn]));
  return {
    held: [...ids].map((id) => ({ id })),
    stated: pairs.flatMap((pair) => [
      ...(saidBy(pair, 'isrctn') ? [{ by: pair.isrctn, type: 'nct' as const, value: pair.nct }] : []),
      ...(saidBy(pair, 'ctgov') ? [{ by: pair.nct, type: 'isrctn' as const, value: pair.isrctn }] : []),
    ]),
  };
}

/** Ids of one side that are paired with more than one id of the other. */
function withSeveral(pairs: RealPair[], side: 'nct' | 'isrctn'): string[] {
  return [...Map.groupBy(pairs, (pair) => pair[side])].filter(([, group]) => group.length > 1).map(([id]) => id);
}

describe.skipIf(!existsSync(FILE))('the known pairs of the two registries', () => {
  let db: Database;
  let pairs: RealPair[];
  beforeAll(async () => {
    pairs = readPairs();
    db = await openFixture();
  });
  afterAll(() => db.close());

  async function run(saidBy: Parameters<typeof corpusOf>[1]): Promise<DedupReport> {
    await fillFixture(db, corpusOf(pairs, saidBy));
    return dedup({ previousLedger: [] }, db, fixedEffects('2026-11-21T00:00:00.000Z'));
  }

  async function merged(ids: string[]): Promise<number> {
    const row = await db.one(
      `SELECT count(*)::INTEGER AS merged FROM trial_members m
       WHERE registration_id IN (SELECT unnest($1::VARCHAR[]))
         AND (SELECT count(*) FROM trial_members o WHERE o.canonical_id = m.canonical_id) > 1`,
      [`[${ids.join(', ')}]`],
    );
    return Number(row?.merged);
  }

  test('as the registries themselves assert them merge, save the five records that name or are named by two', async () => {
    const report = await run((pair, side) => pair.assertedBy.includes(side));
    expect(report).toMatchObject({
      registrations: 1517,
      trials: 784,
      merged: 733,
      linksAccepted: 736,
      linksRejected: 10,
      conflicts: 0,
      relations: 10,
      unresolved: 0,
      pairs: { mutual: 3, oneWay: 740, shared: 0 },
    });
    const disputed = await db.all(`SELECT DISTINCT least(from_id, to_id) AS isrctn, greatest(from_id, to_id) AS nct
      FROM links WHERE verdict = 'rejected' ORDER BY nct, isrctn`);
    expect(disputed.map((row) => `${row.nct} ${row.isrctn}`)).toEqual([
      'NCT00058201 ISRCTN37494643',
      'NCT00058201 ISRCTN96397434',
      'NCT00147030 ISRCTN89547571',
      'NCT00162656 ISRCTN17584197',
      'NCT00162656 ISRCTN25173819',
      'NCT01092637 ISRCTN89547571',
      'NCT01220895 ISRCTN53325562',
      'NCT01220895 ISRCTN75391842',
      'NCT01855152 ISRCTN40313497',
      'NCT01855152 ISRCTN62237498',
    ]);
    expect(await merged([...withSeveral(pairs, 'nct'), ...withSeveral(pairs, 'isrctn')])).toBe(4);
  });

  test('merge with the one number that an ISRCTN record names itself where others name it too', async () => {
    const report = await run((pair, side) => (side === 'isrctn') === pair.assertedBy.includes('isrctn'));
    expect(report).toMatchObject({ trials: 774, merged: 743 });
    expect(await merged(['ISRCTN31488319', 'NCT00078832'])).toBe(2);
    expect(await merged(['ISRCTN73824458', 'NCT00161070'])).toBe(2);
    expect(await merged(['ISRCTN76456502', 'NCT00423618'])).toBe(2);
    // These records name none or two.
    expect(await merged(['ISRCTN12345678', 'ISRCTN83971151', 'ISRCTN89547571'])).toBe(0);
  });
});
