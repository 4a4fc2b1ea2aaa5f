import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { RegistryId } from '../../../contract/ids.ts';
import type { SnapshotTable } from '../../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import type { RawRecord } from '../../raw/fetch-log.ts';
import type { Database } from '../../store/database.ts';
import { canonicalHashes, type NamedPayloads } from './canonical-hashes.ts';

/** SQL that reads a table of the last published snapshot, with instants as the text that working tables have. */
export type PublishedTables = (table: SnapshotTable) => string;

/** The published version of a record, which takes the place of the received one. */
export interface PublishedVersion {
  id: string;
  /** Hash of the published payload. */
  sha256: string;
  retrievedAt: string;
}

/** A record that was received in an older version than the last snapshot holds. */
export interface OlderRecord extends PublishedVersion {
  /** The received version's title and what makes it older, in words. */
  title: string;
  detail: string;
}

/**
 * Finds the records whose payload is not the published one, although they were received in an older version (by the
 * update day, or by the registry's own version number), or in one of the same day. Reads the winners (the table `contested`) among the staged registrations and
 * those of the last run, which may not be the published ones: a run that was refused leaves its own. Leaves the
 * temporary table `differing`; returns how many of its rows are of the same day.
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
       FROM staged_registrations s SEMI JOIN (FROM contested WHERE NOT unchanged) w USING (seq)
       UNION ALL
       SELECT ${columns}, NULL AS seq, raw_part FROM registrations r WHERE registry = ${of}
         AND EXISTS (SELECT 1 FROM contested w WHERE w.id = r.id AND w.unchanged)
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
export async function olderThanPublished(database: Database): Promise<OlderRecord[]> {
  const rows = await database.all(
    'SELECT id, title, detail, published, retrieved_at FROM differing WHERE older ORDER BY id',
  );
  return rows.map((row) => ({
    id: String(row.id),
    title: String(row.title),
    detail: String(row.detail),
    sha256: String(row.published),
    retrievedAt: String(row.retrieved_at),
  }));
}

/**
 * The records of `differing` that say what is published, in another serialisation: the canonical forms of both payloads
 * are equal. Every received payload must be in the part files of `partsDir`.
 */
export async function serialisedAnew(
  database: Database,
  published: PublishedTables,
  { registry, partsDir, threads }: { registry: RegistryId; partsDir: string; threads: number },
  progress: (done: number) => void,
): Promise<PublishedVersion[]> {
  await database.run(
    `CREATE OR REPLACE TEMP TABLE same_day AS
     SELECT d.id, d.received, d.published, d.retrieved_at, coalesce(d.raw_part, s.raw_part) AS raw_part
     FROM differing d LEFT JOIN staged_parts s USING (seq) WHERE NOT d.older`,
  );
  const parts = await database.all('SELECT DISTINCT raw_part FROM same_day ORDER BY raw_part');
  const files = parts.map(({ raw_part }) => sqlLiteral(join(partsDir, String(raw_part))));
  const from = (side: 'received' | 'published'): string =>
    `FROM ${side === 'received' ? `read_parquet([${files.join()}])` : published('raw')} p
     SEMI JOIN same_day d ON d.id = p.id AND d.${side} = p.payload_sha256 WHERE registry = ${sqlLiteral(registry)}`;
  const equal = await equalTexts(database, from('received'), from('published'));
  await database.run('DELETE FROM same_day d USING equal_texts e WHERE d.id = e.id');
  const payloads = (side: 'received' | 'published'): AsyncGenerator<NamedPayloads> =>
    namedPayloads(database, `SELECT id, payload ${from(side)}`);
  const received = new Map<string, string>();
  for await (const { id, canonical } of canonicalHashes(payloads('received'), threads))
    if (received.set(id, canonical).size % PROGRESS_EVERY === 0) progress(received.size);
  for await (const { id, canonical } of canonicalHashes(payloads('published'), threads))
    if (received.get(id) === canonical) equal.add(id);
  const rows = await database.all('SELECT id, published, retrieved_at FROM differing WHERE NOT older ORDER BY id');
  await database.run('DROP TABLE same_day; DROP TABLE equal_texts');
  return rows
    .map((row) => ({
      id: String(row.id),
      sha256: String(row.published),
      retrievedAt: String(row.retrieved_at),
    }))
    .filter(({ id }) => equal.has(id));
}

const PROGRESS_EVERY = 1000;

/**
 * Ids of the payloads that are equal text by text but for the day of the whole data set, which canonicalHash leaves out
 * too; also as the table `equal_texts`. In a whole data set of another day these are nearly all, and this comparison
 * costs a sixth of the canonical forms.
 */
async function equalTexts(database: Database, received: string, published: string): Promise<Set<string>> {
  const texts = (from: string): string =>
    `SELECT id, md5(regexp_replace(payload, '${DAY_OF_THE_SET}', '')) AS text ${from}`;
  await database.run(
    `CREATE OR REPLACE TEMP TABLE equal_texts AS
     SELECT r.id FROM (${texts(received)}) r JOIN (${texts(published)}) p ON r.id = p.id AND r.text = p.text`,
  );
  const rows = await database.all('FROM equal_texts');
  return new Set(rows.map(({ id }) => String(id)));
}

/** As the registry serialises it. A text that stands otherwise is compared by its canonical form. */
const DAY_OF_THE_SET = '"miscInfoModule":\\{"versionHolder":"[0-9-]{10}"';

async function* namedPayloads(database: Database, query: string): AsyncGenerator<NamedPayloads> {
  await database.run(STREAM_PAYLOADS);
  try {
    for await (const [ids = [], payloads = []] of database.streamColumns(query))
      yield { ids: ids as string[], payloads: payloads as string[] };
  } finally {
    await database.run(STREAM_NO_MORE);
  }
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
  const wanted = new Map(versions.map(({ sha256, ...version }) => [sha256, version]));
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
        const receivedAt = version.retrievedAt;
        yield { ok: true, registry, payload: bytes, file: 'published', receivedAt };
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
