/** Trials on a page of a search. */
export const PAGE_SIZE = 20;

/**
 * A search: the exact total, and the ids of the first page, last update newest first, then id. Coverage: distinct trials,
 * registrations per registry, trials in both. Statuses: trials by status.
 */
export type Question = 'search' | 'coverage' | 'statuses';

export type Answer = { total: number; page: string[] } | Record<string, number>;

/** An engine that holds the corpus and answers one question at a time. */
export interface Engine extends AsyncDisposable {
  /** Name and version. */
  readonly name: string;
  /** Its setup and its queries, described for the reader of the figures. */
  readonly how: string;
  /** Reading and folding the texts included. */
  readonly loadSeconds: number;
  readonly bytesOnDisk: number;
  ask(question: Question, q: string): Answer | Promise<Answer>;
}

export function countsByName(rows: readonly { status: string; trials: number | string }[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ status, trials }) => [status, Number(trials)]));
}
