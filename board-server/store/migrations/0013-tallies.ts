import { type Kysely, sql } from 'kysely';

/**
 * How many rows of a list are in each state, in all (subject '') and of each subject: kept by triggers, in the statement
 * that adds or changes a row, so that no read counts them. Rows are never removed.
 */
const TABLE = `CREATE TABLE tallies (
     list TEXT NOT NULL,                    -- name of the table
     subject TEXT NOT NULL,                 -- '', 'objective <id>' or 'question <id>'
     state TEXT NOT NULL,
     count INTEGER NOT NULL,
     PRIMARY KEY (list, subject, state)
   ) STRICT, WITHOUT ROWID`;

interface Tallied {
  table: string;
  /** The column that rows are told apart by; null where they are not. */
  state: string | null;
  /** Kinds of subject; a row names one in the column `<kind>_id`, or none. */
  kinds: readonly string[];
}

const TALLIED: readonly Tallied[] = [
  { table: 'findings', state: 'status', kinds: ['objective', 'question'] },
  { table: 'amendments', state: 'outcome', kinds: [] },
  { table: 'reality_requests', state: 'state', kinds: [] },
  { table: 'dead_ends', state: 'state', kinds: [] },
  { table: 'ladders', state: 'state', kinds: [] },
  { table: 'hypotheses', state: 'state', kinds: [] },
  { table: 'contradictions', state: 'kind', kinds: [] },
  { table: 'evidence', state: null, kinds: [] },
  { table: 'predictions', state: null, kinds: [] },
];

function statements({ table, state, kinds }: Tallied): string[] {
  const subjects = [
    { subject: "''", where: 'true' },
    ...kinds.map((kind) => ({ subject: `'${kind} ' || NEW.${kind}_id`, where: `NEW.${kind}_id IS NOT NULL` })),
  ];
  const added = subjects
    .map(
      ({
        subject,
        where,
      }) => `INSERT INTO tallies SELECT '${table}', ${subject}, ${columnOf('NEW.', state)}, 1 WHERE ${where}
       ON CONFLICT (list, subject, state) DO UPDATE SET count = count + 1;`,
    )
    .join('\n');
  return [
    `INSERT INTO tallies SELECT '${table}', '', ${columnOf('', state)}, count(*) FROM ${table} WHERE true GROUP BY 3`,
    ...kinds.map(
      (kind) =>
        `INSERT INTO tallies SELECT '${table}', '${kind} ' || ${kind}_id, ${columnOf('', state)}, count(*) FROM ${table}
         WHERE ${kind}_id IS NOT NULL GROUP BY 2, 3`,
    ),
    `CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} BEGIN ${added} END`,
    ...(state === null ? [] : [changed(table, state, subjects, added)]),
  ];
}

function columnOf(row: 'NEW.' | '', state: string | null): string {
  return state === null ? "''" : `${row}${state}`;
}

/** Only the state of a row ever changes, never what it is about. */
function changed(table: string, state: string, subjects: readonly { subject: string }[], added: string): string {
  const named = subjects.map(({ subject }) => subject).join(', ');
  return `CREATE TRIGGER ${table}_changed AFTER UPDATE OF ${state} ON ${table} WHEN OLD.${state} <> NEW.${state} BEGIN
       UPDATE tallies SET count = count - 1
       WHERE list = '${table}' AND subject IN (${named}) AND state = OLD.${state};
       ${added}
     END`;
}

const INDEXES = [
  // The list of findings without the withdrawn ones, however many those are.
  "CREATE INDEX findings_shown ON findings (seq) WHERE status <> 'withdrawn'",
];

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of [TABLE, ...TALLIED.flatMap(statements), ...INDEXES]) await sql.raw(statement).execute(db);
}
