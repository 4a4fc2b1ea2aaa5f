import { MIGRATIONS, searchTables } from '../migrations.ts';

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

/** The statements that make a new database: the first schema in PostgreSQL's words, so that each table is written down once. */
export function firstSchema(): string[] {
  const { statements } = MIGRATIONS[0]!;
  const triggers = statements.filter((statement) => statement.startsWith('CREATE TRIGGER'));
  return [
    ...statements.filter((statement) => !triggers.includes(statement)).map(inPostgres),
    ...NUMBERED.flatMap(([table, column]) => numbered(table, column)),
    ...triggers.flatMap(triggerInPostgres),
    ...searchTables('postgres'),
  ];
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

/** A trigger of the tallies: a function of the trigger's name, and the trigger. */
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
