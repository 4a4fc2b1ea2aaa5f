import { describe, expect, it } from 'vitest';
import { FeedPages } from '../../../board-server/changes/feed-pages.ts';
import { pooledRandom } from '../../../board-server/store/effects.ts';
import type { EventKind } from '../../../contract/ids.ts';
import { boardForAll } from '../../support/board/board.ts';
import { post } from '../../support/board/feed-board.ts';

const feed = boardForAll();

describe('pages that are kept', () => {
  it('are those that would be read anew, whatever was posted since', async () => {
    const kept = new FeedPages();
    const times = [0];
    for (const kind of ['claim', 'message', 'claim', 'finding', 'claim', 'claim', 'link'] as EventKind[]) {
      const { ts } = await post(feed.board, kind, `object ${times.length}`);
      times.push(ts);
      for (const limit of [1, 3, 50]) {
        for (const after of times) {
          for (const only of [null, 'claim', 'link'] as const) {
            const range = { after, filter: { kind: only }, limit };
            expect(await kept.read(feed.board.read, range)).toEqual(await new FeedPages().read(feed.board.read, range));
          }
        }
      }
    }
    expect(kept.size).toBeGreaterThan(40);
  });

  it('are those asked for again, in as much memory as they may take and no more', async () => {
    const first = { after: 0, filter: {}, limit: 1 };
    const { page } = await new FeedPages().read(feed.board.read, first);
    const kept = new FeedPages(3 * (page.json.length + 600));
    const read = (limit: number) => kept.read(feed.board.read, { ...first, limit });
    await read(1);
    expect(kept.size).toBe(0);
    const one = (await read(1)).page;
    expect([kept.size, (await read(1)).page === one]).toEqual([1, true]);
    for (const limit of [2, 2, 3, 3, 4, 4, 7, 7]) await read(limit);
    expect(kept.size).toBeLessThan(3);
    expect((await read(1)).page === one).toBe(false);
  });
});

it('random bytes that are taken many at a time are given once each', () => {
  let filled = 0;
  const random = pooledRandom((pool) => {
    for (let place = 0; place < pool.length; place += 4) {
      filled += 1;
      pool.writeUInt32BE(filled, place);
    }
  });
  const given = Array.from({ length: 2500 }, (_, turn) => random(turn % 2 === 0 ? 4 : 32));
  const words = given.flatMap((bytes) =>
    Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32BE(4 * at)),
  );
  expect(new Set(words).size).toBe(words.length);
  expect(() => random(5000)).toThrow(RangeError);
});
