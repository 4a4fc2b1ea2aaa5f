import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { type CompiledQuery, Kysely, type LogEvent, type SqliteDatabase, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Board } from '../../board-server/store/board.ts';
import { type ClaimFilter, claimPage } from '../../board-server/store/claim-store.ts';
import { type FindingFilter, findingPage } from '../../board-server/store/finding-store.ts';
import { type MessageFilter, messagePage } from '../../board-server/store/message-store.ts';
import { deliveriesOf } from '../../board-server/store/outbox-store.ts';
import { checksAfter, reportsOn } from '../../board-server/store/results-gap-store.ts';
import type { BoardTables } from '../../board-server/store/tables.ts';
import { countedBytes, TestClock } from '../support/board.ts';

const FIRST = { limit: 21, offset: 0, after: null };
/** A page that a cursor leads to, deep in any list. */
const LATER = { limit: 21, offset: 0, after: 1_790_000_000_000_000 };
const NOW = 1_795_000_000_000_000;

let root: string;
let file: SQLite.Database;
let db: Kysely<BoardTables>;
let sent: CompiledQuery[] = [];
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-plans-'));
  const path = join(root, 'board.sqlite');
  await (await Board.open(path, { now: new TestClock().now, random: countedBytes() }))[Symbol.asyncDispose]();
  file = new SQLite(path);
  const dialect = new SqliteDialect({ database: file as unknown as SqliteDatabase });
  const log = ({ query }: LogEvent): void => {
    sent.push(query);
  };
  db = new Kysely<BoardTables>({ dialect, log });
});
afterAll(async () => {
  await db.destroy();
  await rm(root, { recursive: true });
});

/** How SQLite carries out the last query that `read` sends. */
async function planOf(read: () => Promise<unknown>): Promise<string> {
  sent = [];
  await read();
  const { sql, parameters } = sent.at(-1)!;
  const rows = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
  return rows.map(({ detail }) => detail.replace(/^SEARCH \w+ USING INDEX /, '')).join('; ');
}

describe('the page after a cursor', () => {
  const SORTED = '; USE TEMP B-TREE FOR ORDER BY';

  it.each<[ClaimFilter, string]>([
    // What is live is bounded by the leases; what was ever claimed is not.
    [{ state: 'active' }, `claims_live (state=? AND lease_until>?)${SORTED}`],
    [
      { state: 'active', objectiveId: 'x' },
      `claims_objective_live (objective_id=? AND state=? AND lease_until>?)${SORTED}`,
    ],
    [
      { state: 'active', questionId: 'x' },
      `claims_question_live (question_id=? AND state=? AND lease_until>?)${SORTED}`,
    ],
    [{ state: 'expired' }, 'claims_state (state=? AND seq<?)'],
    [{ state: 'released' }, 'claims_state (state=? AND seq<?)'],
    [{ state: 'delivered', objectiveId: 'x' }, 'claims_objective (objective_id=? AND seq<?)'],
    [{ state: 'expired', questionId: 'x' }, 'claims_question (question_id=? AND seq<?)'],
    [{ state: 'released', agentName: 'x' }, 'claims_agent (agent_name=? AND seq<?)'],
  ])('of claims %j is read by %s', async (filter, plan) => {
    expect(await planOf(() => claimPage(db, filter, NOW, LATER))).toBe(plan);
    expect(await planOf(() => claimPage(db, filter, NOW, FIRST))).toBe(plan.replace(' AND seq<?', ''));
  });

  it.each<[Omit<FindingFilter, 'includeWithdrawn'>, string]>([
    [{}, 'sqlite_autoindex_findings_2 (seq<?)'],
    [{ status: 'received' }, 'findings_status (status=? AND seq<?)'],
    [{ objectiveId: 'x' }, 'findings_objective (objective_id=? AND seq<?)'],
    [{ questionId: 'x' }, 'findings_question (question_id=? AND seq<?)'],
    [{ agentName: 'x' }, 'findings_agent (agent_name=? AND seq<?)'],
    [{ objectiveId: 'x', status: 'received' }, 'findings_objective (objective_id=? AND seq<?)'],
  ])('of findings %j is read in its order by %s', async (filter, plan) => {
    expect(await planOf(() => findingPage(db, { includeWithdrawn: false, ...filter }, LATER))).toBe(plan);
  });

  it.each<[MessageFilter, string]>([
    [{}, 'sqlite_autoindex_messages_2 (seq<?)'],
    [{ subjectType: 'claim' }, 'messages_type (subject_type=? AND seq<?)'],
    [{ subjectType: 'claim', subjectId: 'x' }, 'messages_subject (subject_type=? AND subject_id=? AND seq<?)'],
  ])('of messages %j is read in its order by %s, either way', async (filter, plan) => {
    const page = (newestFirst: boolean) => planOf(() => messagePage(db, filter, { ...LATER, newestFirst }));
    expect(await page(true)).toBe(plan);
    expect(await page(false)).toBe(plan.replace('seq<?', 'seq>?'));
  });

  it('of the delivery log is read in its order by the index of its subscription', async () => {
    for (const failed of [undefined, true, false]) {
      const plan = await planOf(() => deliveriesOf(db, 'x', failed, LATER));
      expect(plan).toBe('deliveries_webhook (webhook_id=? AND id<?)');
    }
  });

  it('of a search begins at the words, never at all rows', async () => {
    const plans = [
      await planOf(() => claimPage(db, { state: 'released', q: 'x' }, NOW, LATER)),
      await planOf(() => findingPage(db, { includeWithdrawn: false, q: 'x' }, LATER)),
      await planOf(() => messagePage(db, { q: 'x' }, { ...LATER, newestFirst: true })),
    ];
    for (const plan of plans) expect(plan).not.toMatch(/SCAN (claims|findings|messages)(?! VIRTUAL|_)/);
    expect(plans.map((plan) => /SCAN (\w+) VIRTUAL TABLE/.exec(plan)?.[1])).toEqual([
      'claims_search',
      'findings_search',
      'messages_search',
    ]);
  });
});

describe('the results gap', () => {
  it('reads the reports on one trial, and what was checked since, without reading the others', async () => {
    expect(await planOf(() => reportsOn(db, 'NCT00000013'))).toBe(
      'results_gap_reports_trial (nct_id=?); results_gap_checks_report (report=?)',
    );
    expect(await planOf(() => checksAfter(db, 5))).toBe(
      'SEARCH c USING INTEGER PRIMARY KEY (rowid>?); SEARCH r USING INTEGER PRIMARY KEY (rowid=?)',
    );
  });
});
