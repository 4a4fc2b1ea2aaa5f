import type { PaperLiterature } from './cure-lab/sources.ts';
import type { BoardServices } from './kit/services.ts';
import type { TrialIds } from './kit/trial-ids.ts';
import type { TrialLiterature } from './results-gap/literature.ts';
import type { Population } from './results-gap/population.ts';
import type { WebhookServices } from './webhooks/open-webhooks.ts';

/** What the board server is given: what every handler uses, and what single surfaces need. */
export interface BoardServerServices extends BoardServices {
  /** Without a worker, subscriptions are stored and nothing is sent. */
  webhooks?: WebhookServices;
  /** Trials without posted results; null, or left out, is answered as unavailable, never as none. */
  population?: { readonly current: Population | null };
  /** Ids of the index; null, or left out, is answered as unknown, never as none. */
  trialIds?: { readonly current: TrialIds | null };
  /** Without one, every check of a report is `pubmed_unreachable`, and every paper `unverified`. */
  literature?: TrialLiterature & Partial<PaperLiterature>;
}
