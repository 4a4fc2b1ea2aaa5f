import { randomBytes } from 'node:crypto';
import type { OpenOptions } from '../../../board-server/store/open-engine.ts';
import { plainEvent } from '../plain/plain-event.ts';
import { openDatabase } from '../runner/postgres.ts';
import { openBoard, type TestBoard, TestClock } from './board.ts';

/** One of several boards over one database, by the real clock. */
export interface OneOfSeveral extends TestBoard {
  /** Stores one event that webhooks hear of under a name; resolves to its time. */
  post(label: string, name?: string): Promise<number>;
}

export interface SeveralBoards extends AsyncDisposable {
  url: string;
  boards: OneOfSeveral[];
}

class RealClock extends TestClock {
  override now = (): Date => new Date();
}

/** A database of its own with so many boards over it. */
export async function openSeveralBoards(count: number, engine: OpenOptions = {}): Promise<SeveralBoards> {
  const database = await openDatabase();
  const boards: OneOfSeveral[] = [];
  for (let number = 0; number < count; number += 1) {
    const one = await openBoard({ path: database.url, clock: new RealClock(), random: randomBytes, engine });
    const post = async (label: string, name = 'claim.created'): Promise<number> => {
      const event = { ...plainEvent('claim', label), data: {}, webhookEvent: name };
      return (await one.board.write((tx) => tx.appendEvent(tx.nextTime(), event))).ts;
    };
    boards.push(Object.assign(one, { post }));
  }
  return {
    url: database.url,
    boards,
    async [Symbol.asyncDispose]() {
      for (const board of boards) await board[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}
