import { describe, expect, test } from 'vitest';
import { mapInOrder, WorkerPool } from './worker-pool.ts';

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

/** A worker that doubles numbers, throws at -1 and ends itself at -2. */
const DOUBLING = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (number) => {
      if (number === -1) throw new TypeError('minus one');
      if (number === -2) process.exit(3);
      parentPort.postMessage(number * 2);
    });`)}`,
);

describe('workers', () => {
  test.each([
    ['throws', -1, 'minus one'],
    ['ends by itself', -2, 'ended by itself with code 3'],
  ])('one that %s fails all that is under way and all that comes', async (_name, input, message) => {
    await using pool = new WorkerPool<number, number>(DOUBLING, 1, null);
    expect(await pool.run(1, [])).toBe(2);
    const outcomes = await Promise.allSettled([pool.run(input, []), pool.run(2, [])]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(pool.run(3, [])).rejects.toThrow(message);
  });

  test('are all ended by disposing, and what they had not answered is rejected', async () => {
    const pool = new WorkerPool<number, number>(DOUBLING, 2, null);
    const open = pool.run(1, []);
    const rejected = expect(open).rejects.toThrow('the workers were stopped');
    await pool[Symbol.asyncDispose]();
    await rejected;
    await expect(pool.run(1, [])).rejects.toThrow('the workers were stopped');
  });
});
