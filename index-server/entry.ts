import { loadCuratedSignals } from './signals/curated.ts';

/** All that the gateway needs of the index where it runs in its process; everything else it asks by operations. */

export { fileResponder, mountIndex } from './routes.ts';
export { type IndexServices, openIndexServices } from './services.ts';

/** The curated research items, which are files of the repository and not of a snapshot. */
export function countResearchItems(): number {
  return loadCuratedSignals().research.length;
}
