import { CompiledQuery, type Kysely, sql } from 'kysely';
import { indexAfter, SEARCHED } from '../full-text.ts';
import type { Sealer } from '../sealed.ts';
import type { DialectName } from '../session.ts';

/**
 * Texts are found by forms of them that search-forms.ts makes, the same for every store. On SQLite they take the place of
 * what migrations/0004-search.ts made; FTS5 keeps no copy of them. New rows are indexed once for each group of writes,
 * before its commit: FTS5 writes its pages out at every savepoint, so a trigger would cost each write what the group
 * costs now.
 */
export async function up(db: Kysely<never>, _sealer: Sealer, dialect: DialectName): Promise<void> {
  const send = async (text: string, parameters: readonly unknown[] = []) => {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...parameters]));
    return { rows, changes: 0 };
  };
  for (const searched of SEARCHED) {
    for (const statement of MADE[dialect](searched)) await sql.raw(statement).execute(db);
    await indexAfter({ dialect, send }, searched, 0);
  }
}

/** A program that does not know the forms would leave new texts out. */
export const needed = true;

const MADE: Record<DialectName, (searched: (typeof SEARCHED)[number]) => string[]> = {
  sqlite: ({ index, form }) => [
    `DROP TABLE ${index}`,
    `CREATE VIRTUAL TABLE ${index} USING fts5(form, content='', columnsize=0, tokenize='${form.tokenizer}')`,
  ],
  postgres: ({ index }) => [
    `CREATE TABLE ${index} (seq bigint PRIMARY KEY, form text COLLATE "C" NOT NULL, keys text[] COLLATE "C" NOT NULL)`,
    `CREATE INDEX ${index}_keys ON ${index} USING gin (keys)`,
  ],
};
