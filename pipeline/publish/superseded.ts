import { join } from 'node:path';
import type { Manifest } from '../../snapshot-format/manifest.ts';
import { sqlLiteral } from '../../snapshot-sql/connection.ts';
import { parquetSource } from '../../snapshot-sql/tables.ts';
import type { Effects } from '../effects.ts';
import type { Connection } from '../store/database.ts';
import { writeDescribedParquet } from '../store/described-parquet.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { sumFile, sync } from './durable.ts';
import type { Problem } from './problem.ts';

const SUPERSEDED_FILE = 'superseded.parquet';

type Raw = Pick<Manifest['tables']['raw'], 'rows' | 'files'>;

/**
 * Writes which payloads in the part files of `dir` are no rows of `raw`, and makes the file durable. Parts are shared between versions,
 * and rewriting them without these payloads would cost more than the rest of a publication, so their places lie apart.
 */
export async function writeSuperseded(
  dir: string,
  raw: Raw,
  effects: Effects,
): Promise<NonNullable<Manifest['superseded']>> {
  const path = join(dir, SUPERSEDED_FILE);
  const rows = await withScratchDatabase(async (db) => {
    await writeDescribedParquet(db, {
      table: 'superseded',
      rows: `${await supersededIn(db, dir, raw)} ORDER BY file, place`,
      path,
      options: 'ROW_GROUP_SIZE 51200',
    });
    const counted = await db.one(`SELECT count(*)::DOUBLE AS n FROM read_parquet(${sqlLiteral(path)})`);
    return Number(counted?.n);
  });
  effects.checkpoint(`written:${SUPERSEDED_FILE}`);
  await sync(path);
  effects.checkpoint(`synced:${SUPERSEDED_FILE}`);
  const file = await sumFile(dir, SUPERSEDED_FILE);
  return { rows, bytes: file.bytes, files: [file] };
}

/** Whether the places are those that sound part files and registrations give. */
export async function checkSuperseded(
  db: Connection,
  dir: string,
  { superseded, tables }: Pick<Manifest, 'superseded' | 'tables'>,
  problems: Problem[],
): Promise<void> {
  if (superseded === undefined || problems.some(({ file }) => file === SUPERSEDED_FILE)) return;
  const stated = `SELECT * FROM read_parquet(${sqlLiteral(join(dir, SUPERSEDED_FILE))})`;
  const found = await supersededIn(db, dir, tables.raw);
  const differing = await db.one(
    `SELECT count(*)::DOUBLE AS n FROM (
       ((${stated}) EXCEPT (${found})) UNION ALL ((${found}) EXCEPT (${stated})))`,
  );
  if (differing?.n === 0) return;
  const message = `${differing?.n} places of it are not those that the files of raw and the registrations give`;
  problems.push({ file: SUPERSEDED_FILE, message });
}

const KEY = 'registry, id, payload_sha256';

/** SQL of the places. Of several copies of a current payload the first is the row of `raw`. Makes the tables that it reads. */
async function supersededIn(db: Connection, dir: string, { rows, files }: Raw): Promise<string> {
  const listed = `[${files.map(({ path }) => sqlLiteral(join(dir, path))).join(', ')}]`;
  const held = (
    condition = '',
  ): string => `SELECT 'raw/' || parse_filename(filename) AS file, file_row_number AS place, ${KEY}
    FROM read_parquet(${listed}, filename = true, file_row_number = true) ${condition}`;
  const counted = await db.one(`SELECT sum(num_rows)::DOUBLE AS n FROM parquet_file_metadata(${listed})`);
  // Each registration has its payload in a part, so where there are no more payloads, none is superseded.
  if (counted?.n === rows) return held('WHERE false');
  // The parts have tens of thousands of row groups, so they are read once.
  await db.run(
    `CREATE OR REPLACE TEMP TABLE held_payloads AS ${held()};
     CREATE OR REPLACE TEMP TABLE named_payloads AS SELECT ${KEY} FROM ${parquetSource(dir, 'registrations')}`,
  );
  return `SELECT file, place, ${KEY} FROM (
      SELECT * FROM held_payloads ANTI JOIN named_payloads USING (${KEY})
      UNION ALL
      SELECT * EXCLUDE (copy) FROM (
        SELECT *, row_number() OVER (PARTITION BY ${KEY} ORDER BY file, place) AS copy FROM held_payloads
        SEMI JOIN (
          SELECT ${KEY} FROM held_payloads SEMI JOIN named_payloads USING (${KEY}) GROUP BY ALL HAVING count(*) > 1
        ) USING (${KEY})
      ) WHERE copy > 1)`;
}
