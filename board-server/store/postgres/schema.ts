import type { Kysely } from 'kysely';
import { MIGRATIONS } from '../migrations/all.ts';
import type { Sealer } from '../sealed.ts';
import { Connection, WRITER } from '../sqlite/connection.ts';

/** The migrations that were written for SQLite alone; a new database begins with what they leave. Never changes. */
export const BASELINE = 20;

/**
 * SQLite gives a row without a number the one after the highest. A sequence would leave gaps where a write is rolled
 * back, and some counts rest on there being none; the locked head keeps two writers from taking the same number.
 */
const NUMBERED = [
  ['deliveries', 'id'],
  ['results_gap_reports', 'number'],
  ['results_gap_checks', 'number'],
  ['evidence_checks', 'number'],
] as const;

/**
 * The schema of the baseline in PostgreSQL's words, made from the schema that SQLite's own migrations leave: the two
 * cannot differ, and each table is written down once.
 */
export async function baseline(sealer: Sealer): Promise<string[]> {
  const scratch = new Connection(':memory:', WRITER);
  try {
    for (const { up } of MIGRATIONS.slice(0, BASELINE))
      await up(scratch.db as unknown as Kysely<never>, sealer, 'sqlite');
    const { rows } = scratch.send('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid');
    const objects = rows as { name: string; sql: string }[];
    const searches = objects.filter(({ sql }) => /^CREATE VIRTUAL TABLE/i.test(sql)).map(({ name }) => name);
    // Tables of full text are SQLite's alone, and so are those that lie behind them.
    const ours = objects.filter(
      ({ name }) => !searches.some((search) => name === search || name.startsWith(`${search}_`)),
    );
    const triggers = ours.filter(({ sql }) => /^CREATE TRIGGER/i.test(sql));
    return [
      ...ours.filter((one) => !triggers.includes(one)).map(({ sql }) => inPostgres(sql)),
      ...NUMBERED.flatMap(([table, column]) => numbered(table, column)),
      ...triggers.flatMap(({ sql }) => triggerInPostgres(sql)),
    ];
  } finally {
    await scratch.close();
  }
}

/** A CREATE TABLE, CREATE INDEX or ALTER TABLE of SQLite. Texts are compared by their bytes, as SQLite does. */
export function inPostgres(statement: string): string {
  return statement
    .replace(/--.*$/gm, '')
    .replace(/\)\s*STRICT(?:,\s*WITHOUT ROWID)?\s*$/, ')')
    .replace(/\bINTEGER\b/g, 'bigint')
    .replace(/\bREAL\b/g, 'double precision')
    .replace(/\bTEXT\b/g, 'text COLLATE "C"');
}

function numbered(table: string, column: string): string[] {
  const next = `next_${table}_${column}`;
  return [
    `CREATE FUNCTION ${next}() RETURNS bigint LANGUAGE sql AS 'SELECT coalesce(max(${column}), 0) + 1 FROM ${table}'`,
    `ALTER TABLE ${table} ALTER COLUMN ${column} SET DEFAULT ${next}()`,
  ];
}

/** A trigger of migrations/0013-tallies.ts: a function of the trigger's name, and the trigger. */
function triggerInPostgres(statement: string): string[] {
  const parts = /^CREATE TRIGGER (\w+) (AFTER .*? ON \w+)(?: WHEN (.*?))? BEGIN\s(.*)\sEND$/s.exec(statement);
  if (parts === null) throw new Error(`no trigger that can be translated: ${statement}`);
  const [, name, event, condition, body] = parts as unknown as [string, string, string, string | undefined, string];
  // In an upsert the bare name of a column could also be the one of the row that was not inserted.
  const steps = body.replaceAll('SET count = count + 1', 'SET count = tallies.count + 1');
  const when = condition === undefined ? '' : ` WHEN (${condition})`;
  return [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${steps} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} ${event} FOR EACH ROW${when} EXECUTE FUNCTION ${name}()`,
  ];
}
