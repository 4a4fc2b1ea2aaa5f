import type { Manifest } from '../../snapshot-format/manifest.ts';
import { countComparedTrials } from '../../snapshot-sql/compare.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';

/** How many trials differ between two snapshot directories. */
export async function countTrialChanges(dirA: string, dirB: string): Promise<NonNullable<Manifest['changes']>> {
  return withScratchDatabase((db) => countComparedTrials(db, { dirA, dirB }));
}
