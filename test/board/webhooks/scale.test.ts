import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { Board } from '../../../board-server/store/board.ts';
import { Deliverer } from '../../../board-server/webhooks/deliverer.ts';
import type { Dialer } from '../../../board-server/webhooks/http.ts';
import { WEBHOOK_EVENTS } from '../../../contract/ids.ts';
import { TestClock } from '../../support/board/board.ts';
import { plainEvent } from '../../support/plain/plain-event.ts';

afterEach(() => void vi.restoreAllMocks());

/** Counts every statement that any connection of this process runs from now on. */
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
  deliverer: Deliverer;
  readonly attempts: number;
}

/** `agent-7.example` is at an address of its own, any other host at one for all. */
function addressOf(host: string): string {
  const place = Number(/^agent-(\d+)/.exec(host)?.[1] ?? 0);
  return `203.0.${place >> 8}.${place & 255}`;
}

/** A deliverer with this many subscriptions. Every target answers 500. */
async function openFailing(subscriptions: number, hostOf: (place: number) => string): Promise<Failing> {
  const root = await mkdtemp(join(tmpdir(), 'trial-board-failing-'));
  const clock = new TestClock();
  const board = await Board.open(join(root, 'board.sqlite'), { now: clock.now, random: randomBytes });
  await board.write(async (tx) => {
    for (let place = 0; place < subscriptions; place += 1) {
      const ts = tx.nextTime();
      const id = tx.newId('webhook', ts);
      await tx.insert('webhooks', {
        id,
        url: `https://${hostOf(place)}/hook`,
        events: JSON.stringify(WEBHOOK_EVENTS),
        state: 'active',
        parked_reason: null,
        secret: board.sealer.seal('webhook secret', id, `whsec_${Buffer.alloc(32).toString('base64')}`),
        previous_secret: null,
        previous_until: null,
        token_hash: '',
        challenge: '',
        address_hash: '',
        owner_hash: `owner ${place % 100}`,
        slow_deliveries: 0,
        cursor: 0,
        attempts: 0,
        next_attempt_at: null,
        failing_since: null,
        verified_at: ts,
        created_at: ts,
        updated_at: ts,
        lease_holder: null,
        lease_until: 0,
        fence: 0,
      });
    }
  });
  let attempts = 0;
  const dialer: Dialer = {
    locate: async (text) => {
      const url = new URL(text);
      return { url, address: addressOf(url.hostname), isAllowedPrivate: false };
    },
    post: async () => {
      attempts += 1;
      return { status: 500, retryAfter: null, reply: '' };
    },
  };
  const deliverer = await Deliverer.start({ board, dialer, log: pino({ level: 'silent' }) });
  await deliverer.settled();
  return {
    clock,
    board,
    deliverer,
    get attempts() {
      return attempts;
    },
    async [Symbol.asyncDispose]() {
      await deliverer[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function announce({ board, deliverer }: Failing): Promise<void> {
  await board.write((tx) => {
    const ts = tx.nextTime();
    const objectId = tx.newId('clm', ts);
    return tx.appendEvent(ts, { ...plainEvent('claim', objectId), webhookEvent: 'claim.created' });
  });
  await deliverer.settled();
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
  // Each event costs its own write and one look at the outbox, and nothing for each of the two hundred subscriptions.
  expect(statements.count).toBeLessThan(10 * 25);
});

it('those that crowd at one host wait in its line, and none is looked at in the store before its turn', async () => {
  const subscriptions = 200;
  await using failing = await openFailing(subscriptions, () => 'crowded.example');
  const statements = countStatements();
  await announce(failing);
  // A host gets ten attempts a second and ten more at once. Retries begin after five seconds and queue behind the first
  // attempts.
  expect(failing.attempts).toBe(10);
  for (let tenths = 0; tenths < 40; tenths += 1) {
    failing.clock.advance(100);
    await failing.deliverer.settled();
  }
  expect(failing.attempts).toBe(50);
  expect(statements.count / failing.attempts).toBeLessThan(40);
});
