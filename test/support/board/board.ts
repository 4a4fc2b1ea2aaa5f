import type { H3 } from 'h3';
import { pino } from 'pino';
import { createBoardApp } from '../../../board-server/app.ts';
import type { BoardServerServices } from '../../../board-server/services.ts';
import type { DialectName } from '../../../board-server/store/session.ts';
import type { Independence } from '../../../contract/independence.ts';
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
  services: BoardServerServices;
  app: H3;
  /** Path of its file, or address of its database. */
  path: string;
  get(path: string, init?: RequestInit): Promise<Answer>;
  /** POST (or another method) with a JSON body. */
  send(path: string, body: unknown, headers?: Record<string, string>, method?: string): Promise<Answer>;
}

/** The board's operations in this process over a file or database of their own, or over the one at `path`. */
export async function openBoard(
  options: {
    clock?: TestClock;
    path?: string;
    /** Another store than the project's. */
    store?: DialectName;
    independence?: Independence;
    trustedProxies?: number;
  } & Pick<BoardServerServices, 'population' | 'literature' | 'trialIds' | 'signers'> = {},
): Promise<TestBoard> {
  const clock = options.clock ?? new TestClock();
  const place = options.path === undefined ? await emptyPlace(options.store) : null;
  const path = options.path ?? place!.address;
  const board = await boardAt(path, { now: clock.now, random: countedBytes() });
  const log = pino({ level: 'silent' });
  const { population, literature, trialIds, signers } = options;
  const services: BoardServerServices = {
    board,
    addressSalt: 'test',
    independence: options.independence ?? 'name',
    ...(population ? { population } : {}),
    ...(literature ? { literature } : {}),
    ...(trialIds ? { trialIds } : {}),
    ...(signers ? { signers } : {}),
  };
  const app = checkedApp(
    createBoardApp({
      services,
      log,
      now: clock.now,
      baseUrl: 'http://test.example',
      trustedProxies: options.trustedProxies ?? 1,
    }),
  );
  const read = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await app.fetch(new Request(`http://test.example${path}`, declared(init)));
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    clock,
    services,
    app,
    path,
    get: read,
    send: (path, body, headers = {}, method = 'POST') =>
      read(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async [Symbol.asyncDispose]() {
      await board[Symbol.asyncDispose]();
      await place?.[Symbol.asyncDispose]();
    },
  };
}
