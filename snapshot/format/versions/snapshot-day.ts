import { parseFilterDate } from '../words/dates.ts';
import type { Manifest } from './manifest.ts';

/**
 * The day of a snapshot, in days since 1970-01-01: windows and clocks over its trials count to it. Later days hold no
 * record yet, so counting to today would show silence where nothing was read.
 */
export function snapshotDay({ version, asOf }: Pick<Manifest, 'version' | 'asOf'>): number {
  const day = parseFilterDate(asOf);
  if (day === null) throw new Error(`snapshot ${version} is as of ${asOf}`);
  return day;
}
