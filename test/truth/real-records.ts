import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { normaliseCtgov } from '../../pipeline/normalise/ctgov/ctgov.ts';
import { normaliseIsrctn } from '../../pipeline/normalise/isrctn/isrctn.ts';
import type { NormalisedRecord, RejectedRecord } from '../../pipeline/normalise/record.ts';

/** The real registry records of a folder, one payload a record, in the order of the files. */

const RECEIVED = '2026-11-21T00:00:00.000Z';

export function content(data: string, path: string): string {
  const bytes = readFileSync(join(data, path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** Studies of ClinicalTrials.gov, each as the line that holds it. */
export function ctgovPayloads(data: string): string[] {
  const files = ['ctgov/studies.ndjson.gz', 'ctgov/sample-diverse.ndjson'];
  return files.flatMap((path) => content(data, path).split('\n')).filter((line) => line !== '');
}

/** ISRCTN trials of one file. */
export function isrctnPayloads(data: string, path: string): string[] {
  return content(data, path).match(/<fullTrial>[\s\S]*?<\/fullTrial>/g) ?? [];
}

/** Files of ISRCTN trials with real text. */
export function isrctnTextFiles(data: string): string[] {
  const answers = readdirSync(join(data, 'isrctn')).filter((name) => /^api-.*\.xml$/.test(name));
  const vintages = readdirSync(join(data, 'isrctn/reconstructed')).map((name) => `reconstructed/${name}`);
  return [...answers, ...vintages].sort().map((name) => `isrctn/${name}`);
}

export const ISRCTN_EXPORT = 'isrctn/export-2022-04.xml.gz';

/** Each held ISRCTN trial once: its newest record with real text, else its record of the export, which has none. */
export function isrctnPayloadsOnce(data: string): string[] {
  const held = new Map<string, string>();
  for (const path of [ISRCTN_EXPORT, ...isrctnTextFiles(data)]) {
    for (const payload of isrctnPayloads(data, path)) held.set(/<isrctn[^>]*>(\d{8})</.exec(payload)![1]!, payload);
  }
  return [...held.values()];
}

export function readCtgov(payload: string, asOf: string): NormalisedRecord {
  return accepted(normaliseCtgov(Buffer.from(payload), RECEIVED, { asOf }));
}

export function readIsrctn(payload: string, asOf: string): NormalisedRecord {
  return accepted(normaliseIsrctn(Buffer.from(payload), RECEIVED, { asOf }));
}

function accepted(record: NormalisedRecord | RejectedRecord): NormalisedRecord {
  if (!record.ok) throw new Error(`${record.id} is not read: ${record.reason} ${record.detail}`);
  return record;
}

/** The records by id; of several versions the newest. */
export function newestById(records: readonly NormalisedRecord[]): Map<string, NormalisedRecord> {
  const held = new Map<string, NormalisedRecord>();
  for (const record of records) {
    const known = held.get(record.registration.id);
    if (known === undefined || known.updated < record.updated) held.set(record.registration.id, record);
  }
  return held;
}
