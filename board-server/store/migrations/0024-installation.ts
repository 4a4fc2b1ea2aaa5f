import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

const TYPES: Record<DialectName, { integer: string; text: string; end: string }> = {
  sqlite: { integer: 'INTEGER', text: 'TEXT', end: ') STRICT' },
  postgres: { integer: 'bigint', text: 'text COLLATE "C"', end: ')' },
};

/** What all boards of one installation have in common: one row once it is made. The salt is sealed. */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const { integer, text, end } = TYPES[dialect];
  const columns = `id ${integer} PRIMARY KEY CHECK (id = 1), address_salt ${text} NOT NULL`;
  await sql.raw(`CREATE TABLE installation (${columns}${end}`).execute(db);
}
