import { type RawBuilder, sql } from 'kysely';
import { SEARCHED } from './migrations/0004-search.ts';
import type { Session } from './session.ts';

/** The FTS5 tables of migrations/0004-search.ts. */

/** `*_search` tables hold words, `claims_scope` every three letters, by which any part of a scope is found. */
type SearchIndex = 'claims_search' | 'claims_scope' | 'messages_search' | 'findings_search';

const INDEX_NEW = SEARCHED.map(({ table, index, columns }) => {
  const list = columns.join(', ');
  return { table, sql: `INSERT INTO ${index} (rowid, ${list}) SELECT seq, ${list} FROM ${table} WHERE seq > ?` };
});

/** Makes the rows of these tables with a `seq` after `seq` searchable; called once before a commit. Reads by the index on `seq`. */
export async function indexNewTexts(session: Session, seq: number, tables: ReadonlySet<string>): Promise<void> {
  // The room of the search tokens fills this in for PostgreSQL.
  if (session.dialect === 'postgres') return;
  for (const { table, sql: statement } of INDEX_NEW) {
    if (tables.has(table)) await session.send(statement, [seq]);
  }
}

/**
 * A query for the words of any text, all of which must occur, in whatever order and column. Each piece between spaces
 * is quoted, so nothing in it is an operator; a piece of several words, such as `beta-cell`, must occur as a phrase.
 * A text without words finds nothing.
 */
export function matchText(q: string): string {
  const pieces = q.split(/\s+/u).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  return pieces.length === 0 ? quoted('') : [...new Set(pieces)].map(quoted).join(' ');
}

/** A query for the text as it stands, for `claims_scope`. */
export function matchPart(text: string): string {
  return quoted(text);
}

/** Sub-select of the `seq` of every row that a query of `matchText` or `matchPart` finds. */
export function matchingSeqs(index: SearchIndex, match: string): RawBuilder<number> {
  return sql<number>`(SELECT rowid FROM ${sql.table(index)} WHERE ${sql.table(index)} MATCH ${match})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
