import type { RegistrySources } from '../../../snapshot/format/registry-sources.ts';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import type { SnapshotImage } from '../../snapshot/snapshot-image.ts';
import type { MatchedFilters } from '../concepts/answer.ts';
import type { TrialFilters } from '../filters.ts';
import type { SentRequest } from './other-address.ts';

/** Filters, and how the texts and the page are read. */
export type HintQuery = TrialFilters & { match?: 'words' | 'concepts' | undefined; sort?: string | undefined };

/** A request as it was sent, parsed and read. */
export interface HintedSearch extends SentRequest {
  image: SnapshotImage;
  manifest: Manifest;
  sources: RegistrySources;
  query: HintQuery;
  matched: Pick<MatchedFilters, 'readings'>;
  /** Null where nothing is counted: then nothing is said of what finds more. */
  found: { total: number; countOf: (query: HintQuery) => Promise<number> } | null;
}

/** A counted search, and its counts of other requests, of which only so many are made. */
export interface CountedSearch extends HintedSearch {
  total: number;
  isFew: boolean;
  /** Null where too many were counted already. */
  countOf: (query: HintQuery) => Promise<number | null>;
}

export interface Hint {
  sentence: string;
  /** Parameters by which the request is changed; undefined leaves one out. */
  changed?: Readonly<Record<string, string | undefined>>;
  call?: string;
  total?: number;
}

/** An answer with fewer trials says what finds more. */
export const FEW_TRIALS = 10;
