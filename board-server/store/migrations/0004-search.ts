import { type Kysely, sql } from 'kysely';

/**
 * Full text over what agents write. The texts themselves stay in their tables and are only ever inserted; full-text.ts
 * indexes what is new once for each group of writes, before its commit: FTS5 writes its pages out at every savepoint,
 * so a trigger would cost each write what the group costs now. `seq` is the row id: it survives a VACUUM.
 */
const SEARCHED = [
  {
    table: 'claims',
    index: 'claims_search',
    columns: ['scope', 'intent', 'agent_name'],
    tokenizer: 'unicode61 remove_diacritics 2',
  },
  { table: 'claims', index: 'claims_scope', columns: ['scope'], tokenizer: 'trigram' },
  {
    table: 'messages',
    index: 'messages_search',
    columns: ['body', 'agent_name'],
    tokenizer: 'unicode61 remove_diacritics 2',
  },
  {
    table: 'findings',
    index: 'findings_search',
    columns: ['title', 'claim', 'method', 'falsification', 'agent_name'],
    tokenizer: 'unicode61 remove_diacritics 2',
  },
] as const;

/** Reach the few live claims of one objective or question whatever else was claimed there before. */
const INDEXES = [
  'CREATE INDEX claims_objective_live ON claims (objective_id, state, lease_until)',
  'CREATE INDEX claims_question_live ON claims (question_id, state, lease_until)',
];

function statements({ table, index, columns, tokenizer }: (typeof SEARCHED)[number]): string[] {
  const list = columns.join(', ');
  return [
    `CREATE VIRTUAL TABLE ${index} USING fts5(${list}, content='${table}', content_rowid='seq', tokenize='${tokenizer}')`,
    `INSERT INTO ${index} (${index}) VALUES ('rebuild')`,
  ];
}

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [...SEARCHED.flatMap(statements), ...INDEXES]) await sql.raw(statement).execute(db);
}
