import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Asks all at once; the first character is the address. Returns the order in which they began, with the turn of each. */
async function begun(asked: string[]): Promise<[string, number][]> {
  const turns = new Turns();
  const order: [string, number][] = [];
  let turn = 0;
  let counting = true;
  const count = (): void => {
    turn += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(
    asked.map(async (name) => {
      await turns.take(name[0]!);
      order.push([name, turn]);
    }),
  );
  counting = false;
  expect(['a', 'b', 'never asked'].map((address) => turns.waiting(address))).toEqual([0, 0, 0]);
  return order;
}

describe('turns', () => {
  it('are taken by addresses, two requests in each turn of the event loop', async () => {
    expect(await begun(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1'])).toEqual([
      ['a1', 0],
      ['a2', 0],
      ['a3', 1],
      ['b1', 1],
      ['c1', 2],
      ['a4', 2],
      ['b2', 3],
      ['a5', 3],
    ]);
  });

  it('are not waited for where few ask', async () => {
    const turns = new Turns();
    expect([turns.take('a'), turns.take('b')]).toEqual([null, null]);
    expect(turns.take('b')).toBeInstanceOf(Promise);
    expect(turns.waiting('b')).toBe(1);
    while (turns.waiting('b') > 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(turns.take('c')).toBeNull();
  });
});
