import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

const TEXT: Record<DialectName, string> = { sqlite: 'TEXT', postgres: 'text COLLATE "C"' };

/** What all boards of one installation have in common: one row once it is made. The salt is sealed. */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const strict = dialect === 'sqlite' ? ' STRICT' : '';
  const text = `CREATE TABLE installation (id INTEGER PRIMARY KEY CHECK (id = 1), address_salt ${TEXT[dialect]} NOT NULL)${strict}`;
  await sql.raw(text).execute(db);
}
