import { pino } from 'pino';
import type { DeliveryWorker } from '../../board-server/webhooks/delivery-worker.ts';
import { openWebhooks } from '../../board-server/webhooks/open-webhooks.ts';
import type { Resolve } from '../../board-server/webhooks/target.ts';
import type { EventKind } from '../../contract/ids.ts';
import { openBoard, type TestBoard } from './board.ts';
import type { Answer } from './gateway.ts';

/** Time limit of one attempt; short, because tests wait for it. */
const TIMEOUT_MS = 300;
const KINDS: Record<string, EventKind> = { claim: 'claim', message: 'message', finding: 'finding' };

export interface WebhookBoard extends AsyncDisposable {
  board: TestBoard;
  readonly worker: DeliveryWorker;
  /** Subscribes and lets the target be verified. */
  subscribe(url: string, events?: string[]): Promise<{ id: string; secret: string }>;
  read(hook: { id: string; secret: string }): Promise<Answer>;
  act(hook: { id: string; secret: string }, body: Record<string, unknown>): Promise<Answer>;
  log(hook: { id: string; secret: string }, query?: string): Promise<Record<string, unknown>[]>;
  /** Appends one event under a webhook's name; resolves to its time. */
  post(name: string, label: string, data?: Record<string, unknown>): Promise<number>;
  /** Advances the clock and sends everything that is due. */
  after(seconds: number): Promise<void>;
  /** Ends the worker and starts another, as a restart does. */
  restart(): Promise<void>;
}

/** A board with a webhook worker that may send to this machine. */
export async function openWebhookBoard(resolve?: Resolve): Promise<WebhookBoard> {
  const board = await openBoard();
  const log = pino({ level: 'silent' });
  const start = async () => {
    const opened = await openWebhooks({
      board: board.services.board,
      log,
      allow: ['127.0.0.0/8'],
      timeoutMs: TIMEOUT_MS,
      ...(resolve === undefined ? {} : { resolve }),
    });
    Object.assign(board.services, { webhooks: opened.services });
    return opened.worker;
  };
  let worker = await start();
  const withSecret = (secret: string) => ({ 'x-webhook-secret': secret });
  return {
    board,
    get worker() {
      return worker;
    },
    async subscribe(url, events) {
      const { body } = await board.send('/api/v1/webhooks', { url, events });
      await worker.settled();
      return body.data;
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
          kind: KINDS[kind]!,
          action,
          objectId: label,
          agentName: 'agent-a',
          data,
          webhookEvent: name,
        }),
      );
      return row.ts;
    },
    async after(seconds) {
      board.clock.advance(seconds * 1000);
      await worker.settled();
    },
    async restart() {
      await worker[Symbol.asyncDispose]();
      worker = await start();
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
    },
  };
}
