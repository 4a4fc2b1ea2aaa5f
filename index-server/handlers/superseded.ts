import type { TrialRecord } from '../../contract/schemas/trials/trial.ts';
import { parseIdentifier } from '../../snapshot/format/identifiers.ts';
import { readTrial, supersededRecord, supersededRecords } from '../search/hints/held-trial.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';

/** Sentences of an answer whose id is an earlier number of the record that counts. */

/** Of an answer that shows the superseded record itself where there is one. */
export function recordNotices(image: SnapshotImage, row: number, id: string): string[] {
  const record = supersededRecord(image, row, id);
  if (record === null) return chainNotices(image, row, id);
  const number = numberOf(record);
  return [
    `${replacedWords(image, row, record)} This is the record ${number} as it is held; it counts nowhere, and its study is the trial ${record.supersededBy!.canonicalId}.`,
  ];
}

/** Of an answer that is about the trial of the surviving record. */
export function survivorNotices(image: SnapshotImage, row: number, id: string): string[] {
  const record = supersededRecord(image, row, id);
  if (record === null) return chainNotices(image, row, id);
  const { id: survivor, canonicalId } = record.supersededBy!;
  return [
    `${replacedWords(image, row, record)} This answer is about the trial ${canonicalId} by the record ${survivor}; the superseded record itself is shown where ${numberOf(record)} is looked up.`,
  ];
}

/** Of a number without a held record that only a superseded record lists: the trial's own registrations do not name it. */
function chainNotices(image: SnapshotImage, row: number, id: string): string[] {
  const number = parseIdentifier(id)?.value;
  if (number === undefined) return [];
  const record = supersededRecords(image, row).find(({ registrations }) => lists(registrations, number));
  if (record === undefined || lists(readTrial(image, row).registrations, number)) return [];
  const { id: survivor, canonicalId } = record.supersededBy!;
  const by = numberOf(record);
  return [
    `No record ${number} is held: ${by} lists it as an earlier number, and ${by} is itself superseded by ${survivor}. This answer is about the trial ${canonicalId} by the record ${survivor}.`,
  ];
}

function replacedWords(image: SnapshotImage, row: number, record: TrialRecord): string {
  const { id: survivor } = record.supersededBy!;
  const number = numberOf(record);
  if (supersededRecords(image, row).some(({ registrations }) => lists(registrations, survivor))) {
    return `${number} and ${survivor} stand in a circle of records that list each other as earlier numbers: the registry does not say which is kept, and the lowest number, ${survivor}, counts here.`;
  }
  if (lists(readTrial(image, row).registrations, number)) {
    return `${number} is superseded: ${survivor} lists it as an earlier number.`;
  }
  return `${number} is superseded: the earlier numbers that records list lead from it to ${survivor}.`;
}

type Listing = readonly Pick<TrialRecord['registrations'][number], 'id' | 'aliases'>[];

const lists = (registrations: Listing, number: string): boolean =>
  registrations.some(({ id, aliases }) => id === number || aliases.includes(number));

const numberOf = ({ registrations }: TrialRecord): string => registrations[0]!.id;
