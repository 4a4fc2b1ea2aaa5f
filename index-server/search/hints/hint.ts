import type { RegistrySources } from '../../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { MatchedFilters } from '../concepts/answer.ts';
import type { TrialFilters } from '../filters.ts';

/** A request as it was sent. */
export interface SentRequest {
  path: string;
  applied: Readonly<Record<string, string>>;
}

/** Parameters by which a request is changed; undefined leaves one out. */
export type Changed = Readonly<Record<string, string | undefined>>;

/** The path of the same request with other parameters. It begins with its first page. */
export function otherAddress({ path, applied }: SentRequest, changed: Changed): string {
  const { page, ...same } = applied;
  const all = Object.entries({ ...same, ...changed }).filter((one): one is [string, string] => one[1] !== undefined);
  return all.length === 0 ? path : `${path}?${new URLSearchParams(all)}`;
}

/** Filters, and how the texts and the page are read. */
export type HintQuery = TrialFilters & { match?: 'words' | 'concepts' | undefined; sort?: string | undefined };

/** A request as it was sent, parsed and read. */
export interface HintedSearch extends SentRequest {
  image: SnapshotImage;
  manifest: Manifest;
  sources: RegistrySources;
  query: HintQuery;
  matched: Pick<MatchedFilters, 'readings'>;
  /** Null where nothing is counted: then no hint says what finds more. */
  found: { total: number; countOf: (query: HintQuery) => Promise<number> } | null;
}

/** A counted search, and a limited number of counts of other requests. */
export interface CountedSearch extends HintedSearch {
  total: number;
  isFew: boolean;
  /** Null where too many were counted already. */
  countOf: (query: HintQuery) => Promise<number | null>;
}

export interface Hint {
  sentence: string;
  changed?: Changed;
  call?: string;
  total?: number;
}

/** An answer with fewer trials says what finds more. */
export const FEW_TRIALS = 10;

export function trialsOf(count: number): string {
  return count === 1 ? '1 trial' : `${count} trials`;
}
