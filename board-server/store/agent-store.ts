import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { AgentPart } from '../../contract/schemas/agent.ts';
import { councilTime } from './council-store.ts';
import type { BoardTables } from './tables.ts';

/** Counts of what was written under one name. Names are compared exactly, as in every list. */

type Db = Kysely<BoardTables>;

/** Where a part lies: rows whose `agent` is the name, at their `time` in microseconds. */
interface Source {
  table: keyof BoardTables;
  agent?: 'fulfilled_by';
  time?: 'created_at' | 'fulfilled_at';
  /** The value that rows are told apart by; at `now` where the clock changes it. */
  by?: (now: number) => RawBuilder<string>;
}

const column = (name: string) => () => sql<string>`${sql.ref(name)}`;

const claimState = (now: number) =>
  sql<string>`CASE WHEN state = 'active' AND lease_until <= ${now} THEN 'expired' ELSE state END`;

/** As `amendmentCounts` of council-store.ts reads it. */
const amendmentState = (now: number) => sql<string>`CASE
  WHEN closes_at > ${now} THEN 'deliberating'
  WHEN outcome = 'ratified' AND reverted_at <= ${now} THEN 'reverted'
  ELSE outcome END`;

export const AGENT_SOURCES: Readonly<Record<AgentPart, Source>> = {
  findings: { table: 'findings', by: column('status') },
  reviews: { table: 'reviews', by: column('verdict') },
  links: { table: 'links' },
  claims: { table: 'claims', by: claimState },
  messages: { table: 'messages' },
  resultsGapReports: { table: 'results_gap_reports', time: 'created_at' },
  amendments: { table: 'amendments', by: amendmentState },
  votes: { table: 'amendment_votes', by: column('vote') },
  exercises: { table: 'amendment_exercises' },
  predictions: { table: 'predictions' },
  deadEnds: { table: 'dead_ends', by: column('state') },
  realityRequests: { table: 'reality_requests', by: column('state') },
  realityAcceptances: { table: 'reality_acceptances' },
  realityFulfilments: { table: 'reality_requests', agent: 'fulfilled_by', time: 'fulfilled_at' },
  ladders: { table: 'ladders', by: column('state') },
  rungsSatisfied: { table: 'rung_submissions' },
  methods: { table: 'methods', by: column('state') },
  methodUses: { table: 'method_uses' },
  evidence: { table: 'evidence' },
  hypotheses: { table: 'hypotheses', by: column('state') },
};

/** The one value of a part whose rows are not told apart. */
export const ALL = '';

export type AgentTally = Record<AgentPart, ReadonlyMap<string, number>>;

/** Rows of each part under the name, by value; one grouped query a part, each from an index on the name alone. */
export async function agentTally(db: Db, name: string, now: number): Promise<AgentTally> {
  const at = await councilTime(db, now);
  const tally: [string, ReadonlyMap<string, number>][] = [];
  for (const [part, { table, agent = 'agent_name', by }] of Object.entries(AGENT_SOURCES)) {
    const value = by?.(part === 'amendments' ? at : now) ?? sql<string>`${sql.lit(ALL)}`;
    const grouped = by === undefined ? sql`` : sql`GROUP BY 1`;
    const { rows } = await sql<{ value: string; count: number }>`
      SELECT ${value} AS value, count(*) AS count
      FROM ${sql.table(table)} WHERE ${sql.ref(agent)} = ${name} ${grouped}`.execute(db);
    tally.push([part, new Map(rows.flatMap((row) => (row.count === 0 ? [] : [[row.value, row.count]])))]);
  }
  return Object.fromEntries(tally) as AgentTally;
}

/** First and last time at which anything of these parts was written under the name; one row from each end of an index. */
export async function agentActivity(
  db: Db,
  name: string,
  parts: readonly AgentPart[],
): Promise<{ first: number; last: number }> {
  const times: number[] = [];
  for (const part of parts) {
    const { table, agent = 'agent_name', time = 'seq' } = AGENT_SOURCES[part];
    for (const order of ['ASC', 'DESC']) {
      const { rows } = await sql<{ at: number }>`
        SELECT ${sql.ref(time)} AS at FROM ${sql.table(table)}
        WHERE ${sql.ref(agent)} = ${name} ORDER BY ${sql.ref(time)} ${sql.raw(order)} LIMIT 1`.execute(db);
      times.push(...rows.map(({ at }) => at));
    }
  }
  return { first: Math.min(...times), last: Math.max(...times) };
}
