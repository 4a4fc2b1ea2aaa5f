import { hash } from 'node:crypto';
import { join } from 'node:path';
import { canonicalJson } from '../../contract/canonical-json.ts';
import type { RegistryId } from '../../contract/ids.ts';
import type { SnapshotTable } from '../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import type { RawRecord } from '../raw/fetch-log.ts';
import type { Database } from '../store/database.ts';

/** SQL that reads a table of the last published snapshot, with instants as the text that working tables have. */
export type PublishedTables = (table: SnapshotTable) => string;

/** The published version of a record, which takes the place of the received one. */
export interface PublishedVersion {
  id: string;
  /** Hash of the published payload. */
  sha256: string;
  retrievedAt: string;
  /** Of a received version that is older: its title, and in words what makes it older. Null for equal versions. */
  older: { title: string; detail: string } | null;
}

/**
 * Finds the winners whose payload is not the published one, although they were received in an older version (by the
 * update day, or by the registry's own version number), or in one of the same day. Reads the winners among the staged
 * records and the registrations of the last run, which may not be the published ones: a run that was refused leaves its
 * own. Leaves the temporary table `differing`; returns how many of its rows are of the same day.
 */
export async function findDiffering(
  database: Database,
  published: PublishedTables,
  registry: RegistryId,
): Promise<number> {
  const columns = `id, title, payload_sha256 AS sha, last_updated_date."date" AS updated, source_version AS version`;
  const of = sqlLiteral(registry);
  await database.run(
    `CREATE OR REPLACE TEMP TABLE differing AS
     WITH received AS (
       SELECT ${columns}, seq, NULL AS raw_part
       FROM staged s SEMI JOIN (FROM winners WHERE registry = ${of} AND NOT unchanged) w USING (seq)
       UNION ALL
       SELECT ${columns}, NULL AS seq, raw_part FROM registrations r
       SEMI JOIN (FROM winners WHERE registry = ${of} AND unchanged) w USING (registry, id)
     )
     SELECT r.id, r.title, r.sha AS received, r.seq, r.raw_part, p.sha AS published, p.retrieved_at,
       coalesce(r.updated < p.updated OR try_cast(r.version AS BIGINT) < try_cast(p.version AS BIGINT), false) AS older,
       concat('received as of ', coalesce(r.updated, 'no day'), ', version ', coalesce(r.version, 'not stated'),
         '; published as of ', coalesce(p.updated, 'no day'), ', version ', coalesce(p.version, 'not stated')) AS detail
     FROM received r
     JOIN (SELECT ${columns}, retrieved_at FROM ${published('registrations')} WHERE registry = ${of}) p ON p.id = r.id
     WHERE p.sha <> r.sha AND (older OR r.updated IS NOT DISTINCT FROM p.updated)`,
  );
  const row = await database.one('SELECT CAST(count(*) AS DOUBLE) AS n FROM differing WHERE NOT older');
  return Number(row?.n);
}

/** The records of `differing` that were received in an older version than the published one. */
export async function olderThanPublished(database: Database): Promise<PublishedVersion[]> {
  const rows = await database.all('FROM differing WHERE older ORDER BY id');
  return rows.map((row) => ({ ...versionOf(row), older: { title: String(row.title), detail: String(row.detail) } }));
}

function versionOf(row: Record<string, unknown>): PublishedVersion {
  return { id: String(row.id), sha256: String(row.published), retrievedAt: String(row.retrieved_at), older: null };
}

/**
 * The studies of ClinicalTrials.gov in `differing` that say what is published, in another serialisation. Every received
 * payload must be in the part files of `partsDir`. Both payloads are compared without the day of the whole data set:
 * first as minified texts, which are equal for nearly all studies of a data set of another day, then in canonical form.
 */
export async function serialisedAnew(
  database: Database,
  published: PublishedTables,
  partsDir: string,
): Promise<PublishedVersion[]> {
  await database.run(
    `CREATE OR REPLACE TEMP TABLE same_day AS
     SELECT d.* REPLACE (coalesce(d.raw_part, s.raw_part) AS raw_part)
     FROM differing d LEFT JOIN staged_parts s USING (seq) WHERE NOT d.older`,
  );
  const parts = await database.all('SELECT DISTINCT raw_part FROM same_day ORDER BY raw_part');
  const files = parts.map(({ raw_part }) => sqlLiteral(join(partsDir, String(raw_part))));
  const payloads = (side: 'received' | 'published'): string =>
    `(SELECT id, payload FROM ${side === 'received' ? `read_parquet([${files.join()}])` : published('raw')} p
      SEMI JOIN same_day d ON d.id = p.id AND d.${side} = p.payload_sha256 WHERE registry = 'clinicaltrials_gov')`;
  const text = `md5(regexp_replace(coalesce(TRY(json(payload)::VARCHAR), payload), '${DAY_OF_THE_SET}', ''))`;
  await database.run(
    `ALTER TABLE same_day ADD COLUMN equal BOOLEAN DEFAULT false;
     UPDATE same_day d SET equal = true
     FROM (SELECT id, ${text} AS text FROM ${payloads('received')}) r
     JOIN (SELECT id, ${text} AS text FROM ${payloads('published')}) p USING (id, text)
     WHERE r.id = d.id`,
  );
  const unequal = database.streamColumns(
    `SELECT id, r.payload, p.payload FROM (SELECT id FROM same_day WHERE NOT equal)
     JOIN ${payloads('received')} r USING (id) JOIN ${payloads('published')} p USING (id)`,
    PAYLOADS_AT_ONCE,
  );
  const alike = new Set<string>();
  for await (const [ids = [], received = [], former = []] of unequal)
    for (const [place, id] of ids.entries())
      if (canonicalStudy(String(received[place])) === canonicalStudy(String(former[place]))) alike.add(String(id));
  const rows = await database.all('FROM same_day ORDER BY id');
  await database.run('DROP TABLE same_day');
  return rows.filter(({ id, equal }) => equal === true || alike.has(String(id))).map(versionOf);
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

/** The published payloads exactly as they were received, as records of a raw set. Throws where one is missing. */
export async function* publishedRecords(
  database: Database,
  published: PublishedTables,
  registry: RegistryId,
  versions: readonly PublishedVersion[],
): AsyncGenerator<RawRecord> {
  if (versions.length === 0) return;
  const wanted = new Map(versions.map((version) => [version.sha256, version]));
  // The reader of these records uses the main connection.
  const connection = await database.secondConnection();
  await connection.run(STREAM_PAYLOADS);
  try {
    const rows = connection.stream(
      `SELECT payload_sha256, payload FROM ${published('raw')} WHERE registry = $1
         AND payload_sha256 IN (SELECT unnest(string_split($2, ',')))`,
      [registry, [...wanted.keys()].join()],
    );
    for await (const some of rows) {
      for (const { payload_sha256, payload } of some) {
        const sha256 = String(payload_sha256);
        const version = wanted.get(sha256);
        if (version === undefined) continue;
        wanted.delete(sha256);
        const bytes = Buffer.from(String(payload));
        if (hash('sha256', bytes, 'hex') !== sha256)
          throw new Error(`the published payload of ${version.id} does not have its checksum`);
        yield { ok: true, registry, payload: bytes, file: 'published', receivedAt: version.retrievedAt };
      }
    }
  } finally {
    await connection.run(STREAM_NO_MORE);
    connection.close();
  }
  const [lacking] = wanted.values();
  if (lacking !== undefined)
    throw new Error(`the published snapshot lacks the payload of ${lacking.id}; run \`pipeline verify current\``);
}
