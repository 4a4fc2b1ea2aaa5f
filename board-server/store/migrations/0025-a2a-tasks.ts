import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

const TYPES: Record<DialectName, { integer: string; text: string; end: string }> = {
  sqlite: { integer: 'INTEGER', text: 'TEXT', end: ') STRICT' },
  postgres: { integer: 'bigint', text: 'text COLLATE "C"', end: ')' },
};

/** What the tasks of each address add up to, so that no write has to count them. */
const ADDED = `INSERT INTO a2a_holdings VALUES (new.address_hash, 1, new.bytes) ON CONFLICT (address_hash)
  DO UPDATE SET tasks = a2a_holdings.tasks + 1, bytes = a2a_holdings.bytes + excluded.bytes;`;
const CHANGED = 'UPDATE a2a_holdings SET bytes = bytes + new.bytes - old.bytes WHERE address_hash = new.address_hash;';
const REMOVED = `UPDATE a2a_holdings SET tasks = tasks - 1, bytes = bytes - old.bytes WHERE address_hash = old.address_hash;
  DELETE FROM a2a_holdings WHERE address_hash = old.address_hash AND tasks = 0;`;

const TRIGGERS = [
  ['a2a_task_added', 'AFTER INSERT', ADDED],
  ['a2a_task_changed', 'AFTER UPDATE OF bytes', CHANGED],
  ['a2a_task_removed', 'AFTER DELETE', REMOVED],
] as const;

/**
 * A2A tasks of gateways that share this board. Addresses and callers are hashed, bodies sealed. Times of tasks are
 * milliseconds of the gateways' clocks; turns end by the clock of the database, in microseconds.
 */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const { integer, text, end } = TYPES[dialect];
  const required = (type: string, ...names: string[]) => names.map((name) => `${name} ${type} NOT NULL`).join(', ');
  const statements = [
    `CREATE TABLE a2a_tasks (id ${text} PRIMARY KEY, ${required(text, 'address_hash', 'caller_hash')}, request ${text},
       ${required(integer, 'changed_at', 'bytes')}, ${required(text, 'body')}${end}`,
    'CREATE INDEX a2a_tasks_by_address ON a2a_tasks (address_hash, changed_at, id)',
    'CREATE INDEX a2a_tasks_by_age ON a2a_tasks (changed_at, id)',
    'CREATE INDEX a2a_tasks_by_request ON a2a_tasks (request) WHERE request IS NOT NULL',
    `CREATE TABLE a2a_holdings (address_hash ${text} PRIMARY KEY, ${required(integer, 'tasks', 'bytes')}${end}`,
    `CREATE TABLE a2a_turns (turn ${text} PRIMARY KEY, ${required(text, 'holder')}, ${required(integer, 'until')}${end}`,
    ...TRIGGERS.flatMap(([name, event, body]) => TRIGGER[dialect](name, event, body)),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const TRIGGER: Record<DialectName, (name: string, event: string, body: string) => string[]> = {
  sqlite: (name, event, body) => [`CREATE TRIGGER ${name} ${event} ON a2a_tasks BEGIN ${body} END`],
  postgres: (name, event, body) => [
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
    `CREATE TRIGGER ${name} ${event} ON a2a_tasks FOR EACH ROW EXECUTE FUNCTION ${name}()`,
  ],
};
