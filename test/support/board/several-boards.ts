import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { H3 } from 'h3';
import { pino } from 'pino';
import { createBoardApp } from '../../../board-server/app.ts';
import type { BoardServerServices } from '../../../board-server/services.ts';
import { Board } from '../../../board-server/store/board.ts';
import type { OpenOptions } from '../../../board-server/store/open-engine.ts';
import { plainEvent } from '../plain/plain-event.ts';
import { openDatabase } from '../runner/postgres.ts';

/** One of several boards over one database, by the real clock. */
export interface OneOfSeveral {
  board: Board;
  services: BoardServerServices;
  app: H3;
  /** Stores one event that webhooks hear of under a name; resolves to its time. */
  post(label: string, name?: string): Promise<number>;
}

export interface SeveralBoards extends AsyncDisposable {
  url: string;
  boards: OneOfSeveral[];
  /** Another board over the same database, closed with the others. */
  open(options?: OpenOptions): Promise<OneOfSeveral>;
}

const effects = { now: () => new Date(), random: randomBytes };

/** A database of its own with so many boards over it. */
export async function openSeveralBoards(count: number, options: OpenOptions = {}): Promise<SeveralBoards> {
  const database = await openDatabase();
  const keys = await mkdtemp(join(tmpdir(), 'trial-board-several-'));
  const log = pino({ level: 'silent' });
  const boards: OneOfSeveral[] = [];
  const open = async (own: OpenOptions = options): Promise<OneOfSeveral> => {
    const board = await Board.open(database.url, effects, { keyFile: join(keys, 'board.key'), ...own });
    const services: BoardServerServices = { board, addressSalt: 'test', independence: 'name' };
    const app = createBoardApp({ services, log, now: effects.now, baseUrl: 'http://test.example', trustedProxies: 1 });
    const post = async (label: string, name = 'claim.created'): Promise<number> => {
      const event = { ...plainEvent('claim', label), data: {}, webhookEvent: name };
      return (await board.write((tx) => tx.appendEvent(tx.nextTime(), event))).ts;
    };
    const one = { board, services, app, post };
    boards.push(one);
    return one;
  };
  for (let number = 0; number < count; number += 1) await open();
  return {
    url: database.url,
    boards,
    open,
    async [Symbol.asyncDispose]() {
      for (const { board } of boards) await board[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(keys, { recursive: true });
    },
  };
}
