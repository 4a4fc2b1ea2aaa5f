import { H3 } from 'h3';
import { pino } from 'pino';
import { FeedPages } from '../../../board-server/changes/feed-pages.ts';
import { changeHandlers } from '../../../board-server/changes/handlers.ts';
import type { BoardServerServices } from '../../../board-server/services.ts';
import type { Board } from '../../../board-server/store/board.ts';
import type { NewEvent } from '../../../board-server/store/event-chain.ts';
import type { EventRow } from '../../../board-server/store/tables.ts';
import type { EventAbout } from '../../../contract/event-abouts.ts';
import { CHANGE_OPERATIONS } from '../../../contract/operations/board/changes.ts';
import { mount } from '../../../server-kit/mount.ts';
import type { Answer } from '../gateway.ts';
import { plainEvent } from '../plain/plain-event.ts';
import { countedBytes, TestClock } from './board.ts';
import { boardAt, emptyPlace } from './store.ts';

export interface FeedBoard extends AsyncDisposable {
  clock: TestClock;
  board: Board;
  app: H3;
  /** Path of its file, or address of its database. */
  path: string;
  get(path: string, init?: RequestInit): Promise<Answer>;
  /** Closes the board and opens it again, as a restart does. */
  reopen(): Promise<void>;
}

/** A board with its own file or database and only the operations of the feed. */
export async function openFeedBoard(clock = new TestClock()): Promise<FeedBoard> {
  const place = await emptyPlace();
  const path = place.address;
  const effects = { now: clock.now, random: countedBytes() };
  let board = await boardAt(path, effects);
  let app = feedApp(board, clock);
  return {
    clock,
    path,
    get board() {
      return board;
    },
    get app() {
      return app;
    },
    async get(path, init) {
      const response = await app.fetch(new Request(`http://test.example${path}`, init));
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
    },
    async reopen() {
      await board[Symbol.asyncDispose]();
      board = await boardAt(path, effects);
      app = feedApp(board, clock);
    },
    async [Symbol.asyncDispose]() {
      await board[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

function feedApp(board: Board, clock: TestClock): H3 {
  const app = new H3({ silent: true });
  const log = pino({ level: 'silent' });
  // Nothing here delivers webhooks.
  const services = {
    board,
    addressSalt: 'test',
    independence: 'name',
    feedPages: new FeedPages(),
  } satisfies BoardServerServices & {
    feedPages: FeedPages;
  };
  mount(app, CHANGE_OPERATIONS, changeHandlers, { services, log, now: clock.now, baseUrl: 'http://test.example' });
  return app;
}

/** Appends one event, with an object id of `label`. */
export function post(board: Board, about: EventAbout, label: string, more: Partial<NewEvent> = {}): Promise<EventRow> {
  return board.write((tx) =>
    tx.appendEvent(tx.nextTime(), {
      ...plainEvent(about, label),
      data: { title: `title of ${label}` },
      ...more,
    }),
  );
}
