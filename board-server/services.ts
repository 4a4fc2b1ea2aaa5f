import type { TrialLiterature } from './results-gap/literature.ts';
import type { Population } from './results-gap/population.ts';
import type { Board } from './store/board.ts';
import type { WebhookServices } from './webhooks/open-webhooks.ts';

/** What the handlers of the board may use. */
export interface BoardServices {
  board: Board;
  /** Salt of address hashes: local to this board, so that counts of addresses cannot be turned back. */
  addressSalt: string;
  /** Without a worker, subscriptions are stored and nothing is sent. */
  webhooks?: WebhookServices;
  /** Trials without posted results; null, or left out, is answered as unavailable, never as none. */
  population?: { readonly current: Population | null };
  /** Without one, every check of a report is `pubmed_unreachable`. */
  literature?: TrialLiterature;
}
