import { ctgovPayloads, isrctnPayloadsOnce } from '../real-records.ts';
import { partnerOf, readTrial } from './isrctn.ts';
import type { RawRecord } from './record.ts';
import { readStudy } from './study.ts';

/** A study with its record in either registry or in both, ClinicalTrials.gov's first. */
export interface RawTrial {
  records: RawRecord[];
}

export const idsOf = ({ records }: RawTrial): string => records.map(({ id }) => id).join(' ');

/** Every held trial once. Two records are one trial where the ISRCTN record states the number of a held study. */
export function rawTrials(data: string, day: string): RawTrial[] {
  const trials = new Map<string, RawTrial>();
  for (const payload of ctgovPayloads(data)) {
    const study = readStudy(JSON.parse(payload));
    trials.set(study.id, { records: [study] });
  }
  for (const payload of isrctnPayloadsOnce(data)) {
    const record = readTrial(payload, day);
    const partner = trials.get(partnerOf(payload));
    if (partner === undefined) trials.set(record.id, { records: [record] });
    else partner.records.push(record);
  }
  return [...trials.values()];
}
