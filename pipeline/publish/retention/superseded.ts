import { join } from 'node:path';
import type { Manifest } from '../../../snapshot/format/versions/manifest.ts';
import { sqlLiteral } from '../../../snapshot/sql/connection.ts';
import { parquetSource } from '../../../snapshot/sql/tables.ts';
import type { Effects } from '../../effects.ts';
import type { Connection } from '../../store/database.ts';
import { writeDescribedParquet } from '../../store/described-parquet.ts';
import { settleFile } from '../durable.ts';
import type { Problem } from '../problem.ts';

const SUPERSEDED_FILE = 'superseded.parquet';

type Raw = Pick<Manifest['tables']['raw'], 'rows' | 'files'>;

/**
 * Writes which payloads in the part files of `dir` are no rows of `raw`, and makes the file durable. Parts are shared between versions,
 * and rewriting them without these payloads would cost more than the rest of a publication, so their places lie apart. Needs `HELD_PAYLOADS`;
 * `registrations` is SQL of the registrations.
 */
export async function writeSuperseded(
  db: Connection,
  { dir, registrations }: { dir: string; registrations: string },
  raw: Raw,
  effects: Effects,
): Promise<NonNullable<Manifest['superseded']>> {
  const path = join(dir, SUPERSEDED_FILE);
  await writeDescribedParquet(db, {
    table: 'superseded',
    rows: `${await supersededIn(db, raw, registrations)} ORDER BY file, place`,
    path,
    options: 'ROW_GROUP_SIZE 51200',
  });
  const counted = await db.one(`SELECT count(*)::DOUBLE AS n FROM read_parquet(${sqlLiteral(path)})`);
  const file = await settleFile(dir, SUPERSEDED_FILE, effects);
  return { rows: Number(counted?.n), bytes: file.bytes, files: [file] };
}

/** Whether the places are those that sound part files and registrations give. Needs `HELD_PAYLOADS`. */
export async function checkSuperseded(
  db: Connection,
  dir: string,
  { tables }: Pick<Manifest, 'tables'>,
  problems: Problem[],
): Promise<void> {
  if (problems.some(({ file }) => file === SUPERSEDED_FILE)) return;
  const stated = `SELECT * FROM read_parquet(${sqlLiteral(join(dir, SUPERSEDED_FILE))})`;
  const found = await supersededIn(db, tables.raw, parquetSource(dir, 'registrations'));
  const differing = await db.one(
    `SELECT count(*)::DOUBLE AS n FROM (
       ((${stated}) EXCEPT (${found})) UNION ALL ((${found}) EXCEPT (${stated})))`,
  );
  if (differing?.n === 0) return;
  const message = `${differing?.n} places of it are not those that the files of raw and the registrations give`;
  problems.push({ file: SUPERSEDED_FILE, message });
}

const KEY = 'registry, id, payload_sha256';

/** Table that `holdPayloads` makes: the places of all payloads in part files, with their keys. */
export const HELD_PAYLOADS = 'held_payloads';

/** The parts have tens of thousands of row groups, so they are read once for all that is made of them. */
export async function holdPayloads(db: Connection, dir: string, files: readonly string[]): Promise<void> {
  const listed = `[${files.map((path) => sqlLiteral(join(dir, path))).join(', ')}]`;
  await db.run(
    `CREATE OR REPLACE TEMP TABLE ${HELD_PAYLOADS} AS SELECT filename, file_row_number, ${KEY}
     FROM read_parquet(${listed}, filename = true, file_row_number = true)`,
  );
}

/** SQL of the places. Of several copies of a current payload the first is the row of `raw`. Makes the table that it reads. */
async function supersededIn(db: Connection, { rows }: Raw, registrations: string): Promise<string> {
  const places = `(SELECT 'raw/' || parse_filename(filename) AS file, file_row_number AS place, ${KEY} FROM ${HELD_PAYLOADS})`;
  const counted = await db.one(`SELECT count(*)::DOUBLE AS n FROM ${HELD_PAYLOADS}`);
  // Each registration has its payload in a part, so where there are no more payloads, none is superseded.
  if (counted?.n === rows) return `SELECT * FROM ${places} WHERE false`;
  await db.run(`CREATE OR REPLACE TEMP TABLE named_payloads AS SELECT ${KEY} FROM ${registrations}`);
  return `SELECT file, place, ${KEY} FROM (
      SELECT * FROM ${places} ANTI JOIN named_payloads USING (${KEY})
      UNION ALL
      SELECT * EXCLUDE (copy) FROM (
        SELECT *, row_number() OVER (PARTITION BY ${KEY} ORDER BY file, place) AS copy FROM ${places}
        SEMI JOIN (
          SELECT ${KEY} FROM ${places} SEMI JOIN named_payloads USING (${KEY}) GROUP BY ALL HAVING count(*) > 1
        ) USING (${KEY})
      ) WHERE copy > 1)`;
}
