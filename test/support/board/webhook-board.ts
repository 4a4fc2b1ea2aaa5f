import { pino } from 'pino';
import { test as plainTest } from 'vitest';
import type { Deliverer } from '../../../board-server/webhooks/deliverer.ts';
import { openWebhooks } from '../../../board-server/webhooks/open-webhooks.ts';
import type { Resolve } from '../../../board-server/webhooks/target.ts';
import type { EventKind } from '../../../contract/ids.ts';
import type { Answer } from '../gateway.ts';
import { plainEvent } from '../plain/plain-event.ts';
import { openReceiver, type Receiver } from '../receiver.ts';
import { openBoard, type TestBoard } from './board.ts';

/** Time limit of one attempt in tests that wait for it; others take the service's, which a busy machine keeps. */
export const SHORT_TIMEOUT_MS = 300;
const JSON_BODY = { 'content-type': 'application/json' };
const KINDS: Record<string, EventKind> = { claim: 'claim', message: 'message', finding: 'finding' };

interface WebhookBoard extends AsyncDisposable {
  board: TestBoard;
  readonly deliverer: Deliverer;
  /** Subscribes, from an address of its own where one is given, and lets the target be verified. */
  subscribe(url: string, events?: string[], address?: string): Promise<{ id: string; secret: string }>;
  read(hook: { id: string; secret: string }): Promise<Answer>;
  act(hook: { id: string; secret: string }, body: Record<string, unknown>): Promise<Answer>;
  log(hook: { id: string; secret: string }, query?: string): Promise<Record<string, unknown>[]>;
  /** Appends one event under a webhook's name; resolves to its time. */
  post(name: string, label: string, data?: Record<string, unknown>): Promise<number>;
  /** Advances the clock and sends everything that is due. */
  after(seconds: number): Promise<void>;
  /** Ends the deliverer and starts another, as a restart does. */
  restart(changed?: WebhookBoardOptions): Promise<void>;
}

interface WebhookBoardOptions {
  resolve?: Resolve;
  timeoutMs?: number;
  replyMs?: number;
  monotonicMs?: () => number;
}

/** A board with a webhook deliverer that may send to this machine. */
export async function openWebhookBoard(given: WebhookBoardOptions = {}): Promise<WebhookBoard> {
  let options = given;
  const board = await openBoard();
  const log = pino({ level: 'silent' });
  const start = async () => {
    const opened = await openWebhooks({
      board: board.services.board,
      log,
      allow: ['127.0.0.0/8'],
      ...options,
    });
    Object.assign(board.services, { webhooks: opened.services });
    return opened.deliverer;
  };
  let deliverer = await start();
  const withSecret = (secret: string) => ({ 'x-webhook-secret': secret });
  return {
    board,
    get deliverer() {
      return deliverer;
    },
    async subscribe(url, events, address) {
      const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ url, events }) };
      const request = new Request('http://test.example/api/v1/webhooks', init);
      const answer = await board.app.fetch(address === undefined ? request : Object.assign(request, { ip: address }));
      await deliverer.settled();
      return (await answer.json()).data;
    },
    read: ({ id, secret }) => board.get(`/api/v1/webhooks/${id}`, { headers: withSecret(secret) }),
    act: ({ id, secret }, body) => board.send(`/api/v1/webhooks/${id}`, body, withSecret(secret)),
    async log({ id, secret }, query = '') {
      const path = `/api/v1/webhooks/${id}/deliveries${query}`;
      return (await board.get(path, { headers: withSecret(secret) })).body.data.deliveries;
    },
    async post(name, label, data = {}) {
      const [kind = '', action = ''] = name.split('.');
      const row = await board.services.board.write((tx) =>
        tx.appendEvent(tx.nextTime(), {
          ...plainEvent(KINDS[kind]!, label),
          action,
          data,
          webhookEvent: name,
        }),
      );
      return row.ts;
    },
    async after(seconds) {
      board.clock.advance(seconds * 1000);
      await deliverer.settled();
    },
    async restart(changed = {}) {
      options = { ...options, ...changed };
      await deliverer[Symbol.asyncDispose]();
      deliverer = await start();
    },
    async [Symbol.asyncDispose]() {
      await deliverer[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
    },
  };
}

interface Delivered {
  receiver: Receiver;
  hooks: WebhookBoard;
  /** A subscription of the receiver to every event of the board. */
  hook: { id: string; secret: string };
}

/** A test of deliveries to one receiver, with those parts that it names. */
export const test = plainTest.extend<Delivered>({
  receiver: async ({ task: _ }, use) => {
    await using receiver = await openReceiver();
    await use(receiver);
  },
  hooks: async ({ task: _ }, use) => {
    await using hooks = await openWebhookBoard();
    await use(hooks);
  },
  hook: async ({ receiver, hooks }, use) => use(await hooks.subscribe(receiver.url)),
});
