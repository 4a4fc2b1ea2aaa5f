import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openedColumns } from '../../../board-server/council/amendment.ts';
import {
  type AmendmentFilter,
  amendmentCount,
  amendmentCounts,
  amendmentPage,
  exercisesOn,
  hasExercised,
  hasFinding,
  hasVoted,
  lastTurn,
  openRevertOf,
  stateOf,
  votesOn,
} from '../../../board-server/council/council-store.ts';
import type { AmendmentRow } from '../../../board-server/council/tables.ts';
import { Board } from '../../../board-server/store/board.ts';
import type { Reader } from '../../../board-server/store/reader.ts';
import { AMENDMENT_KINDS, AMENDMENT_STATES } from '../../../contract/ids.ts';
import { countedBytes, TestClock } from '../../support/board/board.ts';
import { type Plans, plansOver } from '../../support/board/plans.ts';

const NOW = 1_795_000_000_000_000;
const HOUR = 3_600_000_000;
const FIRST = { limit: 21, offset: 0, after: null };
const LATER = { limit: 21, offset: 0, after: NOW };
const STORED = 2000;

let root: string;
let plans: Plans;
let db: Reader;
const rows: AmendmentRow[] = [];

/** The states in turn: open, ratified, rejected, reverted, expired. */
function stored(place: number): AmendmentRow {
  const created_at = NOW - (STORED - place) * HOUR;
  const closed = { closes_at: NOW - 1, outcome: 'ratified' as const };
  const ends = [
    { closes_at: NOW + 1, outcome: place % 2 ? ('ratified' as const) : ('expired' as const) },
    closed,
    { ...closed, outcome: 'rejected' as const },
    { ...closed, reverted_at: NOW },
    { ...closed, outcome: 'expired' as const },
  ][place % 5]!;
  return {
    id: `amd_${place}`,
    seq: created_at,
    kind: AMENDMENT_KINDS[place % 7]!,
    proposal: '{}',
    subject: null,
    rationale: '',
    falsifier: '',
    agent_name: 'ada',
    agent_key: 'ada',
    content_hash: String(place),
    address_hash: '',
    group_hash: '',
    created_at,
    ...openedColumns('norm', created_at),
    ...ends,
  };
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-council-'));
  const path = join(root, 'board.sqlite');
  const board = await Board.open(path, { now: new TestClock().now, random: countedBytes() });
  for (let place = 0; place < STORED; place += 1) rows.push(stored(place));
  await board.write(async (tx) => {
    for (const row of rows) await tx.insert('amendments', row);
  });
  await board[Symbol.asyncDispose]();
  plans = plansOver(path);
  db = plans.db;
});
afterAll(async () => {
  await plans[Symbol.asyncDispose]();
  await rm(root, { recursive: true });
});

/** The query plan of the last query that `read` sends. */
async function planOf(read: () => unknown): Promise<string> {
  return (await plans.of(read)).at(-1)!.replace(/^SEARCH \w+ USING (COVERING )?INDEX /, '');
}

describe('two thousand amendments', () => {
  it('are listed and counted by state and kind as their states say, page by page', async () => {
    for (const state of AMENDMENT_STATES) {
      for (const kind of [undefined, 'norm', 'glossary'] as const) {
        const expected = rows.filter((row) => stateOf(row, NOW) === state && (kind ?? row.kind) === row.kind).reverse();
        expect(expected.length).toBeGreaterThan(20);
        expect(await amendmentCount(db, { state, kind }, NOW)).toBe(expected.length);
        expect(await amendmentCount(db, { state, kind, agentName: 'ada' }, NOW)).toBe(expected.length);
        const seen: string[] = [];
        for (let after: number | null = null; ; ) {
          const page: AmendmentRow[] = await amendmentPage(db, { state, kind }, NOW, { limit: 100, offset: 0, after });
          seen.push(...page.map(({ id }) => id));
          if (page.length < 100) break;
          after = page.at(-1)!.seq;
        }
        expect(seen).toEqual(expected.map(({ id }) => id));
      }
    }
    expect(await amendmentCounts(db, NOW)).toEqual({
      deliberating: 400,
      ratified: 400,
      rejected: 400,
      reverted: 400,
      expired: 400,
    });
  });

  const SORTED = '; USE TEMP B-TREE FOR ORDER BY';
  it.each<[AmendmentFilter, string, string]>([
    [{}, 'sqlite_autoindex_amendments_2 (seq<?)', 'SCAN amendments USING INDEX sqlite_autoindex_amendments_2'],
    [{ kind: 'norm' }, 'amendments_kind (kind=? AND seq<?)', 'amendments_kind (kind=?)'],
    [{ agentName: 'x' }, 'amendments_agent (agent_name=? AND seq<?)', 'amendments_agent (agent_name=?)'],
    [
      { agentName: 'x', state: 'deliberating', kind: 'norm' },
      'amendments_agent (agent_name=? AND seq<?)',
      'amendments_agent (agent_name=?)',
    ],
    [{ state: 'ratified' }, 'amendments_outcome (outcome=? AND seq<?)', 'amendments_outcome (outcome=?)'],
    [{ state: 'rejected' }, 'amendments_outcome (outcome=? AND seq<?)', 'amendments_outcome (outcome=?)'],
    [{ state: 'expired' }, 'amendments_outcome (outcome=? AND seq<?)', 'amendments_outcome (outcome=?)'],
    [
      { state: 'ratified', kind: 'norm' },
      'amendments_kind_outcome (kind=? AND outcome=? AND seq<?)',
      'amendments_kind_outcome (kind=? AND outcome=?)',
    ],
    [{ state: 'deliberating' }, `amendments_closes (closes_at>?)${SORTED}`, `amendments_closes (closes_at>?)${SORTED}`],
    [
      { state: 'deliberating', kind: 'norm' },
      `amendments_closes (closes_at>?)${SORTED}`,
      `amendments_closes (closes_at>?)${SORTED}`,
    ],
    [
      { state: 'reverted' },
      `amendments_reverted (reverted_at<?)${SORTED}`,
      `amendments_reverted (reverted_at<?)${SORTED}`,
    ],
  ])('%j are read by an index, after a cursor and from the start', async (filter, later, first) => {
    expect(await planOf(() => amendmentPage(db, filter, NOW, LATER))).toBe(later);
    expect(await planOf(() => amendmentPage(db, filter, NOW, FIRST))).toBe(first);
  });

  it('take one indexed row for each question that a write asks of them', async () => {
    const asked = [
      await planOf(() => lastTurn(db)),
      await planOf(() => openRevertOf(db, 'x', NOW)),
      await planOf(() => hasVoted(db, 'x', 'ada')),
      await planOf(() => hasExercised(db, 'x', 'ada')),
      await planOf(() => hasFinding(db, 'ada')),
      await planOf(() => votesOn(db, 'x', { limit: 100, offset: 0 })),
      await planOf(() => exercisesOn(db, 'x', { limit: 100, offset: 0 })),
    ];
    expect(asked).toEqual([
      'amendments_turned (turned_at>?)',
      'amendments_subject (kind=? AND subject=?)',
      'sqlite_autoindex_amendment_votes_3 (amendment_id=? AND agent_key=?)',
      'amendment_exercises_once (amendment_id=? AND agent_key=?)',
      'findings_agent_status (agent_name=?)',
      'amendment_votes_amendment (amendment_id=?)',
      'amendment_exercises_amendment (amendment_id=?)',
    ]);
  });
});
