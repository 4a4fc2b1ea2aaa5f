import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { Store } from './store.ts';

const VERSION = '20261126T100000Z-0a1b2c3d';
const next = (index: number) => ({ version: VERSION, release: `${index}`.repeat(64) });

let s3: FakeS3;
beforeEach(async () => {
  s3 = await startS3();
});
afterEach(() => s3[Symbol.asyncDispose]());

const opened = () => Store.of(s3.config, { now: () => new Date() });

describe('the pointer of a store', () => {
  it('is flipped by one of many publishers, to the next generation', async () => {
    const racers = Array.from({ length: 8 }, opened);
    expect(await opened().pointer()).toBeNull();
    for (let generation = 0; generation < 3; generation += 1) {
      const flips = await Promise.allSettled(racers.map((racer, index) => racer.flip(generation, next(index))));
      const won = flips.flatMap((flip) => (flip.status === 'fulfilled' ? [flip.value] : []));
      expect(won).toEqual([expect.objectContaining({ generation: generation + 1, version: VERSION })]);
      expect(await opened().pointer()).toEqual(won[0]);
      const lost = flips.flatMap((flip) => (flip.status === 'rejected' ? [String(flip.reason)] : []));
      expect(lost.length).toBe(7);
      for (const message of lost)
        expect(message).toContain(`this one began at generation ${generation}, and now it is`);
    }
  });

  it('does not change from a generation that does not count', async () => {
    const pointer = opened();
    await pointer.flip(0, next(1));
    const before = await pointer.pointer();
    expect(before).toMatchObject({ generation: 1, ...next(1) });
    await expect(pointer.flip(0, next(2))).rejects.toThrow('began at generation 0');
    await expect(pointer.flip(2, next(2))).rejects.toThrow('began at generation 2');
    expect(await pointer.pointer()).toEqual(before);
  });
});
