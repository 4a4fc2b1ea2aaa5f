import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SEARCHED } from './full-text.ts';
import type { DialectName } from './session.ts';

/**
 * The schema of a board: the files of migrations/ in the order of their numbers, in SQLite's words. The number of the last one is the
 * number of the schema. A released file never changes; a new one with the next number is added.
 */
interface Migration {
  schema: number;
  statements: string[];
  /** Whether a program that does not know the migration may not write any more: the file begins with `-- needed`. */
  needed: boolean;
}

const FOLDER = join(import.meta.dirname, 'migrations');

export const MIGRATIONS: Migration[] = readdirSync(FOLDER)
  .filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name))
  .sort()
  .map((name) => readMigration(Number(name.slice(0, 4)), readFileSync(join(FOLDER, name), 'utf8')));

/** The schema that a new board begins with. Boards of a lower one were made by programs from before 0.1.0. */
export const FIRST_SCHEMA = MIGRATIONS[0]!.schema;
/** The last commit whose program brings a board from before 0.1.0 to the first schema. */
const BEFORE_FIRST = '1bfd728737c9';

export function newestSchema(): number {
  return MIGRATIONS.at(-1)!.schema;
}

function readMigration(schema: number, text: string): Migration {
  const statements = text
    .replace(/^--.*\n/gm, '')
    .split(/;\n+(?!END\b)(?=\w)/)
    .map((statement) => statement.trim().replace(/;$/, ''));
  return { schema, statements, needed: text.startsWith('-- needed') };
}

/** Says what to do with a board of a schema that this program does not bring up. */
export function refusalOfOld(place: string, schema: number): string {
  return `${place} has schema ${schema}, from before 0.1.0: start its board once with commit ${BEFORE_FIRST} of this program, which brings it to schema ${FIRST_SCHEMA}, then with this one`;
}

/**
 * The tables by which texts are found, which the two stores cannot share. FTS5 keeps no copy of the texts; new rows are indexed once
 * for each group of writes, before its commit: FTS5 writes its pages out at every savepoint, so a trigger would cost each write what
 * the group costs now.
 */
export function searchTables(dialect: DialectName): string[] {
  return SEARCHED.flatMap(({ index, form }) =>
    dialect === 'sqlite'
      ? [`CREATE VIRTUAL TABLE ${index} USING fts5(form, content='', columnsize=0, tokenize='${form.tokenizer}')`]
      : [
          `CREATE TABLE ${index} (seq bigint PRIMARY KEY, form text COLLATE "C" NOT NULL, keys text[] COLLATE "C" NOT NULL)`,
          `CREATE INDEX ${index}_keys ON ${index} USING gin (keys)`,
        ],
  );
}
