import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../../pipeline/effects.ts';
import type { BuildServingImage } from '../../pipeline/publish/commit.ts';
import type { PublishInputs } from '../../pipeline/publish/publish.ts';
import { type Database, openWorkingDatabase } from '../../pipeline/store/database.ts';
import type { ManifestRegistry } from '../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { REGISTRATION_COLUMNS } from '../../snapshot/sql/fields.ts';
import { manifestRegistry } from './manifest.ts';

type Row = Record<string, unknown>;

const NOTHING_STATED = Object.fromEntries(
  REGISTRATION_COLUMNS.flatMap(({ column, sqlType, words, null: absent }): [string, unknown][] => {
    if (sqlType.endsWith('[]')) return [[column, []]];
    return words !== undefined && absent === undefined ? [[column, words.at(-1)]] : [];
  }),
);

/** A registration of a test corpus: any column of the table may be set, the rest is filled in. */
export interface RegistrationSpec extends Row {
  id: string;
  /** Part file that holds the payload. */
  raw_part?: string;
  payload?: string;
}

export interface TrialSpec {
  canonicalId: string;
  /** The first one founds the trial. */
  members: RegistrationSpec[];
}

export interface CorpusSpec {
  trials: TrialSpec[];
  /** Rows of canonical_ids beside those of the trials: [id, state, aliasOf]. */
  formerIds?: [string, 'alias' | 'retired', string | null][];
  /** Divided ids with the registrations that they were given to: [id, founder, partner]. */
  dividedIds?: [string, string, string][];
  links?: (Row & { link_id: string })[];
  identifiers?: Row[];
  relations?: Row[];
  publications?: Row[];
  quarantine?: Row[];
  /** Payloads in part files that no registration uses: [part, id]. */
  deadPayloads?: [string, string][];
}

export function registryOf(id: string): RegistryId {
  return id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn';
}

/** A data directory whose working database and raw parts hold `corpus`. */
export async function makeWorkingDatabase(dataDir: string, corpus: CorpusSpec): Promise<Database> {
  const db = await openWorkingDatabase(dataDir, { threads: 2 });
  await fillWorkingDatabase(db, dataDir, corpus);
  return db;
}

/** Replaces the content of the working tables; raw parts are written anew. */
export async function fillWorkingDatabase(db: Database, dataDir: string, corpus: CorpusSpec): Promise<void> {
  await fillRegistrations(db, dataDir, corpus);
  await insertRows(
    db,
    dataDir,
    'trial_members',
    corpus.trials.flatMap(({ canonicalId, members }) =>
      members.map(({ id }, index) => ({
        canonical_id: canonicalId,
        registry: registryOf(id),
        registration_id: id,
        founding: index === 0,
      })),
    ),
  );
  await insertRows(db, dataDir, 'canonical_ids', [
    ...corpus.trials.map((trial) => ledgerRow(trial.canonicalId, trial.members[0]!.id, 'current', null)),
    ...(corpus.dividedIds ?? []).map(([id, founder, partner]) => ({
      ...ledgerRow(id, founder, 'divided', null),
      partner_id: partner,
    })),
    ...(corpus.formerIds ?? []).map(([id, state, aliasOf]) => ledgerRow(id, `NCT-${id}`, state, aliasOf)),
  ]);
  await insertRows(db, dataDir, 'links', (corpus.links ?? []).map(linkRow));
  await insertRows(db, dataDir, 'identifiers', corpus.identifiers ?? []);
  await insertRows(db, dataDir, 'relations', corpus.relations ?? []);
  await insertRows(db, dataDir, 'publications', corpus.publications ?? []);
  await writeParts(db, dataDir, corpus);
}

/** Replaces the registrations and the quarantine alone, for what reads no other table. */
export async function fillRegistrations(db: Database, dataDir: string, corpus: CorpusSpec): Promise<void> {
  const members = corpus.trials.flatMap((trial) => trial.members);
  await insertRows(db, dataDir, 'registrations', members.map(registrationRow));
  await insertRows(db, dataDir, 'quarantine', corpus.quarantine ?? []);
}

/** The row that the normalise stage would give for a sparse record. */
function registrationRow(spec: RegistrationSpec): Row {
  const { payload, ...columns } = spec;
  return {
    ...NOTHING_STATED,
    registry: registryOf(spec.id),
    url: `https://registry.example/${spec.id}`,
    payload_sha256: sha256(payloadOf(spec)),
    raw_part: 'part-a.parquet',
    retrieved_at: '2026-11-20T03:00:00.000Z',
    title: `Title of ${spec.id}`,
    status_basis: 'none',
    results_available: false,
    results_basis: 'none',
    ...columns,
  };
}

function payloadOf(spec: RegistrationSpec): string {
  return spec.payload ?? `{"id":"${spec.id}"}`;
}

function ledgerRow(id: string, foundingId: string, state: string, aliasOf: string | null): Row {
  return {
    canonical_id: id,
    founding_registry: registryOf(foundingId),
    founding_id: foundingId,
    state,
    alias_of: aliasOf,
    first_seen: '2026-11-01T00:00:00.000Z',
  };
}

function linkRow(row: Row): Row {
  return {
    from_registry: 'isrctn',
    from_id: 'ISRCTN00000001',
    to_registry: 'clinicaltrials_gov',
    to_id: 'NCT00000001',
    kind: 'explicit-cross-reference',
    rule: 'declared-by-isrctn',
    field: 'externalRefs.clinicalTrialsGovNumber',
    raw_value: 'NCT00000001',
    identifier_type: 'nct',
    identifier_value: 'NCT00000001',
    direction: 'one-way',
    verdict: 'accepted',
    conflict: false,
    ...row,
  };
}

/** Replaces the rows of a table; columns that a row lacks become NULL. */
async function insertRows(db: Database, dataDir: string, table: string, rows: readonly Row[]): Promise<void> {
  await db.run(`DELETE FROM ${table}`);
  if (rows.length === 0) return;
  const described = await db.all(`SELECT column_name, column_type FROM (DESCRIBE ${table})`);
  const columns = described.map((column) => `'${column.column_name}': '${String(column.column_type)}'`);
  const file = join(dataDir, `${table}.ndjson`);
  await writeFile(file, rows.map((row) => JSON.stringify(row)).join('\n'));
  await db.run(
    `INSERT INTO ${table} SELECT * FROM read_json(${sqlLiteral(file)}, format = 'newline_delimited', columns = {${columns.join(', ')}})`,
  );
  await rm(file);
}

async function writeParts(db: Database, dataDir: string, corpus: CorpusSpec): Promise<void> {
  const partsDir = join(dataDir, 'work', 'raw-parts');
  await mkdir(partsDir, { recursive: true });
  await db.run(
    'CREATE OR REPLACE TEMP TABLE payloads (part VARCHAR, registry VARCHAR, id VARCHAR, payload_sha256 VARCHAR, format VARCHAR, payload VARCHAR)',
  );
  const live = corpus.trials
    .flatMap((trial) => trial.members)
    .map((spec) => [spec.raw_part ?? 'part-a.parquet', spec] as const);
  const dead = (corpus.deadPayloads ?? []).map(([part, id]) => [part, { id, payload: 'dead' }] as const);
  const rows = [...live, ...dead].map(([part, spec]) => ({
    part,
    registry: registryOf(spec.id),
    id: spec.id,
    payload_sha256: sha256(payloadOf(spec)),
    format: registryOf(spec.id) === 'isrctn' ? 'xml' : 'json',
    payload: payloadOf(spec),
  }));
  await insertRows(db, dataDir, 'payloads', rows);
  for (const part of new Set(rows.map((row) => row.part))) {
    const target = join(partsDir, part);
    await rm(target, { force: true });
    await db.run(
      `COPY (SELECT * EXCLUDE (part) FROM payloads WHERE part = ${sqlLiteral(part)}) TO ${sqlLiteral(target)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  }
}

/** The manifest's registries for a corpus. */
export function manifestRegistries(corpus: CorpusSpec): ManifestRegistry[] {
  const ids = corpus.trials.flatMap((trial) => trial.members).map((member) => member.id);
  const at = '2026-11-20T03:00:00.000Z';
  return REGISTRY_IDS.map((registry) =>
    manifestRegistry(registry, {
      registrations: ids.filter((id) => registryOf(id) === registry).length,
      quarantined: (corpus.quarantine ?? []).filter((row) => row.registry === registry).length,
      lastSuccessAt: at,
      lastAttemptAt: at,
      source: 'sample',
    }),
  );
}

export function publishInputs(root: string, corpus: CorpusSpec, changes: Partial<PublishInputs> = {}): PublishInputs {
  return {
    dataDir: join(root, 'data'),
    snapshotsDir: join(root, 'snapshots'),
    registries: manifestRegistries(corpus),
    corpus: 'sample',
    asOf: '2026-11-20',
    codeVersion: 'test',
    accept: [],
    rules: { id: 'test-rules', sha256: '0'.repeat(64), count: 1 },
    ...changes,
  };
}

/** Replaces the serving image by two files made from the tables' directory alone. */
export const buildTestImage: BuildServingImage = async ({ outDir }) => {
  await writeFile(join(outDir, 'ids.arrow'), 'ids');
  await writeFile(join(outDir, 'rows.arrow'), 'rows');
  return { imageVersion: 1 };
};

/** Effects that do nothing. Their clock never moves. */
export function quietEffects(changes: Partial<Effects> = {}): Effects {
  return {
    now: () => new Date('2026-11-21T03:15:00.500Z'),
    progress: () => undefined,
    checkpoint: () => undefined,
    ...changes,
  };
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Two trials, one of them in both registries. */
export const tinyCorpus: CorpusSpec = {
  trials: [
    { canonicalId: 'wt_aaaaaaaaaaaa', members: [{ id: 'NCT00000001' }, { id: 'ISRCTN00000001' }] },
    { canonicalId: 'wt_bbbbbbbbbbbb', members: [{ id: 'NCT00000002' }] },
  ],
  links: [{ link_id: 'ln_1' }],
};
