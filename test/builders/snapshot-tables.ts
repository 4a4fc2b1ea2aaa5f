import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StagingTable } from '../../pipeline/normalise/staging.ts';
import { defineTrials } from '../../pipeline/publish/write-tables.ts';
import { type JsonRow, openWorkingDatabase } from '../../pipeline/store/database.ts';
import type { Registration, StatedIdentifier } from '../../snapshot/format/registration.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { registrationForm } from '../../snapshot/sql/fields.ts';
import { columnList, TABLE_SPECS, writtenColumns } from '../../snapshot/sql/tables.ts';

/** One canonical trial of a test corpus; its first registration founded it. */
export interface CorpusTrial {
  canonicalId: string;
  aliases: string[];
  registrations: Registration[];
}

export interface CorpusLink {
  linkId: string;
  from: Registration;
  to: Registration;
  direction: 'one-way' | 'mutual' | 'shared';
  verdict: 'accepted' | 'rejected';
  conflict: boolean;
}

/** Content of a snapshot, in the types of the stages. */
export interface Corpus {
  trials: CorpusTrial[];
  identifiers: (StatedIdentifier & { inIndex: boolean; resolvesTo: string | null })[];
  links: CorpusLink[];
  relations: { from: Registration; to: Registration; reason: string; linkId: string }[];
  /** Rows of the table; none by default. */
  publications?: JsonRow[];
  /** ClinicalTrials.gov payloads that the test needs; none by default. */
  payloads?: Record<string, unknown>;
}

const WRITTEN = ['trials', 'registrations', 'identifiers', 'links', 'relations', 'publications'] as const;

/** Writes the Parquet tables of a serving image with the publish stage's own merge and column lists. */
export async function writeSnapshotTables(corpus: Corpus, dir: string): Promise<void> {
  const work = `${dir}.work`;
  await mkdir(dir, { recursive: true });
  await mkdir(work, { recursive: true });
  try {
    await using db = await openWorkingDatabase(work, { memoryLimit: '500MB', threads: 1 });
    for (const [table, rows] of Object.entries(workingRows(corpus))) {
      if (rows.length === 0) continue;
      const form = table === 'registrations' ? registrationForm() : undefined;
      const shape = `SELECT * FROM ${table}`;
      const staged = await StagingTable.create(db, `staged_${table}`, shape, work, form);
      for (const row of rows) await staged.add(row);
      await staged.flush();
      await db.run(`INSERT INTO ${table} FROM staged_${table}`);
    }
    await defineTrials(db);
    for (const table of WRITTEN) {
      const { key, source } = TABLE_SPECS[table];
      await db.run(
        `COPY (SELECT ${writtenColumns(table)} FROM ${source} ORDER BY ${columnList(key)})
         TO ${sqlLiteral(join(dir, `${table}.parquet`))} (FORMAT parquet, COMPRESSION zstd)`,
      );
    }
    await mkdir(join(dir, 'raw'));
    await db.run(
      `COPY (SELECT * FROM (VALUES ${payloadValues(corpus)}) AS p(registry, id, payload_sha256, payload) WHERE id IS NOT NULL)
       TO ${sqlLiteral(join(dir, 'raw', 'part-0000.parquet'))} (FORMAT parquet)`,
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function payloadValues({ payloads = {}, trials }: Corpus): string {
  const sums = new Map(
    trials.flatMap(({ registrations }) => registrations).map(({ id, payloadSha256 }) => [id, payloadSha256]),
  );
  const rows = Object.entries(payloads).map(
    ([id, payload]) =>
      `('clinicaltrials_gov', ${sqlLiteral(id)}, ${sqlLiteral(sums.get(id) ?? '')}, ${sqlLiteral(JSON.stringify(payload))})`,
  );
  return [...rows, '(NULL::VARCHAR, NULL::VARCHAR, NULL::VARCHAR, NULL::VARCHAR)'].join(', ');
}

function workingRows({ trials, identifiers, links, relations, publications = [] }: Corpus): Record<string, JsonRow[]> {
  return {
    registrations: trials.flatMap(({ registrations }) => registrations.map((record) => ({ ...record, raw_part: '' }))),
    trial_members: trials.flatMap(({ canonicalId, registrations }) =>
      registrations.map(({ registry, id }, place) => ({
        canonical_id: canonicalId,
        registry,
        registration_id: id,
        founding: place === 0,
      })),
    ),
    canonical_ids: trials.flatMap(({ canonicalId, aliases, registrations }) => {
      const [founder] = registrations as [Registration];
      const entry = { founding_registry: founder.registry, founding_id: founder.id, first_seen: founder.retrievedAt };
      return [
        { ...entry, canonical_id: canonicalId, state: 'current', alias_of: null },
        ...aliases.map((alias) => ({ ...entry, canonical_id: alias, state: 'alias', alias_of: canonicalId })),
      ];
    }),
    identifiers: identifiers.map((row) => ({
      registry: row.registry,
      registration_id: row.registrationId,
      type: row.type,
      value: row.value,
      role: row.role,
      field: row.field,
      raw_value: row.rawValue,
      suspect: row.suspect,
      in_index: row.inIndex,
      resolves_to: row.resolvesTo,
    })),
    links: links.map(linkRow),
    publications,
    relations: relations.map(({ from, to, reason, linkId }) => ({
      from_registry: from.registry,
      from_id: from.id,
      to_registry: to.registry,
      to_id: to.id,
      kind: 'related',
      reason,
      link_id: linkId,
    })),
  };
}

function linkRow({ linkId, from, to, direction, verdict, conflict }: CorpusLink): JsonRow {
  return {
    link_id: linkId,
    from_registry: from.registry,
    from_id: from.id,
    to_registry: to.registry,
    to_id: to.id,
    kind: direction === 'shared' ? 'shared-identifier' : 'explicit-cross-reference',
    rule: 'test-rule',
    field: 'secondaryIdInfos.id',
    raw_value: to.id,
    to_field: null,
    to_raw_value: null,
    identifier_type: to.registry === 'isrctn' ? 'isrctn' : 'nct',
    identifier_value: to.id,
    direction,
    verdict,
    reason: verdict === 'rejected' ? 'ambiguous' : null,
    conflict,
  };
}
