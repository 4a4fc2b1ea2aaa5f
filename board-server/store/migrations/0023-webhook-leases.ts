import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

const TYPES: Record<DialectName, { integer: string; text: string }> = {
  sqlite: { integer: 'INTEGER', text: 'TEXT' },
  postgres: { integer: 'bigint', text: 'text COLLATE "C"' },
};

/**
 * Which of several boards delivers for a subscription: the one that holds its lease, until a time of the database's
 * clock. The fence number grows each time another one takes it; what a delivery came to is stored only under the number
 * that it began with. A board on SQLite is alone and leaves the columns as they are.
 */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const { integer, text } = TYPES[dialect];
  const columns = [
    `lease_holder ${text}`,
    `lease_until ${integer} NOT NULL DEFAULT 0`,
    `fence ${integer} NOT NULL DEFAULT 0`,
  ];
  for (const column of columns) await sql.raw(`ALTER TABLE webhooks ADD COLUMN ${column}`).execute(db);
}
