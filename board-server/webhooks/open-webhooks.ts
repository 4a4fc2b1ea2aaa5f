import type { Logger } from 'pino';
import type { Board } from '../store/board.ts';
import { DeliveryWorker } from './delivery-worker.ts';
import { dialer } from './http.ts';
import { type Resolve, resolveByDns, TargetPolicy } from './target.ts';

/** What handlers need of webhooks: which targets are taken, and whom to tell of a change. */
export interface WebhookServices {
  targets: TargetPolicy;
  /** To be called after the commit of every change of a subscription. */
  changed(id: string): void;
}

/** For a board that delivers nothing itself. */
export function storedWebhooks(): WebhookServices {
  return { targets: new TargetPolicy([], resolveByDns()), changed: () => undefined };
}

interface WebhookOptions {
  board: Board;
  log: Logger;
  /** Private addresses and CIDR ranges that deliveries may go to. */
  allow: readonly string[];
  /** By DNS, where none is given. */
  resolve?: Resolve;
  /** Of one attempt; WEBHOOK_TIMEOUT_SECONDS, where none is given. */
  timeoutMs?: number;
}

/** Starts delivering. Throws for an `allow` that is no range, and as the store does. */
export async function openWebhooks(
  options: WebhookOptions,
): Promise<{ services: WebhookServices; worker: DeliveryWorker }> {
  const targets = new TargetPolicy(options.allow, options.resolve ?? resolveByDns());
  const worker = await DeliveryWorker.start({
    board: options.board,
    log: options.log,
    dial: dialer(targets, options.timeoutMs),
  });
  return { services: { targets, changed: (id) => worker.changed(id) }, worker };
}
