import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { TWIN_EXPERIMENT_EXAMPLE } from '../../contract/declared/twin-examples.ts';
import { experimentBody } from '../../contract/schemas/research/twin.ts';
import { until } from '../../test/support/until.ts';
import { ModelRunPool, type ModelRunPoolOptions } from './experiment.ts';
import type { ModelRun } from './model-run.ts';

const FAILING = new URL('../../test/support/faults/failing-run.ts', import.meta.url);
const log = pino({ level: 'silent' });
const never = new AbortController().signal;

const failing = (more: Partial<ModelRunPoolOptions> = {}) => new ModelRunPool({ log, module: FAILING, ...more });

function runOf(id = 'fine'): ModelRun {
  const input = experimentBody.parse(TWIN_EXPERIMENT_EXAMPLE);
  return { kind: 'experiment', input: { ...input, model: { ...input.model, id } } };
}

describe('the pool of model runs', () => {
  it('carries a run out on another thread, and again with the same bytes', async () => {
    await using pool = new ModelRunPool({ log });
    const [one, other] = [await pool.run(runOf(), never), await pool.run(runOf(), never)];
    expect(one).toEqual({ json: expect.any(Uint8Array) });
    expect(one).toEqual(other);
  });

  it.each(['exit', 'throw', 'memory'])(
    'survives a thread that ends by %s: that run is unavailable, the next works',
    async (way) => {
      await using pool = failing();
      expect(await pool.run(runOf(way), never)).toBeNull();
      expect(await pool.run(runOf(), never)).toEqual({ json: expect.any(Uint8Array) });
    },
  );

  it('ends a run that takes too long, and has its thread for the next', async () => {
    await using pool = failing({ limitMs: 1_000 });
    expect(await pool.run(runOf('busy'), never)).toBeNull();
    // On a busy machine a valid run may exceed the limit too, so it is tried again.
    await until(async () => (await pool.run(runOf(), never)) !== null);
  });

  it('ends a run whose caller went away', async () => {
    await using pool = failing();
    const caller = new AbortController();
    const run = pool.run(runOf('busy'), caller.signal);
    caller.abort();
    expect(await run).toBeNull();
  });

  it('refuses what would wait behind too many others', async () => {
    await using pool = failing({ maxWaiting: 1 });
    const caller = new AbortController();
    const runs = ['busy', 'busy', 'busy', 'busy', 'busy'].map((id) => pool.run(runOf(id), caller.signal));
    expect(await Promise.race(runs)).toBeNull();
    expect(caller.signal.aborted).toBe(false);
    caller.abort();
    await Promise.all(runs);
  });

  it('takes nothing once it is closed, and ends what is under way', async () => {
    const pool = failing();
    const run = pool.run(runOf('busy'), never);
    await pool[Symbol.asyncDispose]();
    expect(await run).toBeNull();
    expect(await pool.run(runOf(), never)).toBeNull();
  });
});
