import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { DIFF_KINDS } from '../../contract/schemas/trials/snapshot-diff.ts';
import { diff, type SnapshotDiff } from '../../pipeline/diff/diff.ts';
import { EVERY_CHANGE_AFTER, EVERY_CHANGE_BEFORE } from '../../test/builders/every-change.ts';
import { TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { type ComparedVersion, Comparisons, type ComparisonsOptions, compareLists } from './comparisons.ts';

const ALL = { offset: 0, limit: 100 };
let publisher: TestPublisher;
let from: ComparedVersion;
let to: ComparedVersion;
let whole: SnapshotDiff;

beforeAll(async () => {
  publisher = await TestPublisher.of(EVERY_CHANGE_BEFORE);
  const a = await publisher.publish();
  const b = await publisher.publishNext(EVERY_CHANGE_AFTER, { accept: ['shrink:clinicaltrials_gov'] });
  from = { dir: publisher.dir(a.version), version: a.version };
  to = { dir: publisher.dir(b.version), version: b.version };
  whole = await diff(publisher.snapshots, a.version, b.version, null);
  return () => publisher[Symbol.asyncDispose]();
});

function open(options: Partial<ComparisonsOptions> = {}): Comparisons {
  return new Comparisons({ log: pino({ level: 'silent' }), waitMs: 900_000, ...options });
}

async function entries(comparisons: Comparisons, filter: Parameters<Comparisons['read']>[2], range = ALL) {
  const compared = await comparisons.read(from, to, filter, range);
  if (compared.state !== 'compared') throw new Error(compared.state);
  return { total: compared.page.total, entries: compared.page.entries.map((entry) => JSON.parse(entry)) };
}

/** Counts the comparisons that are made, and the lists that are dropped. */
function counting() {
  const count = { compared: 0, dropped: 0 };
  const compare: typeof compareLists = async (...given) => {
    count.compared += 1;
    const lists = await compareLists(...given);
    const drop = lists[Symbol.asyncDispose];
    return Object.assign(lists, {
      [Symbol.asyncDispose]: () => {
        count.dropped += 1;
        return drop();
      },
    });
  };
  return { count, compare };
}

describe('a comparison', () => {
  test('has the totals and every list of the command line, in its order', async () => {
    await using comparisons = open();
    const first = await comparisons.read(from, to, { kind: 'trials-added' }, ALL);
    expect(first).toMatchObject({ state: 'compared', totals: whole.totals });
    for (const kind of DIFF_KINDS) {
      const [group, name] = kind.split('-') as ['trials', 'added'];
      const expected = whole[group][name];
      expect(expected.length, kind).toBeGreaterThan(0);
      expect(await entries(comparisons, { kind }), kind).toEqual({ total: expected.length, entries: expected });
    }
  });

  test('is filtered by field, by a registry on either side and by a part of an id in any case, with exact totals', async () => {
    await using comparisons = open();
    const idsOf = async (filter: Parameters<Comparisons['read']>[2]) =>
      (await entries(comparisons, filter)).entries.map(({ canonicalId }) => canonicalId);
    const kind = 'trials-changed';
    expect(await idsOf({ kind })).toEqual(['wt_changed00000', 'wt_joins0000000', 'wt_parts0000000']);
    expect(await idsOf({ kind, field: 'title' })).toEqual(['wt_changed00000']);
    expect(await idsOf({ kind, registry: 'isrctn' })).toEqual(['wt_joins0000000', 'wt_parts0000000']);
    expect(await idsOf({ kind, q: 'isrctn00000005' })).toEqual(['wt_parts0000000']);
    expect(await idsOf({ kind, field: 'registries', registry: 'isrctn', q: 'WT_J' })).toEqual(['wt_joins0000000']);
    expect(await idsOf({ kind, q: '%' })).toEqual([]);
    const second = await entries(comparisons, { kind }, { offset: 1, limit: 1 });
    expect([second.total, second.entries[0].canonicalId]).toEqual([3, 'wt_joins0000000']);
  });

  test('is made once for all who ask, also at the same time', async () => {
    const { count, compare } = counting();
    await using comparisons = open({ compare });
    await Promise.all(DIFF_KINDS.map((kind) => comparisons.read(from, to, { kind }, ALL)));
    await comparisons.read(from, to, { kind: 'links-lost' }, ALL);
    expect(count.compared).toBe(1);
  });

  test('that takes longer than a request may goes on, and a later request finds it', async () => {
    const { count, compare } = counting();
    await using comparisons = open({ compare, waitMs: 0 });
    expect(await comparisons.read(from, to, { kind: 'trials-added' }, ALL)).toEqual({ state: 'unfinished' });
    await expect
      .poll(async () => (await comparisons.read(from, to, { kind: 'trials-added' }, ALL)).state)
      .toBe('compared');
    expect(count.compared).toBe(1);
  });

  test('that fails is said to have failed, and is tried again only after a while', async () => {
    const { count, compare } = counting();
    const gone = { ...from, dir: join(publisher.path, 'gone') };
    await using comparisons = open({ compare, failedMs: 60_000 });
    const read = () => comparisons.read(gone, to, { kind: 'trials-added' }, ALL);
    expect(await read()).toEqual({ state: 'failed', retryAfterSeconds: 60 });
    expect(await read()).toEqual({ state: 'failed', retryAfterSeconds: 60 });
    expect(count.compared).toBe(1);
    const other = counting();
    await using eager = open({ compare: other.compare, failedMs: 0 });
    await eager.read(gone, to, { kind: 'trials-added' }, ALL);
    await expect
      .poll(async () => {
        await eager.read(gone, to, { kind: 'trials-added' }, ALL);
        return other.count.compared;
      })
      .toBeGreaterThan(1);
  });

  test('goes when others were asked for since, and is made anew', async () => {
    const { count, compare } = counting();
    await using comparisons = open({ compare, keptPairs: 1 });
    await comparisons.read(from, to, { kind: 'trials-added' }, ALL);
    await comparisons.read(to, from, { kind: 'trials-added' }, ALL);
    expect(count).toEqual({ compared: 2, dropped: 1 });
    expect((await comparisons.read(from, to, { kind: 'trials-added' }, ALL)).state).toBe('compared');
    expect(count.compared).toBe(3);
  });

  test('under way ends with the server, which then compares nothing more', async () => {
    const comparisons = open({ waitMs: 0 });
    await comparisons.read(from, to, { kind: 'trials-added' }, ALL);
    await comparisons[Symbol.asyncDispose]();
    expect((await comparisons.read(to, from, { kind: 'trials-added' }, ALL)).state).toBe('too many');
  });
});
