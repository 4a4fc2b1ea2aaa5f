import { type RawBuilder, sql } from 'kysely';
import type { AgentPart } from '../../contract/schemas/board/agent.ts';
import { councilTime } from '../council/council-store.ts';
import type { Reader } from '../store/reader.ts';
import type { BoardTables } from '../store/tables.ts';

/** Counts of what was written under one name. Names are compared exactly, as in every list. */

/** Where a part lies: rows whose `agent` is the name, at their `time` in microseconds. */
interface Source {
  table: keyof BoardTables;
  agent?: 'fulfilled_by';
  time?: 'created_at' | 'fulfilled_at';
  /** The value by which the rows are counted apart; computed at `now` where it depends on the clock. */
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

/** The only value of a part whose rows are counted together. */
export const ALL = '';

export type AgentTally = Record<AgentPart, ReadonlyMap<string, number>>;

/**
 * Number of rows of each part under the name, by value; one grouped query for each part, from an index on the name
 * alone.
 */
export async function agentTally(db: Reader, name: string, now: number): Promise<AgentTally> {
  const at = await councilTime(db, now);
  const tally: [string, ReadonlyMap<string, number>][] = [];
  for (const [part, { table, agent = 'agent_name', by }] of Object.entries(AGENT_SOURCES)) {
    const value = by?.(part === 'amendments' ? at : now) ?? sql.lit(ALL);
    const counted = rowsOf(db, table, agent, name).select(({ fn }) => [
      value.as('value'),
      fn.countAll<number>().as('count'),
    ]);
    const rows = await (by === undefined ? counted : counted.groupBy(sql`1`)).execute();
    tally.push([part, new Map(rows.flatMap((row) => (row.count === 0 ? [] : [[row.value, row.count]])))]);
  }
  return Object.fromEntries(tally) as AgentTally;
}

/** Times of the first and the last thing in these parts under the name; reads one row at each end of an index. */
export async function agentActivity(
  db: Reader,
  name: string,
  parts: readonly AgentPart[],
): Promise<{ first: number; last: number }> {
  const times: number[] = [];
  for (const part of parts) {
    const { table, agent = 'agent_name', time = 'seq' } = AGENT_SOURCES[part];
    for (const order of ['asc', 'desc'] as const) {
      const rows = await rowsOf(db, table, agent, name)
        .select(sql.ref<number>(time).as('at'))
        .orderBy(sql.ref(time), order)
        .limit(1)
        .execute();
      times.push(...rows.map(({ at }) => at));
    }
  }
  return { first: Math.min(...times), last: Math.max(...times) };
}

function rowsOf(db: Reader, table: keyof BoardTables, agent: string, name: string) {
  return db.selectFrom(table).where(sql.ref<string>(agent), '=', name);
}
