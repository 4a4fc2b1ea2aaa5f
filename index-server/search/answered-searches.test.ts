import { describe, expect, it } from 'vitest';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { type AnsweredSearch, answeredOnce } from './answered-searches.ts';

const image = (): SnapshotImage => ({}) as SnapshotImage;
const answer = (bytes: number): AnsweredSearch => ({
  page: { total: 1, returned: 1, scores: null, first: [], json: Buffer.alloc(bytes) },
  reading: { alsoMatching: { distinct: 0, because: [] }, notices: ['a'] },
  relevance: {},
  help: {},
  pageQuery: (page) => `page=${page}`,
});

/** Asks for the keys in turn; returns those that had to be answered. */
async function asked(keys: readonly string[], bytes: number, of = image()): Promise<string[]> {
  const answered: string[] = [];
  for (const key of keys) {
    const found = await answeredOnce(of, key, async () => {
      answered.push(key);
      return answer(bytes);
    });
    expect(found.page.json.length).toBe(bytes);
  }
  return answered;
}

describe('a search that was answered', () => {
  it('is not answered again, but for another image and by another key', async () => {
    const one = image();
    expect(await asked(['a', 'b', 'a', 'b'], 10, one)).toEqual(['a', 'b']);
    expect(await asked(['a', 'c'], 10, one)).toEqual(['c']);
    expect(await asked(['a'], 10)).toEqual(['a']);
  });

  it('is not kept when it is larger than its share', async () => {
    expect(await asked(['a', 'a'], 900_000)).toEqual(['a']);
    expect(await asked(['a', 'a'], 1_000_001)).toEqual(['a', 'a']);
  });

  it('leaves when newer ones take the room: all together hold a bounded number of bytes', async () => {
    const keys = Array.from({ length: 40 }, (_, place) => `${place}`);
    expect(await asked([...keys, '39', '0'], 900_000)).toEqual([...keys, '0']);
  });

  it('is not kept when it failed', async () => {
    const one = image();
    const fails = answeredOnce(one, 'a', () => Promise.reject(new Error('refused')));
    await expect(fails).rejects.toThrow('refused');
    expect(await asked(['a'], 10, one)).toEqual(['a']);
  });
});
