import { describe, expect, test } from 'vitest';
import { mapInOrder, PoolFull, WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

async function* upTo(count: number, fault?: Error): AsyncGenerator<number> {
  for (let number = 0; number < count; number++) yield number;
  if (fault) throw fault;
}

describe('mapping in order', () => {
  test('never has more than the limit under way', async () => {
    let underWay = 0;
    let most = 0;
    const work = async (input: number): Promise<number> => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      return input;
    };
    for await (const _output of mapInOrder(upTo(20), work, 3)) underWay--;
    expect([most, underWay]).toEqual([3, 0]);
  });

  test('a fault of the inputs comes behind the outputs before it', async () => {
    const outputs: number[] = [];
    const reading = async (): Promise<void> => {
      for await (const output of mapInOrder(upTo(3, new Error('cut')), async (input) => input, 8)) outputs.push(output);
    };
    await expect(reading()).rejects.toThrow('cut');
    expect(outputs).toEqual([0, 1, 2]);
  });

  test('a fault of the work comes at its place, and the inputs are ended', async () => {
    const outputs: number[] = [];
    let ended = false;
    async function* inputs(): AsyncGenerator<number> {
      try {
        yield* upTo(100);
      } finally {
        ended = true;
      }
    }
    const work = async (input: number): Promise<number> => {
      if (input >= 2) throw new Error(`no ${input}`);
      return input;
    };
    const reading = async (): Promise<void> => {
      for await (const output of mapInOrder(inputs(), work, 4)) outputs.push(output);
    };
    await expect(reading()).rejects.toThrow('no 2');
    expect([outputs, ended]).toEqual([[0, 1], true]);
  });
});

/** Doubles a number, throws for -1 and ends the worker for -2. */
const DOUBLING = new URL(
  `data:text/javascript,${encodeURIComponent(`
    export function double(number) {
      if (number === -1) throw new TypeError('minus one');
      if (number === -2) process.exit(3);
      if (number === -3) for (;;);
      return number * 2;
    }`)}`,
);
const poolOf = (options: WorkerPoolOptions = {}) => new WorkerPool<number, number>(DOUBLING, 'double', options);

describe('workers', () => {
  test('a function that throws rejects its own call', async () => {
    await using pool = poolOf({ inputs: 8 });
    const outcomes = await Promise.allSettled([pool.run(1), pool.run(-1), pool.run(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await expect(pool.run(-1)).rejects.toThrow(new TypeError('minus one'));
  });

  test('a worker that ends rejects the calls that it had, and the next call has a new one', async () => {
    await using pool = poolOf({ inputs: 2 });
    const outcomes = await Promise.allSettled([pool.run(-2), pool.run(1), pool.run(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await expect(pool.run(-2)).rejects.toThrow('ended by itself with code 3');
    expect(await pool.run(3)).toBe(6);
  });

  test('a call that waits too long in a queue, or is cancelled, is rejected and blocks no other', async () => {
    await using pool = poolOf({ maxWaiting: 1 });
    const caller = new AbortController();
    const busy = pool.run(-3, { signal: caller.signal });
    const next = pool.run(4);
    await expect(pool.run(5)).rejects.toThrow(PoolFull);
    caller.abort(new Error('gone'));
    await expect(busy).rejects.toThrow('gone');
    expect(await next).toBe(8);
  });

  test('disposing ends all workers, and rejects what they had not answered', async () => {
    const pool = poolOf({ count: 2 });
    const rejected = expect(pool.run(-3)).rejects.toThrow('the workers were stopped');
    await pool[Symbol.asyncDispose]();
    await rejected;
    await expect(pool.run(1)).rejects.toThrow('the workers were stopped');
  });
});
