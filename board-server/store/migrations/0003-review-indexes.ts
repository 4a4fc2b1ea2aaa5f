import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Counts the distinct addresses behind the reviews of a page of findings without reading the reviews themselves.
  'CREATE INDEX reviews_address ON reviews (finding_id, verdict, address_hash)',
  // Reads the reviews of a finding in their order.
  'CREATE INDEX reviews_finding ON reviews (finding_id, seq)',
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
