import { pino } from 'pino';
import { createBoardApp } from '../../../board-server/app.ts';
import { Board } from '../../../board-server/store/board.ts';
import type { OpenOptions } from '../../../board-server/store/open-engine.ts';
import { countedBytes, TestClock } from './board.ts';
import { keyFile } from './store.ts';

export interface DatabaseBoard extends AsyncDisposable {
  board: Board;
  clock: TestClock;
  /** Posts a claim whose scope is `label`. */
  claim(label: string, headers?: Record<string, string>): Promise<{ status: number; headers: Headers; body: Body }>;
}

interface Body {
  data: { id: string };
  error: { code: string; message: string; hint: string };
}

let opened = 0;

/** One board over a database, with the operations that callers send; several of them may share it. */
export async function openDatabaseBoard(url: string, waits: OpenOptions['waits'] = {}): Promise<DatabaseBoard> {
  const clock = new TestClock();
  const counted = countedBytes();
  opened += 1;
  const place = opened;
  // Ids that two boards make at the same time must differ, as random ones do.
  const random = (bytes: number): Buffer => {
    const buffer = counted(bytes);
    buffer[0] = place;
    return buffer;
  };
  const board = await Board.open(url, { now: clock.now, random }, { keyFile: await keyFile(), waits });
  const services = { board, addressSalt: 'test', independence: 'name' as const };
  const log = pino({ level: 'silent' });
  const app = createBoardApp({ services, log, now: clock.now, baseUrl: 'http://test.example', trustedProxies: 1 });
  return {
    board,
    clock,
    async claim(label, headers = {}) {
      const body = JSON.stringify({
        objectiveId: 'map-one-disease',
        scope: `scope of ${label}`,
        intent: 'Read every record of this slice and say which of them are one trial.',
        agentName: 'agent',
      });
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
      const response = await app.fetch(new Request('http://test.example/api/v1/claims', init));
      return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
    },
    async [Symbol.asyncDispose]() {
      await board[Symbol.asyncDispose]();
    },
  };
}
