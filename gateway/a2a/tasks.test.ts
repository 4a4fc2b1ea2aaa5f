import { describe, expect, it } from 'vitest';
import type { KeptTask } from './task.ts';
import { Tasks } from './tasks.ts';

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const CALLER = 'group 192.0.2.0/24';
const MINE = { address: '192.0.2.1', caller: CALLER, request: null };
const YOURS = { address: '192.0.2.2', caller: CALLER, request: null };

const taskOf = (id: string, hours = 0, text = 'Hello'): KeptTask => ({
  id,
  contextId: 'context',
  changedAt: new Date(START_MS + hours * HOUR_MS).toISOString(),
  history: [{ kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }] }],
  outcome: { state: 'input-required', why: 'No part of the message names a skill.' },
});

/** Tasks with a clock that the test sets, in hours from the start. */
function tasksAt(bounds: ConstructorParameters<typeof Tasks>[1] = {}) {
  const clock = { hours: 0 };
  const tasks = new Tasks(() => new Date(START_MS + clock.hours * HOUR_MS), bounds);
  const idsOf = (...ids: string[]): string[] => ids.filter((id) => tasks.find(id, CALLER) !== null);
  return { tasks, clock, idsOf };
}

describe('a task', () => {
  it('is read back as it was kept last, by its caller alone', () => {
    const { tasks } = tasksAt();
    tasks.keep(taskOf('a'), MINE);
    expect(tasks.find('a', CALLER)).toEqual(taskOf('a'));
    const canceled: KeptTask = { ...taskOf('a', 1), outcome: { state: 'canceled' } };
    tasks.keep(canceled, { ...YOURS, caller: 'key 0' });
    expect(tasks.find('a', CALLER)).toEqual(canceled);
    for (const caller of ['group 198.51.100.0/24', 'key 0', '']) expect(tasks.find('a', caller)).toBeNull();
  });

  it('is kept for 24 hours after it last changed, and not a millisecond longer', () => {
    const { tasks, clock, idsOf } = tasksAt();
    tasks.keep(taskOf('a'), { ...MINE, request: 'hash' });
    clock.hours = 24 - 1 / HOUR_MS;
    expect([idsOf('a'), tasks.findByRequest('hash')?.id]).toEqual([['a'], 'a']);
    clock.hours = 24;
    expect([idsOf('a'), tasks.findByRequest('hash')]).toEqual([[], null]);
  });

  it('is found by the hash of the message that began it, the newest first', () => {
    const { tasks } = tasksAt();
    tasks.keep(taskOf('a'), { ...MINE, request: 'hash' });
    tasks.keep(taskOf('b'), { ...MINE, request: 'hash' });
    tasks.keep(taskOf('c'), MINE);
    expect(tasks.findByRequest('hash')?.id).toBe('b');
    expect(tasks.findByRequest('other')).toBeNull();
  });

  it('has one next state: work for it runs in order, one at a time, also after a fault', async () => {
    const { tasks } = tasksAt();
    const order: string[] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      };
    await Promise.allSettled([tasks.exclusively('a', work('one', true)), tasks.exclusively('a', work('two'))]);
    expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });
});

describe('beyond a bound', () => {
  it('of tasks, the oldest of the same address leave and nobody else loses any', () => {
    const { tasks, idsOf } = tasksAt({ tasksPerAddress: 3 });
    tasks.keep(taskOf('yours', -1), YOURS);
    for (const [number, id] of ['a', 'b', 'c', 'd', 'e'].entries()) tasks.keep(taskOf(id, number / 100), MINE);
    expect(idsOf('yours', 'a', 'b', 'c', 'd', 'e')).toEqual(['yours', 'c', 'd', 'e']);
  });

  it('of bytes, the oldest of the same address leave, and a task that grows counts by what it is now', () => {
    const { tasks, idsOf } = tasksAt({ bytesPerAddress: 40_000 });
    tasks.keep(taskOf('yours', -1, 'x'.repeat(30_000)), YOURS);
    tasks.keep(taskOf('a', 0, 'x'.repeat(15_000)), MINE);
    tasks.keep(taskOf('b', 0.1, 'x'.repeat(15_000)), MINE);
    expect(idsOf('yours', 'a', 'b')).toEqual(['yours', 'a', 'b']);
    tasks.keep(taskOf('b', 0.2, 'x'.repeat(30_000)), MINE);
    expect(idsOf('yours', 'a', 'b')).toEqual(['yours', 'b']);
    tasks.keep(taskOf('c', 0.3, 'x'.repeat(60_000)), MINE);
    expect(idsOf('yours', 'b', 'c')).toEqual(['yours']);
  });

  it('of all bytes, the oldest of all leave', () => {
    const { tasks, idsOf } = tasksAt({ bytesTotal: 40_000 });
    tasks.keep(taskOf('yours', -1, 'x'.repeat(15_000)), YOURS);
    for (const [number, id] of ['a', 'b'].entries()) tasks.keep(taskOf(id, number / 100, 'x'.repeat(15_000)), MINE);
    expect(idsOf('yours', 'a', 'b')).toEqual(['a', 'b']);
  });
});
