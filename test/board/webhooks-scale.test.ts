import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { Board } from '../../board-server/store/board.ts';
import { DeliveryWorker } from '../../board-server/webhooks/delivery-worker.ts';
import { DueTimes } from '../../board-server/webhooks/due-times.ts';
import { Line } from '../../board-server/webhooks/line.ts';
import { insertWebhook } from '../../board-server/webhooks/webhook-store.ts';
import { WEBHOOK_EVENTS } from '../../contract/ids.ts';
import { TestClock } from '../support/board.ts';

afterEach(() => void vi.restoreAllMocks());

/** Counts every statement that any connection of this process carries out from now on. */
function countStatements(): { readonly count: number } {
  const statement = Object.getPrototypeOf(new SQLite(':memory:').prepare('SELECT 1'));
  const spies = (['run', 'get', 'all', 'iterate'] as const).map((name) => vi.spyOn(statement, name));
  return {
    get count() {
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    },
  };
}

interface Failing extends AsyncDisposable {
  clock: TestClock;
  board: Board;
  worker: DeliveryWorker;
  readonly attempts: number;
}

/** A worker with so many subscriptions, all of whose targets answer 500. */
async function openFailing(subscriptions: number, hostOf: (place: number) => string): Promise<Failing> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-failing-'));
  const clock = new TestClock();
  const board = await Board.open(join(root, 'board.sqlite'), { now: clock.now, random: randomBytes });
  await board.write(async (tx) => {
    for (let place = 0; place < subscriptions; place += 1) {
      const ts = tx.nextTime();
      await insertWebhook(tx, {
        id: tx.newId('webhook', ts),
        url: `https://${hostOf(place)}/hook`,
        events: JSON.stringify(WEBHOOK_EVENTS),
        state: 'active',
        parked_reason: null,
        secret: Buffer.alloc(32).toString('base64url'),
        previous_secret: null,
        previous_until: null,
        token_hash: '',
        challenge: '',
        address_hash: '',
        cursor: 0,
        attempts: 0,
        next_attempt_at: null,
        failing_since: null,
        verified_at: ts,
        created_at: ts,
        updated_at: ts,
      });
    }
  });
  let attempts = 0;
  const dial = async () => {
    attempts += 1;
    return { status: 500, retryAfter: null, reply: '' };
  };
  const worker = await DeliveryWorker.start({ board, dial, log: pino({ level: 'silent' }) });
  await worker.settled();
  return {
    clock,
    board,
    worker,
    get attempts() {
      return attempts;
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function announce({ board, worker }: Failing): Promise<void> {
  await board.write((tx) => {
    const ts = tx.nextTime();
    const objectId = tx.newId('clm', ts);
    const event = { kind: 'claim', action: 'created', objectId, agentName: 'agent-a', data: {} } as const;
    return tx.appendEvent(ts, { ...event, webhookEvent: 'claim.created' });
  });
  await worker.settled();
}

it('an event that all targets refuse costs each of them the same, however many there are', async () => {
  const costs: number[] = [];
  for (const subscriptions of [50, 400]) {
    await using failing = await openFailing(subscriptions, (place) => `agent-${place}.example`);
    const statements = countStatements();
    await announce(failing);
    expect(failing.attempts).toBe(subscriptions);
    costs.push(statements.count / subscriptions);
    vi.restoreAllMocks();
  }
  expect(costs[1]).toBeLessThanOrEqual(costs[0]! * 1.05);
});

it('events cost nothing for those that wait for the time of a retry', async () => {
  await using failing = await openFailing(200, (place) => `agent-${place}.example`);
  await announce(failing);
  const statements = countStatements();
  for (let event = 0; event < 10; event += 1) await announce(failing);
  expect(failing.attempts).toBe(200);
  // The write of an event and the look at the outbox, nothing for each of two hundred subscriptions.
  expect(statements.count).toBeLessThan(10 * 25);
});

it('those that crowd at one host wait in its line, and none is looked at in the store before its turn', async () => {
  const subscriptions = 200;
  await using failing = await openFailing(subscriptions, () => 'crowded.example');
  const statements = countStatements();
  await announce(failing);
  // Ten a second, and ten may come at once; retries begin after five seconds, behind those who came before.
  expect(failing.attempts).toBe(10);
  for (let tenths = 0; tenths < 40; tenths += 1) {
    failing.clock.advance(100);
    await failing.worker.settled();
  }
  expect(failing.attempts).toBe(50);
  expect(statements.count / failing.attempts).toBeLessThan(40);
});

it('a time is taken when it is due, earliest first, whatever was moved and removed before', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    act: fc.constantFrom('set', 'set', 'set', 'delete', 'take'),
    at: fc.integer({ min: 0, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const due = new DueTimes();
      const plain = new Map<string, number>();
      for (const { key, act, at } of steps) {
        if (act === 'set') {
          due.set(key, at);
          plain.set(key, at);
        } else if (act === 'delete') {
          due.delete(key);
          plain.delete(key);
        } else {
          const expected = [...plain].filter(([, time]) => time <= at);
          const taken = [...due.takeDue(at)];
          expect(taken.toSorted()).toEqual(expected.map(([name]) => name).toSorted());
          expect(taken.map((name) => plain.get(name))).toEqual(
            expected.map(([, time]) => time).toSorted((a, b) => a - b),
          );
          for (const name of taken) plain.delete(name);
        }
        expect(due.earliest()).toBe(plain.size === 0 ? null : Math.min(...plain.values()));
        expect(due.has(key)).toBe(plain.has(key));
      }
    }),
    { numRuns: 200 },
  );
});

it('a line lets out who came first', () => {
  const line = new Line();
  for (const id of ['a', 'b', 'c']) line.add(id);
  expect([line.take(), line.take()]).toEqual(['a', 'b']);
  line.add('d');
  expect([line.take(), line.take(), line.take()]).toEqual(['c', 'd', undefined]);
  expect(line.size).toBe(0);
});
