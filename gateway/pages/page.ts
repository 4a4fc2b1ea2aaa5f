import type { PageId } from '../../contract/pages.ts';
import type { DrawnPictures } from './drawn-pictures.ts';
import type { Html } from './html.ts';
import type { Reads } from './reads.ts';

export interface PageRequest {
  /** Of the path, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Public address without a trailing slash. */
  baseUrl: string;
  /** Path and query as asked for. */
  path: string;
  now: Date;
  reads: Reads;
  pictures: DrawnPictures;
}

/** A read by its path and query, or a call that brings a JSON body. */
export type PageCall = string | { path: string; body: Record<string, unknown> };

export interface PageContent {
  /** Of the document and its heading. */
  title: string;
  /** What stands under the heading. */
  main: Html;
  status?: number;
  /** Sent as Retry-After. */
  retryAfterSeconds?: number;
  /** After so many seconds a browser asks for the page anew by itself, without script. */
  refreshSeconds?: number;
  /** Calls that give the same answers, shown to copy. */
  calls?: readonly PageCall[];
  /** Address of the same page that links should keep. */
  canonical?: string;
  /** Follows the board's feed and renews the element `live` where scripts run. */
  live?: true;
}

export interface Page {
  id: PageId;
  respond(request: PageRequest): Promise<PageContent> | PageContent;
}
