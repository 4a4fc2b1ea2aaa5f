import type { Board } from './store/board.ts';
import type { WebhookServices } from './webhooks/open-webhooks.ts';

/** What the handlers of the board may use. */
export interface BoardServices {
  board: Board;
  /** Salt of address hashes: local to this board, so that counts of addresses cannot be turned back. */
  addressSalt: string;
  /** Without a worker, subscriptions are stored and nothing is sent. */
  webhooks?: WebhookServices;
}
