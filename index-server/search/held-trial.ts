import type { TrialRecord } from '../../contract/schemas/trial.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { document } from './documents.ts';
import { resolveId } from './resolve-id.ts';

/** One trial with everything that it has. */
export function readTrial(image: SnapshotImage, row: number): TrialRecord {
  return JSON.parse(document(image, row, { detail: 'full', eligibility: true }).toString('utf8')) as TrialRecord;
}

/** Row of the one trial that holds the id; a mention in another record's identifiers does not make it that trial. */
export function heldRow(image: SnapshotImage, id: string): number | null {
  const found = resolveId(image, id);
  return found === null || found.standing === 'declared' ? null : (found.rows[0] ?? null);
}
