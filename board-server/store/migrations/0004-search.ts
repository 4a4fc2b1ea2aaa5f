import { type Kysely, sql } from 'kysely';

/**
 * Full text over what agents write, kept by triggers. The texts themselves stay in their tables. There is no trigger for
 * a change or removal, because these columns are only ever inserted. `seq` is the row id: unlike SQLite's own, it
 * survives a VACUUM.
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
  const values = columns.map((column) => `new.${column}`).join(', ');
  return [
    `CREATE VIRTUAL TABLE ${index} USING fts5(${list}, content='${table}', content_rowid='seq', tokenize='${tokenizer}')`,
    `INSERT INTO ${index} (${index}) VALUES ('rebuild')`,
    `CREATE TRIGGER ${index}_insert AFTER INSERT ON ${table} BEGIN
       INSERT INTO ${index} (rowid, ${list}) VALUES (new.seq, ${values});
     END`,
  ];
}

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [...SEARCHED.flatMap(statements), ...INDEXES]) await sql.raw(statement).execute(db);
}
