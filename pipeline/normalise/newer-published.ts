import type { RegistryId } from '../../contract/ids.ts';
import type { SnapshotTable } from '../../snapshot-format/manifest.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import type { Database } from '../store/database.ts';

/** SQL that reads a table of the last published snapshot. */
export type PublishedTables = (table: SnapshotTable) => string;

/** A record that was received in an older version than the last snapshot holds. */
export interface OlderRecord {
  id: string;
  /** The received version's title and what makes it older, in words. */
  title: string;
  detail: string;
  /** Hash of the published payload. */
  sha256: string;
  retrievedAt: string;
}

/** Winners of a registry as rows (seq, id, unchanged) of the table `contested`, and whether the others keep their rows. */
export interface Contested {
  registry: RegistryId;
  keepsOthers: boolean;
}

/**
 * Which records the last snapshot holds in a newer version than the winners of this run: by their update day, or by the
 * registry's own version number. Reads the staged registrations and those of the last run.
 */
export async function olderThanPublished(
  database: Database,
  published: PublishedTables,
  { registry, keepsOthers }: Contested,
): Promise<OlderRecord[]> {
  const columns = `id, title, payload_sha256 AS sha, last_updated_date."date" AS updated, source_version AS version`;
  const of = sqlLiteral(registry);
  const rows = await database.all(
    `WITH received AS (
       SELECT ${columns} FROM staged_registrations s SEMI JOIN (FROM contested WHERE NOT unchanged) w USING (seq)
       UNION ALL
       SELECT ${columns} FROM registrations r WHERE registry = ${of}
         AND NOT EXISTS (SELECT 1 FROM contested w WHERE w.id = r.id AND NOT w.unchanged)
         AND (${keepsOthers} OR EXISTS (SELECT 1 FROM contested w WHERE w.id = r.id))
     )
     SELECT r.id, r.title, p.sha, p.retrieved_at,
       concat('received as of ', coalesce(r.updated, 'no day'), ', version ', coalesce(r.version, 'not stated'),
         '; published as of ', coalesce(p.updated, 'no day'), ', version ', coalesce(p.version, 'not stated')) AS detail
     FROM received r
     JOIN (SELECT ${columns}, retrieved_at FROM ${published('registrations')} WHERE registry = ${of}) p ON p.id = r.id
     WHERE p.sha <> r.sha
       AND (r.updated < p.updated OR try_cast(r.version AS BIGINT) < try_cast(p.version AS BIGINT))
     ORDER BY r.id`,
  );
  return rows.map((row) => ({
    id: String(row.id),
    title: String(row.title),
    detail: String(row.detail),
    sha256: String(row.sha),
    retrievedAt: String(row.retrieved_at),
  }));
}

/** The published payload of a record, exactly as it was received. */
export async function publishedPayload(
  database: Database,
  published: PublishedTables,
  registry: RegistryId,
  { id, sha256 }: OlderRecord,
): Promise<Buffer<ArrayBuffer>> {
  const row = await database.one(
    `SELECT payload FROM ${published('raw')} WHERE registry = $1 AND id = $2 AND payload_sha256 = $3 LIMIT 1`,
    [registry, id, sha256],
  );
  if (row === null)
    throw new Error(`the published snapshot lacks the payload of ${id}; run \`pipeline verify current\``);
  return Buffer.from(String(row.payload));
}
