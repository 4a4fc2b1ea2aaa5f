import { type RawBuilder, sql } from 'kysely';
import type { Reader } from './reader.ts';
import { askedLetters, askedWords, letterForm, letterKeys, wordForm, wordKeys } from './search-forms.ts';
import type { Session } from './session.ts';

/** Tables by which texts are found. The texts themselves stay in their tables and are only ever inserted. */

interface Form {
  of(texts: readonly string[]): string;
  keys(form: string): string[];
  /** FTS5 splits a form again, the first at blanks alone: the letters that are ASCII are digits and small ones. */
  tokenizer: string;
}

const WORDS: Form = { of: wordForm, keys: wordKeys, tokenizer: 'ascii' };
const LETTERS: Form = { of: letterForm, keys: letterKeys, tokenizer: 'trigram case_sensitive 1' };

export const SEARCHED = [
  { table: 'claims', index: 'claims_search', columns: ['scope', 'intent', 'agent_name'], form: WORDS },
  { table: 'claims', index: 'claims_scope', columns: ['scope'], form: LETTERS },
  { table: 'messages', index: 'messages_search', columns: ['body', 'agent_name'], form: WORDS },
  {
    table: 'findings',
    index: 'findings_search',
    columns: ['title', 'claim', 'method', 'falsification', 'agent_name'],
    form: WORDS,
  },
] as const;

type Searched = (typeof SEARCHED)[number];
type Sends = Pick<Session, 'send' | 'dialect'>;

/** Rows that are read before they are indexed; a group of writes adds fewer. */
const BATCH_ROWS = 500;

const READ = { sqlite: '?', postgres: '$1' } as const;
/** From an array of [seq, form, keys]. FTS5 makes its keys itself. */
const INSERT = {
  sqlite: '(rowid, form) SELECT value ->> 0, value ->> 1 FROM json_each(?)',
  postgres: `(seq, form, keys) SELECT (one ->> 0)::bigint, one ->> 1, ARRAY(SELECT jsonb_array_elements_text(one -> 2))
    FROM jsonb_array_elements($1::jsonb) AS one`,
} as const;

/** Makes the rows of these tables with a `seq` after `seq` searchable; called once before a commit. Reads by the index on `seq`. */
export async function indexNewTexts(session: Sends, seq: number, tables: ReadonlySet<string>): Promise<void> {
  const touched = SEARCHED.filter(({ table }) => tables.has(table));
  // All of them have ended before the transaction does.
  const ended = await Promise.allSettled(touched.map((searched) => indexAfter(session, searched, seq)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** Makes the rows after `seq` searchable in one index, a batch at a time. */
async function indexAfter(session: Sends, searched: Searched, seq: number): Promise<void> {
  const { table, index, columns, form } = searched;
  const { dialect } = session;
  const list = columns.join(', ');
  const read = `SELECT seq, ${list} FROM ${table} WHERE seq > ${READ[dialect]} ORDER BY seq LIMIT ${BATCH_ROWS}`;
  for (let after = seq; ; ) {
    const { rows } = await session.send(read, [after]);
    const found = rows as Record<string, unknown>[];
    if (found.length === 0) return;
    const made = found.map((row) => {
      const text = form.of(columns.map((column) => row[column] as string));
      return [row.seq, text, ...(dialect === 'postgres' ? [form.keys(text)] : [])];
    });
    await session.send(`INSERT INTO ${index} ${INSERT[dialect]}`, [JSON.stringify(made)]);
    if (found.length < BATCH_ROWS) return;
    after = found.at(-1)!.seq as number;
  }
}

/** Sub-select of the `seq` of every row in which all words of `q` occur; none for a text without words. */
export function seqsWithWords(
  db: Reader,
  index: 'claims_search' | 'messages_search' | 'findings_search',
  q: string,
): RawBuilder<number> {
  return matchingSeqs(db, index, askedWords(q));
}

/** Sub-select of the `seq` of every row in which at least one of these names occurs. */
export function seqsWithName(
  db: Reader,
  index: 'claims_search' | 'messages_search' | 'findings_search',
  names: readonly string[],
): RawBuilder<number> {
  return sql<number>`(${sql.join(
    names.map((name) => sql`SELECT * FROM ${seqsWithWords(db, index, name)} AS named`),
    sql` UNION `,
  )})`;
}

/** Sub-select of the `seq` of every claim whose scope contains `part`, in any case. */
export function seqsWithScope(db: Reader, part: string): RawBuilder<number> {
  return matchingSeqs(db, 'claims_scope', askedLetters(part));
}

function matchingSeqs(db: Reader, index: Searched['index'], asked: ReturnType<typeof askedWords>): RawBuilder<number> {
  const table = sql.table(index);
  if (db.dialect === 'sqlite') {
    const phrases = asked === null ? ['""'] : asked.parts.map((part) => `"${part.replaceAll('"', '""')}"`);
    return sql<number>`(SELECT rowid FROM ${table} WHERE ${table} MATCH ${phrases.join(' ')})`;
  }
  if (asked === null) return sql<number>`(SELECT seq FROM ${table} WHERE false)`;
  // Arrays, so that the text of the statement is the same for every question.
  return sql<number>`(SELECT seq FROM ${table} WHERE keys @> ${asked.keys}::text[]
    AND (SELECT bool_and(strpos(form, part) > 0) FROM unnest(${asked.parts}::text[]) AS part))`;
}
