import type { Release } from './layout.ts';
import type { StoreReader } from './store-source.ts';

/** An object that is younger stays, whether a release names it or not: its release may be on its way. */
export const YOUNG_MS = 24 * 3_600_000;

/** SHA-256 of every object that a release needs, itself included. */
export async function referencesOf(reader: StoreReader, sum: string, release: Release): Promise<Set<string>> {
  const sums = new Set([sum, ...release.beside.map(({ sha256 }) => sha256)]);
  for (const listing of [release.listing, ...release.held.map((one) => one.listing)]) {
    sums.add(listing);
    for (const { sha256 } of (await reader.listing(listing)).files) sums.add(sha256);
  }
  return sums;
}
