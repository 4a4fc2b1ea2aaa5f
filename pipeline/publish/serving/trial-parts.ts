import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryId } from '../../../contract/ids.ts';
import type { RegistryDate } from '../../../snapshot-format/registration.ts';
import { sqlLiteral } from '../../../snapshot-sql/connection.ts';
import type { Database } from '../../store/database.ts';

/** What a row of `trials` and of `registrations` both hold, as JSON; columns as in pipeline/store/schema.sql. */
export interface CommonRow {
  title: string | null;
  official_title: string | null;
  acronym: string | null;
  status: string;
  recruitment_status: string;
  status_basis: string;
  phase: string;
  study_type: string;
  sponsor_name: string | null;
  sponsor_class: string;
  enrollment_count: number | null;
  enrollment_type: string | null;
  enrollment_note: string | null;
  countries: string[];
  conditions: string[];
  interventions: { type: string | null; name: string | null; other_names: string[]; description: string | null }[];
  primary_endpoints: { measure: string; time_frame: string | null }[];
  start_date: RegistryDate | null;
  primary_completion_date: RegistryDate | null;
  completion_date: RegistryDate | null;
  first_posted_date: RegistryDate | null;
  last_updated_date: RegistryDate | null;
  results_posted_date: RegistryDate | null;
  results_available: boolean;
  results_basis: string;
}

export interface TrialRow extends CommonRow {
  canonical_id: string;
  aliases: string[];
  ctgov_id: string | null;
  isrctn_id: string | null;
}

export interface RegistrationRow extends CommonRow {
  registry: RegistryId;
  id: string;
  url: string;
  aliases: string[];
  payload_sha256: string;
  retrieved_at: string;
  source_version: string | null;
  status_raw: string | null;
  phase_raw: string | null;
  study_type_raw: string | null;
  sponsor_class_raw: string | null;
  enrollment_raw: string | null;
  countries_raw: string[];
  eligibility_text: string | null;
}

export interface IdentifierPart {
  registry: RegistryId;
  registrationId: string;
  type: string;
  value: string;
  role: 'own' | 'alias' | 'declared';
  suspect: boolean;
  inIndex: boolean;
  /** Trial that holds the record that this identifier resolves to. */
  canonicalId: string | null;
}

export interface LinkRow {
  link_id: string;
  from_registry: RegistryId;
  from_id: string;
  to_registry: RegistryId;
  to_id: string;
  kind: 'explicit-cross-reference' | 'shared-identifier';
  rule: string;
  field: string;
  raw_value: string;
  to_field: string | null;
  to_raw_value: string | null;
  identifier_type: string;
  identifier_value: string;
  direction: 'one-way' | 'mutual' | 'shared';
  verdict: 'accepted' | 'rejected';
  reason: string | null;
  conflict: boolean;
}

export interface RelationPart {
  kind: 'related';
  reason: string;
  from: string;
  to: string;
  canonicalId: string | null;
  linkId: string;
}

/** Everything that the snapshot's tables say of one trial. */
export interface TrialParts {
  row: number;
  trial: TrialRow;
  /** In the order of REGISTRY_IDS. */
  registrations: RegistrationRow[];
  identifiers: IdentifierPart[];
  links: LinkRow[];
  relations: RelationPart[];
}

/** Tables that a trial's part of the image is made from. */
export const TRIAL_TABLES = ['trials', 'registrations', 'identifiers', 'links', 'relations'] as const;
const TRIAL = 0;
const REGISTRATION = 1;
const IDENTIFIER = 2;
const LINK = 3;
const RELATION = 4;

/** Makes the snapshot's Parquet tables views of `database` and numbers the trials; returns how many there are. */
export async function openTrialTables(database: Database, snapshotDir: string): Promise<number> {
  for (const table of TRIAL_TABLES) {
    const files = (await tableFiles(snapshotDir, table)).map(sqlLiteral).join(', ');
    await database.run(`CREATE VIEW ${table} AS SELECT * FROM read_parquet([${files}])`);
  }
  await database.run(await readFile(new URL('trial-rows.sql', import.meta.url), 'utf8'));
  await refuseStrays(database);
  const counted = await database.one('SELECT CAST(count(*) AS DOUBLE) AS trials FROM trial_rows');
  return Number(counted?.trials);
}

/** A registration that no trial or more than one trial names would be lost or counted twice. */
async function refuseStrays(database: Database): Promise<void> {
  const stray = await database.one(`
    SELECT r.id, CAST(count(m.canonical_id) AS DOUBLE) AS trials
    FROM registrations r LEFT JOIN members m ON m.registry = r.registry AND m.registration_id = r.id
    GROUP BY r.registry, r.id HAVING count(m.canonical_id) <> 1 ORDER BY r.id LIMIT 1`);
  if (stray === null) return;
  throw new Error(
    `registration ${stray.id} belongs to ${stray.trials} trials instead of one; make the tables again from the dedup stage on`,
  );
}

/** The Parquet files of a table, `<table>.parquet` or `<table>-NNN.parquet`, in name order. */
async function tableFiles(snapshotDir: string, table: string): Promise<string[]> {
  const own = new RegExp(`^${table}(-\\d+)?\\.parquet$`);
  const files = (await readdir(snapshotDir)).filter((name) => own.test(name)).sort();
  if (files.length === 0) {
    throw new Error(`${snapshotDir} holds no ${table}.parquet: write the snapshot's tables before its serving image`);
  }
  return files.map((name) => join(snapshotDir, name));
}

/** Asks for every trial; `inherit` asks for some instead. */
export async function showAllTrials(database: Database): Promise<void> {
  await database.run('CREATE VIEW shown_rows AS FROM trial_rows');
  await database.run('CREATE VIEW shown_members AS FROM members');
}

/** The trials that are asked for in result order, each with all its parts; a few thousand parts are held at once. */
export async function* streamTrials(database: Database): AsyncGenerator<TrialParts> {
  const sql = await readFile(new URL('trial-parts.sql', import.meta.url), 'utf8');
  let open: TrialParts | null = null;
  for await (const rows of database.stream(sql)) {
    for (const { row, kind, body } of rows) {
      const number = Number(row);
      const part: unknown = JSON.parse(String(body));
      if (open === null || open.row !== number) {
        if (open !== null) yield checked(open);
        if (Number(kind) !== TRIAL) throw new Error(`row ${number} of the trial parts does not begin with its trial`);
        open = { row: number, trial: part as TrialRow, registrations: [], identifiers: [], links: [], relations: [] };
      } else {
        addPart(open, Number(kind), part);
      }
    }
  }
  if (open !== null) yield checked(open);
}

function addPart(parts: TrialParts, kind: number, part: unknown): void {
  if (kind === REGISTRATION) parts.registrations.push(part as RegistrationRow);
  else if (kind === IDENTIFIER) parts.identifiers.push(part as IdentifierPart);
  else if (kind === LINK) parts.links.push(part as LinkRow);
  else if (kind === RELATION) parts.relations.push(part as RelationPart);
  else throw new Error(`trial ${parts.trial.canonical_id} stands twice in the trials table`);
}

function checked(parts: TrialParts): TrialParts {
  const { canonical_id, ctgov_id, isrctn_id } = parts.trial;
  const named = [ctgov_id, isrctn_id].filter((id) => id !== null);
  const held = parts.registrations.map((registration) => registration.id);
  if (named.length === 0 || named.join() !== held.join()) {
    throw new Error(
      `trial ${canonical_id} names the registrations [${named.join(', ')}] but the registrations table holds [${held.join(', ')}]; make the tables again from the dedup stage on`,
    );
  }
  return parts;
}
