import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommonFields, OwnFields } from '../../../contract/fields/field-shapes.ts';
import type { TrialRecord } from '../../../contract/schemas/trials/trial.ts';
import type { Database } from '../../store/database.ts';
import { presentTrial } from './present-trial.ts';
import { streamTrials, type TrialParts } from './trial-parts.ts';

/** Records that count no more, by the canonical id of the trial that each belongs to. */
export type SupersededRecords = ReadonlyMap<string, readonly TrialParts[]>;

/** Views under which each superseded record is streamed as a trial is, in the place of the shown trials. */
const SHOW = `
  CREATE TABLE shown_members AS
    SELECT registry, registration_id, CAST(row_number() OVER (ORDER BY registry, registration_id) - 1 AS INTEGER) AS "row", canonical_id
    FROM superseded_members;
  CREATE VIEW shown_rows AS SELECT t.* REPLACE (m."row" AS "row") FROM shown_members m JOIN trial_rows t USING (canonical_id);
  CREATE VIEW shown_named AS FROM shown_members;
  CREATE VIEW shown_registrations AS FROM registrations WHERE superseded_by IS NOT NULL;
  CREATE VIEW shown_trials AS FROM trials LIMIT 0`;
const HIDE = `
  DROP VIEW shown_trials; DROP VIEW shown_registrations; DROP VIEW shown_named; DROP VIEW shown_rows; DROP TABLE shown_members`;

/** Reads every superseded record with its parts; a registry merges a few studies a day. Call before the shown_* tables are made. */
export async function readSuperseded(database: Database, scratch: string): Promise<SupersededRecords> {
  const records = new Map<string, TrialParts[]>();
  const held = await database.one('SELECT count(*)::DOUBLE AS records FROM superseded_members');
  if (held?.records === 0) return records;
  await database.run(SHOW);
  const folder = join(scratch, 'superseded');
  await mkdir(folder);
  for await (const parts of streamTrials(database, folder)) {
    const known = records.get(parts.trial.canonical_id);
    if (known === undefined) records.set(parts.trial.canonical_id, [parts]);
    else known.push(parts);
  }
  await database.run(HIDE);
  return records;
}

/** The superseded records of a trial as JSON, each as a trial is served; empty where there are none. */
export function presentSuperseded(records: readonly TrialParts[] = []): string {
  return records.length === 0 ? '' : JSON.stringify(records.map(supersededRecord));
}

function supersededRecord(parts: TrialParts): TrialRecord {
  const { head, full, design, eligibility } = presentTrial(parts);
  const [{ registry, supersededBy }] = parts.registrations as [TrialParts['registrations'][number]];
  const [registration] = JSON.parse(full) as TrialRecord['registrations'];
  const fields = { ...registration!.fields, ...(JSON.parse(`{${design}}`) as Partial<CommonFields & OwnFields>) };
  return {
    ...(JSON.parse(`${head}}`) as TrialRecord),
    registrations: [{ ...registration!, fields }],
    eligibilityText: JSON.parse(eligibility),
    supersededBy: { registry, id: supersededBy!, canonicalId: parts.trial.canonical_id },
  };
}
