import { type Kysely, sql } from 'kysely';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

const TYPES: Record<DialectName, { integer: string; text: string; end: string }> = {
  sqlite: { integer: 'INTEGER', text: 'TEXT', end: ') STRICT' },
  postgres: { integer: 'bigint', text: 'text COLLATE "C"', end: ')' },
};

/** Requests of clients at all gateways that share this board, by ten minutes since 1970, door and class of status. */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const { integer, text, end } = TYPES[dialect];
  const columns = [
    `slot ${integer} NOT NULL`,
    `door ${text} NOT NULL`,
    `status ${text} NOT NULL`,
    `requests ${integer} NOT NULL`,
    `PRIMARY KEY (slot, door, status)${end}`,
  ];
  await sql.raw(`CREATE TABLE gateway_traffic (${columns.join(', ')}`).execute(db);
}
