import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { S3Client } from './s3-client.ts';
import { StorePointer } from './store-pointer.ts';

const VERSION = '20261126T100000Z-0a1b2c3d';
const next = (index: number) => ({ version: VERSION, release: `${index}`.repeat(64) });

let s3: FakeS3;
beforeEach(async () => {
  s3 = await startS3();
});
afterEach(() => s3[Symbol.asyncDispose]());

const opened = () => new StorePointer(new S3Client(s3.config, { waitAfter: () => 1 }), () => new Date());

describe('the pointer of a store', () => {
  it('is flipped by one of many publishers, to the next generation', async () => {
    const racers = Array.from({ length: 8 }, opened);
    expect(await opened().state()).toEqual({ pointer: null, candidate: null });
    for (let generation = 0; generation < 3; generation += 1) {
      const flips = await Promise.allSettled(racers.map((racer, index) => racer.flip(generation, next(index))));
      const won = flips.flatMap((flip) => (flip.status === 'fulfilled' ? [flip.value] : []));
      expect(won).toEqual([expect.objectContaining({ generation: generation + 1, version: VERSION })]);
      expect((await opened().state()).pointer).toEqual(won[0]);
      const lost = flips.flatMap((flip) => (flip.status === 'rejected' ? [String(flip.reason)] : []));
      expect(lost.length).toBe(7);
      for (const message of lost)
        expect(message).toContain(`this one began at generation ${generation}, and now it is`);
    }
  });

  it('names a candidate until a flip, and nothing changes from a generation that does not count', async () => {
    const pointer = opened();
    await pointer.announce(0, next(1));
    expect(await pointer.state()).toEqual({
      pointer: null,
      candidate: { ...next(1), announcedAt: expect.any(String) },
    });
    await pointer.flip(0, next(1));
    const before = await pointer.state();
    expect(before).toMatchObject({ pointer: { generation: 1, ...next(1) }, candidate: null });
    await expect(pointer.announce(0, next(2))).rejects.toThrow('began at generation 0');
    await expect(pointer.flip(0, next(2))).rejects.toThrow('began at generation 0');
    await expect(pointer.flip(2, next(2))).rejects.toThrow('began at generation 2');
    expect(await pointer.state()).toEqual(before);
  });

  it('has beside it the newest report of each replica', async () => {
    const pointer = opened();
    const report = { name: 'one', generation: 1, version: VERSION, staged: null };
    await pointer.report(report);
    await pointer.report({ ...report, generation: 2, staged: next(1).release });
    await pointer.report({ ...report, name: 'two', generation: 0, version: null });
    const live = await pointer.liveReplicas();
    expect(live.map(({ reportedAt: _at, ...rest }) => rest)).toEqual([
      { name: 'one', generation: 2, version: VERSION, staged: next(1).release },
      { name: 'two', generation: 0, version: null, staged: null },
    ]);
  });
});
