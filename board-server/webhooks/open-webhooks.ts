import type { Logger } from 'pino';
import type { Board } from '../store/board.ts';
import { Deliverer } from './deliverer.ts';
import { dialer } from './http.ts';
import { type Resolve, resolveByDns, TargetPolicy } from './target.ts';
import type { UnstoredCounts } from './unstored.ts';

/** What handlers need of webhooks: which targets are taken, and whom to tell of a change. */
export interface WebhookServices {
  targets: TargetPolicy;
  /** To be called after the commit of every change of a subscription. */
  changed(id: string): void;
  /** To be called after the commit of news of the trial index. */
  news(): void;
  /** Deliveries that the store did not take; null where none are made. */
  unstored(): UnstoredCounts | null;
}

/** For a board that delivers nothing itself. */
export function storedWebhooks(): WebhookServices {
  const nothing = { changed: () => undefined, news: () => undefined, unstored: () => null };
  return { targets: new TargetPolicy([], resolveByDns()), ...nothing };
}

interface WebhookOptions {
  board: Board;
  log: Logger;
  /** Private addresses and CIDR ranges that deliveries may go to. */
  allow: readonly string[];
  /** Resolves by DNS where none is given. */
  resolve?: Resolve;
  /** Time limit of one attempt; WEBHOOK_TIMEOUT_SECONDS where none is given. */
  timeoutMs?: number;
  /** Until when a reply is read; WEBHOOK_REPLY_SECONDS, where none is given. */
  replyMs?: number;
  monotonicMs?: () => number;
  leaseMs?: number;
  reloadMs?: number;
}

/** Starts delivering. Throws for an `allow` that is no range, and as the store does. */
export async function openWebhooks(
  options: WebhookOptions,
): Promise<{ services: WebhookServices; deliverer: Deliverer }> {
  const targets = new TargetPolicy(options.allow, options.resolve ?? resolveByDns());
  const deliverer = await Deliverer.start({
    board: options.board,
    log: options.log,
    dialer: dialer(targets, options.replyMs),
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    ...(options.monotonicMs === undefined ? {} : { monotonicMs: options.monotonicMs }),
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    ...(options.reloadMs === undefined ? {} : { reloadMs: options.reloadMs }),
  });
  const services: WebhookServices = {
    targets,
    changed: (id) => deliverer.changed(id),
    news: () => deliverer.wake(),
    unstored: () => deliverer.unstored,
  };
  return { services, deliverer };
}
