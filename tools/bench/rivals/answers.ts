import type { FoldedQuery } from './folding.ts';

/** The answers of every engine, which must be equal. */

export const PAGE_SIZE = 20;

export interface PageRow {
  id: string;
  title: string | null;
  status: string;
}

export interface SearchAnswer {
  /** All matching trials, exactly. */
  total: number;
  /** Newest update first, then id; at most PAGE_SIZE. */
  page: PageRow[];
}

/** Distinct trials, registrations per registry, and trials in both. */
export interface CoverageAnswer {
  distinct: number;
  ctgov: number;
  isrctn: number;
  both: number;
}

/** Trials by status; statuses without a trial are left out. */
export type StatusAnswer = Record<string, number>;

export type Awaitable<T> = T | Promise<T>;

/** Another engine, loaded with the same corpus. It answers one question at a time. */
export interface Rival extends AsyncDisposable {
  /** Name and version. */
  readonly name: string;
  /** Its setup and its queries, described for the reader of the figures. */
  readonly how: string;
  /** Seconds from the folded corpus to ready, reading it and putting it into the engine's own form included. */
  readonly loadSeconds: number;
  bytesOnDisk(): Awaitable<number>;
  /** The smallest possible call, for an engine in another process: every figure of the engine includes its time. */
  roundTrip?(): Promise<void>;
  search(query: FoldedQuery): Awaitable<SearchAnswer>;
  coverage(query: FoldedQuery): Awaitable<CoverageAnswer>;
  statuses(query: FoldedQuery): Awaitable<StatusAnswer>;
}

/** Counts by name, in any order. */
export function statusAnswer(rows: readonly { status: string; trials: number }[]): StatusAnswer {
  return Object.fromEntries(rows.filter(({ trials }) => trials > 0).map(({ status, trials }) => [status, trials]));
}

/** Describes the difference between our answer and another's; null when they are equal. */
export function searchDifference(ours: SearchAnswer, theirs: SearchAnswer): string | null {
  if (ours.total !== theirs.total) return `total ${theirs.total}, ours ${ours.total}`;
  const length = Math.max(ours.page.length, theirs.page.length);
  for (let place = 0; place < length; place += 1) {
    const [own, other] = [ours.page[place]?.id ?? 'none', theirs.page[place]?.id ?? 'none'];
    if (own !== other) return `${other} at place ${place + 1}, ours ${own}`;
  }
  return null;
}

/** Describes the difference between two counts by name; null when they are equal. */
export function countsDifference(ours: object, theirs: object): string | null {
  const [own, other] = [new Map<string, number>(Object.entries(ours)), new Map<string, number>(Object.entries(theirs))];
  for (const name of [...new Set([...own.keys(), ...other.keys()])].sort()) {
    const [mine, its] = [own.get(name) ?? 0, other.get(name) ?? 0];
    if (mine !== its) return `${name} ${its}, ours ${mine}`;
  }
  return null;
}
