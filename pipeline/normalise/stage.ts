import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { registrationForm } from '../../snapshot/sql/fields.ts';
import type { Effects } from '../effects.ts';
import type { FetchLog } from '../raw/fetch-log.ts';
import { rawSetsOf } from '../raw/fetch-log.ts';
import { appendRows } from '../store/append-rows.ts';
import type { Database } from '../store/database.ts';
import { Chain, type ChainContext, type RawReaders, type RegistrySets } from './chain.ts';
import { PayloadParts } from './payload-parts.ts';
import type { PublishedTables } from './published-versions.ts';
import { NORMALISER_VERSION } from './record.ts';
import { assertFewQuarantined, emptyReport, type NormaliseReport, StageFault } from './report.ts';
import { StagingTable } from './staging.ts';
import { readDate } from './values.ts';

export interface NormaliseInputs {
  dataDir: string;
  /** At most one entry a registry; a registry without one is reported as unanswered and holds no rows. */
  sets: RegistrySets[];
  /** Day (YYYY-MM-DD) for statuses that follow from dates; by default the newest day that the inputs state. */
  asOf?: string;
  /** The last published snapshot of the same corpus: what it holds in a newer version, or says in other bytes, stays. */
  published?: PublishedTables | null;
  /** Registries whose older versions are taken all the same. */
  takeOlder?: readonly RegistryId[];
}

/** A row for each record that was read: its registration, what `known_payloads` keeps of it, and its rows of two other tables. */
const STAGED = `SELECT r.* EXCLUDE (raw_part), k.* EXCLUDE (registry, id, payload_sha256), identifiers, publications
  FROM registrations r, known_payloads k,
    (SELECT list(i) AS identifiers FROM (SELECT * EXCLUDE (registry, registration_id) FROM stated_identifiers LIMIT 0) i),
    (SELECT list(p) AS publications FROM (SELECT * EXCLUDE (registry, registration_id) FROM publications LIMIT 0) p)`;

/** The current raw sets of every registry that has any, in the order of REGISTRY_IDS. */
export async function registrySetsOf(dataDir: string): Promise<RegistrySets[]> {
  const found: RegistrySets[] = [];
  for (const registry of REGISTRY_IDS) {
    const sets = await rawSetsOf(dataDir, registry);
    if (sets !== null) found.push({ registry, ...sets });
  }
  return found;
}

/**
 * Reads the raw sets of all registries into the tables `registrations`, `stated_identifiers`, `publications`,
 * `quarantine` and `known_payloads`, and the payloads into part files. Everything is staged first and swapped in by one
 * transaction: a stop at any point leaves the tables of the last complete run. A payload that is known keeps its row;
 * one of ISRCTN is read again when the day changes its status. Throws StageFault (more than 1 % of a registry
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
  const { dataDir, published = null, takeOlder = [] } = inputs;
  const scratch = join(dataDir, 'work', 'normalise');
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true });
  await using parts = await PayloadParts.open(database, dataDir, effects);
  const staged = await StagingTable.create(database, 'staged', STAGED, scratch, registrationForm());
  const asOf = inputs.asOf ?? dayOfSets(inputs.sets.flatMap(logsOf));
  const chains = await readChains(inputs.sets, {
    ...{ database, dataDir, asOf, readers, effects, staged, parts, published, takeOlder },
  });
  const report: NormaliseReport = {
    asOf,
    asOfFrom: inputs.asOf === undefined ? 'inputs' : 'given',
    normaliserVersion: NORMALISER_VERSION,
    registries: REGISTRY_IDS.map(
      (registry) =>
        chains.find((chain) => chain.report.registry === registry)?.report ?? emptyReport(registry, 'unanswered'),
    ),
    parts: { written: parts.written, rewritten: parts.renewed.length, removed: 0 },
    seconds: (effects.now().getTime() - startedAt.getTime()) / 1000,
  };
  await countRegistrations(database, report);
  await swap(database, inputs, report, effects);
  report.parts.removed = await parts.removeUnreferenced();
  await rm(scratch, { recursive: true, force: true });
  return report;
}

function logsOf({ full, increments }: RegistrySets): FetchLog[] {
  return [full, ...increments];
}

function badInput(message: string): StageFault {
  return new StageFault('normalise', 'bad-input', null, message);
}

function assertInputs({ sets, asOf }: NormaliseInputs): void {
  const named = sets.map(({ registry }) => registry);
  if (named.length === 0) throw badInput('no registry has a raw set; fetch one first');
  if (new Set(named).size !== named.length) throw badInput(`a registry is named twice: ${named.join(', ')}`);
  for (const { registry, run, state } of sets.flatMap(logsOf)) {
    if (state === 'complete') continue;
    const message = `raw set ${run} is not complete; resume its fetch first`;
    throw new StageFault('normalise', 'open-set', registry, message);
  }
  if (asOf === undefined) return;
  const day = readDate(asOf);
  if (day?.date !== asOf) throw badInput(`as-of day ${asOf} is not a day (YYYY-MM-DD)`);
  if (day.precision === 'month') throw badInput(`as-of day ${asOf} is a month; give a day (YYYY-MM-DD)`);
}

/**
 * The newest day that the raw sets state, so that the same sets give the same rows on any day. A live set states the day
 * of its data, else the day it was fetched; a dump may be read long after it was made, and its fetch log has its day.
 * Throws when no set states one.
 */
function dayOfSets(logs: readonly FetchLog[]): string {
  const days = logs.flatMap(({ dataTimestamp, dumpDay, finishedAt }) => {
    const date = readDate(dataTimestamp ?? dumpDay?.day ?? finishedAt);
    return date?.precision === 'day' ? [date.date] : [];
  });
  const newest = days.sort().at(-1);
  if (newest === undefined) throw badInput('no raw set states a date; pass the as-of day (YYYY-MM-DD)');
  return newest;
}

/** Reads all registries before judging their quarantine, so that one registry's fault does not hide another's. */
async function readChains(sets: readonly RegistrySets[], context: ChainContext): Promise<Chain[]> {
  const { database, parts, staged, effects } = context;
  await database.run(
    `CREATE OR REPLACE TEMP TABLE winners
       (registry VARCHAR, id VARCHAR, payload_sha256 VARCHAR, unchanged BOOLEAN, is_row BOOLEAN, received_at VARCHAR);
     CREATE OR REPLACE TEMP TABLE staged_quarantine AS FROM quarantine LIMIT 0`,
  );
  const chains: Chain[] = [];
  for (const registry of REGISTRY_IDS) {
    const own = sets.find((candidate) => candidate.registry === registry);
    if (own === undefined) continue;
    const chain = new Chain(own, context);
    await chain.read();
    chains.push(chain);
  }
  await parts.flush();
  await staged.flush();
  for (const { report } of chains) assertFewQuarantined(report);
  for (const { quarantine } of chains) await appendRows(database, 'staged_quarantine', quarantine);
  effects.checkpoint('normalise:staged');
  return chains;
}

/** Fills in how many registrations of each registry stay, come and go. */
async function countRegistrations(database: Database, report: NormaliseReport): Promise<void> {
  const rows = await database.all(
    `SELECT registry, count(w.id)::DOUBLE AS kept, (count(*) FILTER (w.unchanged))::DOUBLE AS unchanged,
       (count(*) FILTER (w.id IS NULL))::DOUBLE AS removed
     FROM (SELECT registry, id FROM registrations) r FULL JOIN winners w USING (registry, id) GROUP BY registry`,
  );
  for (const one of report.registries) {
    const { kept = 0, unchanged = 0, removed = 0 } = rows.find(({ registry }) => registry === one.registry) ?? {};
    Object.assign(one, { kept, unchanged, removed, normalised: Number(kept) - Number(unchanged) });
  }
}

/**
 * Puts the rows of this run into the tables. Rows of registrations that are no unchanged winner are deleted; every table
 * is looked through, so that none keeps a row whose registration is gone. A payload is retrieved when the last snapshot
 * says so, else when these sets first held it: never when some earlier run read it that was not published, since another
 * folder would not know of that.
 */
function swapStatements(published: string): string {
  const gone = (id: string) =>
    `WHERE NOT EXISTS (SELECT 1 FROM winners w WHERE w.unchanged AND w.registry = t.registry AND w.id = t.${id})`;
  const won = 'FROM staged s SEMI JOIN (FROM winners WHERE NOT unchanged) w USING (registry, payload_sha256)';
  return `
    DELETE FROM registrations t ${gone('id')};
    DELETE FROM known_payloads t ${gone('id')};
    DELETE FROM stated_identifiers t ${gone('registration_id')};
    DELETE FROM publications t ${gone('registration_id')};
    DELETE FROM quarantine;
    INSERT INTO registrations BY NAME
      SELECT s.* EXCLUDE (updated, normaliser_version, valid_from, valid_until, identifiers, publications), p.raw_part
      FROM (SELECT s.* ${won}) s JOIN staged_parts p USING (registry, payload_sha256);
    INSERT INTO known_payloads BY NAME
      SELECT s.registry, s.id, payload_sha256, updated, normaliser_version, valid_from, valid_until ${won};
    INSERT INTO stated_identifiers BY NAME
      SELECT s.registry, s.id AS registration_id, unnest(identifiers, recursive := true) ${won};
    INSERT INTO publications BY NAME
      SELECT s.registry, s.id AS registration_id, unnest(publications, recursive := true) ${won};
    INSERT INTO quarantine BY NAME FROM staged_quarantine;
    UPDATE registrations t SET retrieved_at = known.retrieved_at
    FROM (
      SELECT r.registry, r.id, coalesce(p.retrieved_at, w.received_at, r.retrieved_at) AS retrieved_at
      FROM registrations r LEFT JOIN winners w USING (registry, id)
      LEFT JOIN ${published} p ON p.registry = r.registry AND p.id = r.id AND p.payload_sha256 = r.payload_sha256
    ) known
    WHERE known.registry = t.registry AND known.id = t.id AND known.retrieved_at <> t.retrieved_at`;
}

async function swap(
  database: Database,
  inputs: NormaliseInputs,
  report: NormaliseReport,
  effects: Effects,
): Promise<void> {
  const madeFrom = {
    asOf: report.asOf,
    normaliserVersion: NORMALISER_VERSION,
    sets: inputs.sets.map(({ registry, full, increments }) => {
      return { registry, full: full.run, increments: increments.map(({ run }) => run) };
    }),
  };
  effects.checkpoint('normalise:before-swap');
  await database.transaction(async () => {
    await database.run(swapStatements(inputs.published?.('registrations') ?? '(FROM registrations WHERE false)'));
    const unreadable = await database.all(
      'SELECT registry, sum(len(date_notes))::DOUBLE AS dates FROM registrations GROUP BY registry',
    );
    for (const one of report.registries)
      one.unreadableDates = Number(unreadable.find(({ registry }) => registry === one.registry)?.dates ?? 0);
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
