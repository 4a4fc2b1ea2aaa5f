import type { RegistryId } from '../../contract/ids.ts';
import type { Effects } from '../../pipeline/effects.ts';
import { createTables, Database } from '../../pipeline/store/database.ts';
import type { IdentifierRole, IdentifierType } from '../../snapshot/format/registration.ts';
import { REGISTRATION_COLUMNS } from '../../snapshot/sql/fields.ts';
import { nothingStated } from './nothing-stated.ts';

/** What the dedup tests hold and state; the rest of a record does not matter to dedup. */
export interface FixtureCorpus {
  held: { id: string; firstPosted?: string; aliases?: string[] }[];
  stated: { by: string; type: IdentifierType; value: string; role?: IdentifierRole; field?: string; raw?: string }[];
}

export function registryOf(id: string): RegistryId {
  return id.startsWith('NCT') ? 'clinicaltrials_gov' : 'isrctn';
}

export function fixedEffects(now: string, checkpoint: (name: string) => void = () => undefined): Effects {
  return { now: () => new Date(now), progress: () => undefined, checkpoint };
}

const GIVEN = ['registry', 'aliases', 'status', 'recruitment_status'];
const NOTHING_STATED = REGISTRATION_COLUMNS.filter(
  ({ column, sqlType, words, null: absent }) =>
    !GIVEN.includes(column) && (sqlType.endsWith('[]') || (words !== undefined && absent === undefined)),
).map((column) => `${nothingStated(column)} AS "${column.column}"`);

/** An empty working database in memory. */
export async function openFixture(): Promise<Database> {
  const db = await Database.open(':memory:', { memoryLimit: '500MB', threads: 1 });
  await createTables(db);
  return db;
}

/** Empties the ledger, so that the next run gives every id anew. */
export async function forgetLedger(db: Database): Promise<void> {
  await db.run('DELETE FROM canonical_ids; DELETE FROM trial_members');
}

/** Replaces what the normalise stage would have written, in the order given. */
export async function fillFixture(db: Database, corpus: FixtureCorpus): Promise<void> {
  await db.run('DELETE FROM registrations; DELETE FROM stated_identifiers');
  await db.run(
    `INSERT INTO registrations BY NAME
     SELECT registry, id, 'https://example.org/' || id AS url, aliases, '' AS payload_sha256, '' AS raw_part,
       '2026-11-21T00:00:00.000Z' AS retrieved_at, 'unknown' AS status, 'unknown' AS recruitment_status,
       '' AS status_basis, ${NOTHING_STATED.join(', ')},
       CASE WHEN first_posted IS NOT NULL THEN {'date': first_posted,
         'precision': CASE length(first_posted) WHEN 7 THEN 'month' ELSE 'day' END, 'type': NULL::VARCHAR} END
         AS first_posted_date,
       false AS results_available, '' AS results_basis
     FROM (SELECT unnest(from_json($1::JSON,
       '[{"registry": "VARCHAR", "id": "VARCHAR", "aliases": ["VARCHAR"], "first_posted": "VARCHAR"}]'), recursive := true))`,
    [
      JSON.stringify(
        corpus.held.map(({ id, firstPosted, aliases }) => ({
          registry: registryOf(id),
          id,
          aliases: aliases ?? [],
          first_posted: firstPosted ?? null,
        })),
      ),
    ],
  );
  await db.run(
    `INSERT INTO stated_identifiers
     SELECT registry, registration_id, "type", "value", "role", field, raw_value, false
     FROM (SELECT unnest(from_json($1::JSON,
       '[{"registry": "VARCHAR", "registration_id": "VARCHAR", "type": "VARCHAR", "value": "VARCHAR",
          "role": "VARCHAR", "field": "VARCHAR", "raw_value": "VARCHAR"}]'), recursive := true))`,
    [
      JSON.stringify(
        corpus.stated.map(({ by, type, value, role, field, raw }) => ({
          registry: registryOf(by),
          registration_id: by,
          type,
          value,
          role: role ?? 'declared',
          field: field ?? 'secondaryIdInfos.id',
          raw_value: raw ?? value,
        })),
      ),
    ],
  );
}
