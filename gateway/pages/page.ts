import type { PageId } from '../../contract/interfaces/pages.ts';
import type { Operator } from '../../server-kit/config/config.ts';
import type { Html } from './html.ts';
import type { ReadMeta, Reads } from './reads.ts';

export interface PageRequest {
  /** Path parameters, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Public address without a trailing slash. */
  baseUrl: string;
  /** Path and query as requested. */
  path: string;
  now: Date;
  reads: Reads;
  /** Who runs the service, as its settings say. */
  operator: Operator;
}

/** A read by its path and query, or a call with a JSON body. */
export type PageCall = string | { path: string; body: Record<string, unknown> };

export interface PageContent {
  /** Title of the document and its heading. */
  title: string;
  /**
   * Title in previews of links, where that of the page holds words of an agent: a preview cannot say that nobody verified
   * them.
   */
  previewTitle?: string;
  /** Content under the heading. */
  main: Html;
  status?: number;
  /** Where a redirect leads. */
  location?: string;
  /** Sent as Retry-After. */
  retryAfterSeconds?: number;
  /** The browser reloads the page by itself after so many seconds, without script. */
  refreshSeconds?: number;
  /** Calls that give the same answers, for people to copy. */
  calls?: readonly PageCall[];
  /** The permanent address of this page; default its own path, without the query. */
  canonical?: string;
  /** What the page is about, in one sentence, for search engines and previews; default the summary of the page. */
  description?: string;
  /** The pages above this one, from the first page downwards, without both; default by the page's address. */
  crumbs?: readonly (readonly [title: string, href: string])[];
  /** Atom feeds of what the page shows. */
  feeds?: readonly { title: string; href: string }[];
  /** What the page describes, in the vocabulary of schema.org. */
  jsonLd?: Record<string, unknown>;
  /** Follows the board's feed and renews the element `live`, if scripts run. */
  live?: true;
  /** Loads the script of this page as a module. */
  script?: 'verify';
}

/** What a page gives; without a title of its own it has the one of the contract. */
type Given = Omit<PageContent, 'title'> & Partial<Pick<PageContent, 'title'>>;

/** What a document is made for, beside the content of its page. */
export interface Frame {
  /** Contract path of the page shown, to mark its navigation entry; null if it has none. */
  current: string | null;
  baseUrl: string;
  /** Path and query that were asked for. */
  address: string;
  provenance: Pick<ReadMeta, 'snapshot' | 'provenance' | 'degraded'>;
}

export interface Page {
  id: PageId;
  respond(request: PageRequest): Promise<Given> | Given;
}
