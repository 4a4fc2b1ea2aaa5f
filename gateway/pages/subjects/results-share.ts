import { type Html, html } from '../html.ts';
import type { Reads } from '../reads.ts';
import type { Given } from '../trials/search-asked.ts';

export async function readResultsShare(_reads: Reads, _filters: Given): Promise<null> {
  return null;
}
export function resultsShare(_share: null, _filters: Given): Html {
  return html``;
}
