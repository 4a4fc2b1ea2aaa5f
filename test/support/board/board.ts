import type { H3 } from 'h3';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createBoardApp } from '../../../board-server/app.ts';
import type { BoardServerServices } from '../../../board-server/services.ts';
import type { Board } from '../../../board-server/store/board.ts';
import type { BoardEffects } from '../../../board-server/store/effects.ts';
import type { OpenOptions } from '../../../board-server/store/open-engine.ts';
import type { DialectName } from '../../../board-server/store/session.ts';
import { type Answer, declared } from '../gateway.ts';
import { checkedApp } from '../runner/openapi-check.ts';
import { boardAt, emptyPlace } from './store.ts';

/** A clock that tests set. */
export class TestClock {
  #now: number;
  constructor(iso = '2026-11-21T12:00:00.000Z') {
    this.#now = Date.parse(iso);
  }
  now = (): Date => new Date(this.#now);
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** Bytes that differ from call to call and are the same in every run. */
export function countedBytes(): (bytes: number) => Buffer {
  let count = 0;
  return (bytes) => {
    count += 1;
    const buffer = Buffer.alloc(bytes);
    buffer.writeUInt32BE(count, bytes - 4);
    return buffer;
  };
}

export interface TestBoard extends AsyncDisposable {
  clock: TestClock;
  readonly services: BoardServerServices;
  /** The store of the services. */
  readonly board: Board;
  readonly app: H3;
  /** Path of its file, or address of its database. */
  path: string;
  get(path: string, init?: RequestInit): Promise<Answer>;
  /** POST (or another method) with a JSON body. */
  send(path: string, body: unknown, headers?: Record<string, string>, method?: string): Promise<Answer>;
  /** Closes the store and opens it again, as a restart does. */
  reopen(): Promise<void>;
}

/** The board's operations in this process over a file or database of their own, or over the one at `path`. */
export async function openBoard(
  options: {
    clock?: TestClock;
    random?: BoardEffects['random'];
    path?: string;
    /** Another store than the project's. */
    store?: DialectName;
    engine?: OpenOptions;
    trustedProxies?: number;
  } & Partial<Omit<BoardServerServices, 'board' | 'addressSalt'>> = {},
): Promise<TestBoard> {
  const { clock = new TestClock(), random = countedBytes(), trustedProxies = 1 } = options;
  const { path: given, store, engine, clock: _clock, random: _random, trustedProxies: _proxies, ...parts } = options;
  const place = given === undefined ? await emptyPlace(store) : null;
  const path = given ?? place!.address;
  const open = async () => {
    const board = await boardAt(path, { now: clock.now, random }, engine);
    const services: BoardServerServices = { board, addressSalt: 'test', independence: 'name', ...parts };
    const log = pino({ level: 'silent' });
    const app = createBoardApp({ services, log, now: clock.now, baseUrl: 'http://test.example', trustedProxies });
    return { board, services, app: checkedApp(app) };
  };
  let opened = await open();
  const read = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await opened.app.fetch(new Request(`http://test.example${path}`, declared(init)));
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    clock,
    path,
    get services() {
      return opened.services;
    },
    get board() {
      return opened.board;
    },
    get app() {
      return opened.app;
    },
    get: read,
    send: (path, body, headers = {}, method = 'POST') =>
      read(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async reopen() {
      await opened.board[Symbol.asyncDispose]();
      opened = await open();
    },
    async [Symbol.asyncDispose]() {
      await opened.board[Symbol.asyncDispose]();
      await place?.[Symbol.asyncDispose]();
    },
  };
}

/** A board for each test of a file, which is closed after it. */
export function boardForEach(): TestBoard {
  return boardBetween(beforeEach, afterEach);
}

/** One board for all tests of a file or a group. */
export function boardForAll(): TestBoard {
  return boardBetween(beforeAll, afterAll);
}

function boardBetween(
  before: typeof beforeEach | typeof beforeAll,
  after: typeof afterEach | typeof afterAll,
): TestBoard {
  let current: TestBoard;
  before(async () => {
    current = await openBoard();
  });
  after(() => current[Symbol.asyncDispose]());
  return new Proxy({} as TestBoard, {
    get: (_target, name) => Reflect.get(current, name),
    set: (_target, name, value) => Reflect.set(current, name, value),
  });
}
