import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { columnName } from '../../contract/fields/field-shapes.ts';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { type JsonForm, REGISTRATION_COLUMNS, registrationForm } from '../../snapshot/sql/fields.ts';
import { columnList } from '../../snapshot/sql/tables.ts';
import type { Effects } from '../effects.ts';
import type { FetchLog } from '../raw/fetch-log.ts';
import type { Database } from '../store/database.ts';
import { dayOfSets } from './as-of.ts';
import { PayloadParts } from './batches/payload-parts.ts';
import type { PublishedTables } from './batches/published-versions.ts';
import { StagingTable } from './batches/staging.ts';
import { Chain, type RawReaders, type RegistrySets, type Staging } from './chain.ts';
import { DERIVED_FIELDS, deriveIsrctnStatus, type StatusInputs } from './isrctn/status.ts';
import { NORMALISER_VERSION } from './record.ts';
import { assertFewQuarantined, emptyReport, type NormaliseReport, StageFault } from './report.ts';
import { readDate } from './values.ts';

export interface NormaliseInputs {
  dataDir: string;
  /** At most one entry a registry; a registry without one is reported as unanswered and holds no rows. */
  sets: RegistrySets[];
  /** Day (YYYY-MM-DD) for statuses that follow from dates; by default the newest day that the inputs state. */
  asOf?: string;
  /** Workers that read records; 0 to read on the caller's thread. By default chosen by the cores and the records. */
  threads?: number;
  /** The last published snapshot of the same corpus: what it holds in a newer version, or says in other bytes, stays. */
  published?: PublishedTables | null;
  /** Registries whose older versions are taken all the same. */
  takeOlder?: readonly RegistryId[];
}

/**
 * Reads the raw sets of all registries into the tables `registrations`, `stated_identifiers`, `publications`,
 * `quarantine` and `normalised_payloads`, and the payloads into part files. Everything is staged first and swapped in
 * by one transaction: a stop at any point leaves the tables of the last complete run. A record whose payload and normaliser are unchanged keeps its row; ISRCTN statuses are derived again when the day changed. Throws StageFault (more than 1 % of a registry
 * unreadable, an empty or open set, a bad as-of day) and any error of the readers; the tables are then unchanged.
 */
export async function normalise(
  inputs: NormaliseInputs,
  readers: RawReaders,
  database: Database,
  effects: Effects,
): Promise<NormaliseReport> {
  const startedAt = effects.now();
  assertInputs(inputs);
  const scratch = join(inputs.dataDir, 'work', 'normalise');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  await using parts = await PayloadParts.open(database, inputs.dataDir, effects);
  const staging = await createStaging(database, scratch);
  const asOf = inputs.asOf ?? dayOfSets(inputs.sets.flatMap(logsOf));
  const chains = await readChains(inputs, readers, database, effects, { staging, parts, asOf });

  await loadWinners(database, chains);
  await stageDerived(database, staging, asOf);
  await parts.rewriteMostlyDead();
  const removed = await removedByRegistry(database);
  const registries = REGISTRY_IDS.map((registry) => {
    const report = chains.find((chain) => chain.report.registry === registry)?.report;
    return { ...(report ?? emptyReport(registry, 'unanswered')), removed: removed.get(registry) ?? 0 };
  });
  const report: NormaliseReport = {
    asOf,
    asOfFrom: inputs.asOf === undefined ? 'inputs' : 'given',
    normaliserVersion: NORMALISER_VERSION,
    registries,
    parts: { written: parts.written, rewritten: parts.rewritten, removed: 0 },
    seconds: (effects.now().getTime() - startedAt.getTime()) / 1000,
  };
  await swap(database, inputs, report, effects);
  report.parts.removed = await parts.removeUnreferenced();
  await rm(scratch, { recursive: true, force: true });
  return report;
}

function logsOf({ full, increments }: RegistrySets): FetchLog[] {
  return [full, ...increments];
}

function assertInputs(inputs: NormaliseInputs): void {
  const named = inputs.sets.map(({ registry }) => registry);
  if (named.length === 0) {
    throw new StageFault('normalise', 'bad-input', null, 'no registry has a raw set; fetch one first');
  }
  if (new Set(named).size !== named.length) {
    throw new StageFault('normalise', 'bad-input', null, `a registry is named twice: ${named.join(', ')}`);
  }
  for (const { registry, run, state } of inputs.sets.flatMap(logsOf)) {
    if (state === 'complete') continue;
    const message = `raw set ${run} is not complete; resume its fetch first`;
    throw new StageFault('normalise', 'open-set', registry, message);
  }
  if (inputs.asOf !== undefined && readDate(inputs.asOf)?.date !== inputs.asOf) {
    throw new StageFault('normalise', 'bad-input', null, `as-of day ${inputs.asOf} is not a day (YYYY-MM-DD)`);
  }
  if (inputs.asOf?.length === 7) {
    throw new StageFault(
      'normalise',
      'bad-input',
      null,
      `as-of day ${inputs.asOf} is a month; give a day (YYYY-MM-DD)`,
    );
  }
}

/** Columns that the status derivation of an ISRCTN record fills. */
const DERIVED_COLUMNS: readonly string[] = DERIVED_FIELDS.map(columnName);

async function createStaging(database: Database, scratch: string): Promise<Staging> {
  const table = (name: string, shape: string, form?: JsonForm) =>
    StagingTable.create(database, name, shape, scratch, form);
  return {
    registrations: await table(
      'staged_registrations',
      'SELECT 0::BIGINT AS seq, * EXCLUDE (raw_part) FROM registrations',
      registrationForm(),
    ),
    identifiers: await table('staged_identifiers', 'SELECT 0::BIGINT AS seq, * FROM stated_identifiers'),
    publications: await table('staged_publications', 'SELECT 0::BIGINT AS seq, * FROM publications'),
    payloads: await table('staged_payloads', 'SELECT 0::BIGINT AS seq, * FROM normalised_payloads'),
    quarantine: await table('staged_quarantine', 'SELECT * FROM quarantine'),
    derived: await table(
      'staged_derived',
      `SELECT registry, id, ${columnList(DERIVED_COLUMNS)} FROM registrations`,
      registrationForm(REGISTRATION_COLUMNS.filter(({ column }) => DERIVED_COLUMNS.includes(column))),
    ),
  };
}

/** Reads all registries before judging their quarantine, so that one registry's fault does not hide another's. */
async function readChains(
  inputs: NormaliseInputs,
  readers: RawReaders,
  database: Database,
  effects: Effects,
  stage: { staging: Staging; parts: PayloadParts; asOf: string },
): Promise<Chain[]> {
  const { asOf, ...stores } = stage;
  const { staging, parts } = stores;
  const chains: Chain[] = [];
  let seq = 1;
  for (const registry of REGISTRY_IDS) {
    const sets = inputs.sets.find((candidate) => candidate.registry === registry);
    if (sets === undefined) continue;
    const kept = {
      published: inputs.published ?? null,
      takesOlder: inputs.takeOlder?.includes(registry) ?? false,
    };
    const chain = new Chain(sets, { ...stores, ...kept }, effects, seq, inputs.threads ?? null);
    seq = await chain.read(inputs.dataDir, readers, database, asOf);
    chains.push(chain);
  }
  await parts.flush();
  for (const table of Object.values(staging)) await table.flush();
  for (const { report } of chains) assertFewQuarantined(report);
  effects.checkpoint('normalise:staged');
  return chains;
}

/** Registrations of the previous run that this run replaces. Every table is read, so that none keeps a row whose registration is gone. */
const REPLACED = `CREATE OR REPLACE TEMP TABLE replaced AS
  SELECT registry, id FROM (
    SELECT registry, id FROM registrations UNION SELECT registry, id FROM normalised_payloads
    UNION SELECT registry, registration_id FROM stated_identifiers
    UNION SELECT registry, registration_id FROM publications
  ) t
  WHERE NOT EXISTS (SELECT 1 FROM winners w WHERE w.unchanged AND w.registry = t.registry AND w.id = t.id)`;

async function loadWinners(database: Database, chains: Chain[]): Promise<void> {
  await database.run(
    'CREATE OR REPLACE TEMP TABLE winners (seq BIGINT, registry VARCHAR, id VARCHAR, unchanged BOOLEAN, received_at VARCHAR)',
  );
  const appender = await database.appender('winners');
  for (const { report, winners } of chains) {
    for (const [id, { seq, unchanged, receivedAt }] of winners) {
      appender.appendBigInt(BigInt(seq));
      appender.appendVarchar(report.registry);
      appender.appendVarchar(id);
      appender.appendBoolean(unchanged);
      if (receivedAt === null) appender.appendNull();
      else appender.appendVarchar(receivedAt);
      appender.endRow();
    }
    winners.clear();
  }
  appender.closeSync();
  await database.run(REPLACED);
  await database.run(`CREATE OR REPLACE TEMP VIEW live_payloads AS
    SELECT s.registry, s.id, s.payload_sha256, p.raw_part
      FROM staged_payloads s JOIN winners w USING (seq) JOIN staged_parts p USING (seq) WHERE NOT w.unchanged
    UNION ALL
    SELECT r.registry, r.id, r.payload_sha256, r.raw_part
      FROM registrations r ANTI JOIN replaced g ON g.registry = r.registry AND g.id = r.id`);
}

/** Statuses of kept ISRCTN registrations on the as-of day, which are not read again, from the stored inputs. */
async function stageDerived(database: Database, staging: Staging, asOf: string): Promise<void> {
  const chunks = database.stream(
    `SELECT n.registry, n.id, n.status_inputs
     FROM normalised_payloads n ANTI JOIN replaced g ON g.registry = n.registry AND g.id = n.id
     WHERE n.status_inputs IS NOT NULL`,
  );
  for await (const rows of chunks) {
    for (const { registry, id, status_inputs: statusInputs } of rows) {
      const inputs = JSON.parse(statusInputs as string) as StatusInputs;
      staging.derived.add({ registry, id, ...deriveIsrctnStatus(inputs, asOf) });
    }
  }
  await staging.derived.flush();
}

async function removedByRegistry(database: Database): Promise<Map<string, number>> {
  const rows = await database.all(`
    SELECT registry, CAST(count(*) AS DOUBLE) AS removed
    FROM registrations r SEMI JOIN replaced g USING (registry, id) ANTI JOIN winners w USING (registry, id)
    GROUP BY registry`);
  return new Map(rows.map((row) => [String(row.registry), Number(row.removed)]));
}

async function unreadableDates(database: Database): Promise<Map<string, number>> {
  const rows = await database.all(
    'SELECT registry, CAST(sum(len(date_notes)) AS DOUBLE) AS dates FROM registrations GROUP BY registry',
  );
  return new Map(rows.map((row) => [String(row.registry), Number(row.dates)]));
}

async function swap(
  database: Database,
  inputs: NormaliseInputs,
  report: NormaliseReport,
  effects: Effects,
): Promise<void> {
  const text = await readFile(new URL('swap.sql', import.meta.url), 'utf8');
  const statements = text
    .replace('{derived_set}', DERIVED_COLUMNS.map((column) => `${column} = d.${column}`).join(', '))
    .replace('{derived_now}', DERIVED_COLUMNS.map((column) => `t.${column}`).join(', '))
    .replace('{derived_new}', DERIVED_COLUMNS.map((column) => `d.${column}`).join(', '))
    .replace('{published_registrations}', inputs.published?.('registrations') ?? '(FROM registrations WHERE false)');
  const madeFrom = {
    asOf: report.asOf,
    normaliserVersion: NORMALISER_VERSION,
    sets: inputs.sets.map(({ registry, full, increments }) => {
      return { registry, full: full.run, increments: increments.map(({ run }) => run) };
    }),
  };
  effects.checkpoint('normalise:before-swap');
  await database.transaction(async () => {
    await database.run(statements);
    const unreadable = await unreadableDates(database);
    for (const one of report.registries) one.unreadableDates = unreadable.get(one.registry) ?? 0;
    await database.run("DELETE FROM stage_state WHERE stage = 'normalise'");
    await database.run('INSERT INTO stage_state VALUES ($1, $2, $3, $4)', [
      'normalise',
      effects.now().toISOString(),
      JSON.stringify(madeFrom),
      JSON.stringify(report),
    ]);
    effects.checkpoint('normalise:in-swap');
  });
  effects.checkpoint('normalise:swapped');
}
