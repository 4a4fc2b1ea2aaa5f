import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import { supersededRecord } from '../search/hints/held-trial.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** What an answer says where its id is the number of a record that another one superseded. */

/** Of an answer that shows the superseded record itself. */
export function supersededNotice(record: TrialRecord): string {
  const number = numberOf(record);
  return `${replacedWords(record)} This is the record ${number} as it is held; it counts nowhere, and its study is the trial ${record.supersededBy!.canonicalId}.`;
}

/** Of an answer that is about the trial of the surviving record; none for any other id. */
export function survivorNotices(image: SnapshotImage, row: number, id: string): string[] {
  const record = supersededRecord(image, row, id);
  if (record === null) return [];
  const { id: survivor, canonicalId } = record.supersededBy!;
  return [
    `${replacedWords(record)} This answer is about the trial ${canonicalId} by the record ${survivor}; the superseded record itself is shown where ${numberOf(record)} is looked up.`,
  ];
}

function replacedWords(record: TrialRecord): string {
  return `${numberOf(record)} is superseded: its registry keeps ${record.supersededBy!.id} in its place.`;
}

const numberOf = ({ registrations }: TrialRecord): string => registrations[0]!.id;
