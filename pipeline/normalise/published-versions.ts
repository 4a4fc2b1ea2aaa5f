import { join } from 'node:path';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { RegistryId } from '../../contract/ids.ts';
import type { SnapshotTable } from '../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { RawRecord } from '../raw/fetch-log.ts';
import type { Database, JsonRow } from '../store/database.ts';
import { type PayloadParts, rawPartsDirectory } from './payload-parts.ts';
import { payloadSha256 } from './record.ts';

/** SQL that reads a table of the last published snapshot, with instants as the text that working tables have. */
export type PublishedTables = (table: SnapshotTable) => string;

interface Received {
  database: Database;
  dataDir: string;
  parts: PayloadParts;
  published: PublishedTables;
  registry: RegistryId;
  /** False where received versions that are older than the published ones are taken. */
  keepsOlder: boolean;
}

/**
 * Finds the winners whose published version stays: they were received in an older version (by the update day, or by the
 * registry's own version number), or in one of the same day that says the same in other bytes. Reads the winners among the
 * staged records and the registrations of the last run, which may not be the published ones: a run that was refused leaves
 * its own. Leaves the temporary table `kept`; `detail` has in words what makes a received version older, else null.
 */
export async function findKept({ database, dataDir, parts, published, registry, keepsOlder }: Received): Promise<void> {
  const columns = `id, title, payload_sha256 AS sha, last_updated_date."date" AS updated, source_version AS version`;
  const of = sqlLiteral(registry);
  await database.run(
    `CREATE OR REPLACE TEMP TABLE differing AS
     WITH received AS (
       SELECT ${columns}, NULL AS raw_part FROM staged s
       SEMI JOIN (FROM winners WHERE registry = ${of} AND NOT unchanged) w USING (registry, payload_sha256)
       UNION ALL
       SELECT ${columns}, raw_part FROM registrations r
       SEMI JOIN (FROM winners WHERE registry = ${of} AND unchanged) w USING (registry, id)
     )
     SELECT r.id, r.title, r.sha AS received, r.raw_part, p.sha AS published, p.retrieved_at,
       coalesce(r.updated < p.updated OR try_cast(r.version AS BIGINT) < try_cast(p.version AS BIGINT), false) AS older,
       concat('received as of ', coalesce(r.updated, 'no day'), ', version ', coalesce(r.version, 'not stated'),
         '; published as of ', coalesce(p.updated, 'no day'), ', version ', coalesce(p.version, 'not stated')) AS detail
     FROM received r
     JOIN (SELECT ${columns}, retrieved_at FROM ${published('registrations')} WHERE registry = ${of}) p ON p.id = r.id
     WHERE p.sha <> r.sha AND (older OR r.updated IS NOT DISTINCT FROM p.updated);
     CREATE OR REPLACE TEMP TABLE kept AS
     SELECT id, published AS payload_sha256, retrieved_at, title, detail FROM differing WHERE older AND ${keepsOlder}`,
  );
  const sameDay = await database.one('SELECT count(*)::DOUBLE AS n FROM differing WHERE NOT older');
  if (registry === 'clinicaltrials_gov' && sameDay?.n !== 0) {
    await parts.flush();
    await keepSerialisedAnew(database, published, rawPartsDirectory(dataDir));
  }
  await database.run('DROP TABLE differing');
}

/**
 * Keeps the studies of ClinicalTrials.gov in `differing` that say what is published, in another serialisation. Both
 * payloads are compared without the day of the whole data set: first as minified texts, which are equal for nearly all
 * studies of a data set of another day, then in canonical form.
 */
async function keepSerialisedAnew(database: Database, published: PublishedTables, partsDir: string): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TEMP TABLE same_day AS
     SELECT d.* REPLACE (coalesce(d.raw_part, s.raw_part) AS raw_part), false AS equal
     FROM differing d LEFT JOIN staged_parts s ON s.payload_sha256 = d.received WHERE NOT d.older`,
  );
  const parts = await database.all('SELECT DISTINCT raw_part FROM same_day ORDER BY raw_part');
  const files = parts.map(({ raw_part }) => sqlLiteral(join(partsDir, String(raw_part))));
  const payloads = (side: 'received' | 'published'): string =>
    `(SELECT id, payload FROM ${side === 'received' ? `read_parquet([${files.join()}])` : published('raw')} p
      SEMI JOIN same_day d ON d.id = p.id AND d.${side} = p.payload_sha256 WHERE registry = 'clinicaltrials_gov')`;
  const text = `md5(regexp_replace(coalesce(TRY(json(payload)::VARCHAR), payload), '${DAY_OF_THE_SET}', ''))`;
  await database.run(
    `UPDATE same_day d SET equal = true
     FROM (SELECT id, ${text} AS text FROM ${payloads('received')}) r
     JOIN (SELECT id, ${text} AS text FROM ${payloads('published')}) p USING (id, text)
     WHERE r.id = d.id`,
  );
  const unequal = database.streamColumns(
    `SELECT id, r.payload, p.payload FROM (SELECT id FROM same_day WHERE NOT equal)
     JOIN ${payloads('received')} r USING (id) JOIN ${payloads('published')} p USING (id)`,
    PAYLOADS_AT_ONCE,
  );
  const alike: string[] = [];
  for await (const [ids = [], received = [], former = []] of unequal)
    for (const [place, id] of ids.entries())
      if (canonicalStudy(String(received[place])) === canonicalStudy(String(former[place]))) alike.push(String(id));
  await database.run(
    `INSERT INTO kept SELECT id, published, retrieved_at, NULL, NULL FROM same_day
     WHERE equal OR id IN (SELECT unnest(string_split($1, ',')))`,
    [alike.join()],
  );
  await database.run('DROP TABLE same_day');
}

const PAYLOADS_AT_ONCE = 64;
/** The day of the registry's whole data set, which it writes into every study. */
const DAY_OF_THE_SET = '"miscInfoModule":\\{"versionHolder":"[0-9-]{10}"';

interface Study {
  derivedSection?: { miscInfoModule?: { versionHolder?: unknown } | null } | null;
}

/** The canonical form (RFC 8785) of a study without the day of the whole data set, which differs on the next day in every study. */
export function canonicalStudy(payload: string): string {
  const study = JSON.parse(payload.replace(/^\uFEFF/, '')) as Study;
  const misc = study.derivedSection?.miscInfoModule;
  if (misc !== undefined && misc !== null) delete misc.versionHolder;
  return canonicalJson(study);
}

/**
 * DuckDB else collects the payloads, and not the keys, to join both, where it takes the keys for more: 2.6 GB of memory
 * for 96,000 payloads instead of 1.3.
 */
const STREAM_PAYLOADS = "SET disabled_optimizers = 'build_side_probe_side'";
const STREAM_NO_MORE = 'RESET disabled_optimizers';

/** The published payloads of rows of `kept`, exactly as they were received, as records of a raw set. */
export async function* publishedRecords(
  database: Database,
  published: PublishedTables,
  registry: RegistryId,
  rows: readonly JsonRow[],
): AsyncGenerator<RawRecord> {
  if (rows.length === 0) return;
  const retrievedAt = new Map(rows.map((row) => [row.payload_sha256, String(row.retrieved_at)]));
  // The reader of these records uses the main connection.
  const connection = await database.secondConnection();
  await connection.run(STREAM_PAYLOADS);
  try {
    const payloads = connection.stream(
      `SELECT id, payload_sha256, payload FROM ${published('raw')} WHERE registry = $1
         AND payload_sha256 IN (SELECT unnest(string_split($2, ',')))`,
      [registry, [...retrievedAt.keys()].join()],
    );
    for await (const some of payloads) {
      for (const { id, payload_sha256, payload } of some) {
        const bytes = Buffer.from(String(payload));
        if (payloadSha256(bytes) !== payload_sha256)
          throw new Error(`the published payload of ${id} does not have its checksum`);
        yield { ok: true, registry, payload: bytes, file: 'published', receivedAt: retrievedAt.get(payload_sha256)! };
      }
    }
  } finally {
    await connection.run(STREAM_NO_MORE);
    connection.close();
  }
}
