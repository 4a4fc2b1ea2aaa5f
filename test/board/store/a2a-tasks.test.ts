import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Tasks } from '../../../board-server/a2a/tasks.ts';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import { storedRows } from '../../support/board/stored-rows.ts';

/** A2A tasks that gateways share, in the store of the board. */

const HOUR_MS = 3_600_000;
const ADA = { address: '192.0.2.1', caller: 'group 192.0.2.0/24', request: null };
const BOB = { address: '198.51.100.1', caller: 'group 198.51.100.0/24', request: null };

let board: TestBoard;
beforeEach(async () => {
  board = await openBoard();
});
afterEach(() => board[Symbol.asyncDispose]());

const open = (bounds = {}) =>
  new Tasks({ board: board.services.board, addressSalt: 'test', now: board.clock.now, bounds });
const sent = (
  id: string,
  owner = ADA as typeof ADA | (Omit<typeof ADA, 'request'> & { request: string }),
  bytes = 100,
) => ({
  ...{ id, ...owner, changedAt: board.clock.now().getTime() },
  body: Buffer.alloc(bytes, id),
});
const found = async (tasks: Tasks, ids: string[], { caller } = ADA) => {
  const bodies = await Promise.all(ids.map((id) => tasks.find({ id, caller })));
  return ids.filter((_, place) => bodies[place] !== null);
};
const rowsOf = async (table: 'a2a_tasks' | 'a2a_holdings' | 'a2a_turns') =>
  ((await storedRows(board.services.board, [table]))[table] as string[]).map((row) =>
    Object.fromEntries(JSON.parse(row)),
  );

/** Boards on PostgreSQL go by its clock, which stands still for a test. */
const tenSecondsLater = async () => {
  board.clock.advance(10_000);
  await board.services.board.aside?.send('UPDATE a2a_turns SET until = until - 10000000');
};

describe('a task', () => {
  it('is read as it was stored last, by its caller alone and at every board', async () => {
    await open().put(sent('a'));
    await open().put({ ...sent('a', BOB), body: Buffer.from([0, 255, 128]) });
    expect(await open().find({ id: 'a', caller: ADA.caller })).toEqual(Buffer.from([0, 255, 128]));
    expect(await open().find({ id: 'a', caller: BOB.caller })).toBeNull();
    expect(await rowsOf('a2a_holdings')).toMatchObject([{ tasks: 1, bytes: 3 }]);
  });

  it('is kept 24 hours after it changed, then not found, and removed when another is stored', async () => {
    const tasks = open();
    await tasks.put(sent('a', { ...ADA, request: 'hash' }));
    board.clock.advance(24 * HOUR_MS - 1);
    expect(await found(tasks, ['a'])).toEqual(['a']);
    expect(await tasks.find({ request: 'hash' })).not.toBeNull();
    board.clock.advance(1);
    expect(await found(tasks, ['a'])).toEqual([]);
    expect(await tasks.find({ request: 'hash' })).toBeNull();
    await tenSecondsLater();
    await tasks.put(sent('b', BOB));
    expect((await rowsOf('a2a_tasks')).map(({ id }) => id)).toEqual(['b']);
    expect(await rowsOf('a2a_holdings')).toMatchObject([{ tasks: 1, bytes: 100 }]);
  });

  it('is found by the message that began it, the newest of several', async () => {
    const tasks = open();
    await tasks.put(sent('a', { ...ADA, request: 'hash' }));
    board.clock.advance(1);
    await tasks.put(sent('b', { ...ADA, request: 'hash' }));
    expect(await tasks.find({ request: 'hash' })).toEqual(Buffer.alloc(100, 'b'));
  });

  it('lies sealed, and names no address', async () => {
    const body = randomBytes(300);
    await open().put({ ...sent('a'), body });
    const [row] = await rowsOf('a2a_tasks');
    expect(row?.body).toMatch(/^sealed1\./);
    const bytes = Buffer.from(String(row?.body).slice('sealed1.'.length), 'base64url');
    expect(bytes.includes(body.subarray(0, 16))).toBe(false);
    expect(JSON.stringify(row)).not.toContain('192.0.2');
  });
});

describe('beyond a bound', () => {
  it('of one address its own oldest tasks go, and nobody else loses any', async () => {
    const tasks = open({ tasksPerAddress: 2 });
    for (const [id, owner] of [
      ['yours', BOB],
      ['a', ADA],
      ['b', ADA],
      ['c', ADA],
    ] as const) {
      await tasks.put(sent(id, owner));
      board.clock.advance(1);
    }
    expect(await found(tasks, ['a', 'b', 'c'])).toEqual(['b', 'c']);
    expect(await found(tasks, ['yours'], BOB)).toEqual(['yours']);
  });

  it('of bytes the oldest of the address go, also where a task grows', async () => {
    const tasks = open({ bytesPerAddress: 250 });
    await tasks.put(sent('a'));
    board.clock.advance(1);
    await tasks.put(sent('b'));
    board.clock.advance(1);
    await tasks.put(sent('b', ADA, 200));
    expect(await found(tasks, ['a', 'b'])).toEqual(['b']);
    await tasks.put(sent('c', ADA, 251));
    expect(await rowsOf('a2a_holdings')).toEqual([]);
  });

  it('of all bytes the oldest of all go, at most ten seconds later', async () => {
    const tasks = open({ bytesTotal: 250 });
    for (const [id, owner] of [
      ['yours', BOB],
      ['a', ADA],
      ['b', ADA],
    ] as const) {
      await tasks.put(sent(id, owner));
      board.clock.advance(10);
    }
    expect(await found(tasks, ['yours'], BOB)).toEqual(['yours']);
    await tenSecondsLater();
    await tasks.put(sent('c'));
    expect([await found(tasks, ['a', 'b', 'c']), await found(tasks, ['yours'], BOB)]).toEqual([['b', 'c'], []]);
  });
});

describe('a turn', () => {
  it('is one holder’s until it is ended', async () => {
    const [first, second] = [open(), open()];
    const [mine, yours] = [
      { turn: 'key', holder: 'first' },
      { turn: 'key', holder: 'second' },
    ];
    expect([await first.take(mine), await second.take(yours), await first.take(mine)]).toEqual([true, false, true]);
    await second.end(yours);
    expect(await second.take(yours)).toBe(false);
    await first.end(mine);
    expect(await second.take(yours)).toBe(true);
  });

  it('goes to one of many that ask at once', async () => {
    const holders = Array.from({ length: 12 }, (_, number) => ({ turn: 'key', holder: `${number}` }));
    const taken = await Promise.all(holders.map((holder) => open().take(holder)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('of a gateway that died ends after 30 seconds', async () => {
    const tasks = open();
    await tasks.take({ turn: 'key', holder: 'dead' });
    const { board: store } = board.services;
    const next = { turn: 'key', holder: 'next' };
    if (store.aside === null) {
      board.clock.advance(29_999);
      expect(await tasks.take(next)).toBe(false);
      board.clock.advance(1);
    } else {
      // Its clock is the database's: the time that is left is looked at, and then taken off.
      const [{ until }] = (await rowsOf('a2a_turns')) as [{ until: number }];
      expect(Math.abs(until / 1000 - Date.now() - 30_000)).toBeLessThan(60_000);
      await store.aside.send('UPDATE a2a_turns SET until = until - 30000000');
    }
    expect(await tasks.take(next)).toBe(true);
  });
});
