import SQLite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLAIM_STATES, OBJECTIVE_IDS, QUESTION_IDS } from '../../../contract/ids.ts';
import type { Operation } from '../../../contract/operation.ts';
import { submitResultsGap } from '../../../contract/operations/board/results-gap.ts';
import { BOARD_OPERATIONS } from '../../../contract/operations.ts';
import { jsonSchemaOf } from '../../../contract/parameters.ts';
import { openBoard, type TestBoard } from '../../support/board/board.ts';
import { type Call, callOf, takeCases } from '../../support/board/board-session.ts';
import { populationOf, quietLiterature } from '../../support/board/results-gap.ts';
import { isUnbounded, type Planned, plansOf, recordStatements } from '../../support/board/statements.ts';
import { ownExample } from '../../support/filled-in.ts';

/** Values for filters without a fixed vocabulary. A new filter needs one here. */
const VALUES: Readonly<Record<string, string>> = {
  objectiveId: OBJECTIVE_IDS[0],
  questionId: QUESTION_IDS[0],
  id: OBJECTIVE_IDS[0],
  agentName: 'case-claims',
  scope: 'slice',
  q: 'slice',
  trialId: 'NCT00000001,wt_0123456789ab',
  subjectId: OBJECTIVE_IDS[0],
  hypothesisId: 'hyp_none',
  cohortKey: 'cohort',
  pmid: '1',
  doi: '10.1000/x',
  nctId: 'NCT00000001',
  topic: 'type-1-diabetes',
  since: '2026-11-01T00:00:00Z',
};
/** Parameters that choose a part of the rows or how long to wait. They never change which statements are sent. */
const PAGING = ['limit', 'offset', 'cursor', 'wait', 'depth'];

/** Statements that scan or sort rows, and why the number of rows is bounded. */
const BOUNDED: readonly { text: RegExp; why: string }[] = [
  {
    text: /^select count\(\*\) as "total" from \(select "seq" from "messages" limit \?\)/,
    why: 'no more than MESSAGES_COUNTED_MAX_ITEMS',
  },
  {
    text: /^select count\(\*\) as "all" from "webhooks"$/,
    why: 'there are at most WEBHOOK_MAX_TOTAL, counted before one is made',
  },
  {
    text: /from "claims" where "state" = \? and "lease_until" > \? group by "objective_id", "question_id"$/,
    why: 'live claims; a group for each standing work',
  },
  {
    text: /^select \* from "claims" where "state" = \? and "lease_until" > \? and "(objective_id|question_id|agent_name)" = \?/,
    why: 'live claims of one subject or agent',
  },
  {
    text: /from "links" where "(from|to)_id" in \(.*(group by|order by "seq" limit)/,
    why: 'links of as many findings as a lineage shows',
  },
  {
    text: /^select CASE[\s\S]* where "agent_name" = \? group by 1/,
    why: 'groups are states; the rows are those of one name, in an index',
  },
  {
    text: /^select "subject_type", .* from "predictions" order by "seq"$/,
    why: 'once a minute, for all who ask in it',
  },
  {
    text: /from "amendments" where "outcome" = \? and \+"kind" != \? order by "closes_at", "seq"$/,
    why: 'once after each decision of the council',
  },
  {
    text: /^select \* from "amendments" where .*(closes_at|reverted_at)/,
    why: 'amendments that are open, or were reverted',
  },
  {
    text: /^select "id", "lease_until" from "claims" where "(objective_id|question_id)" = .* order by "lease_until" desc, "seq" desc/,
    why: 'live claims on one subject; only those whose leases end together are sorted',
  },
  {
    text: /^INSERT INTO (findings_search|claims_search|claims_scope|messages_search) .* FROM json_each\(\?\)$/,
    why: 'the texts of one group of writes',
  },
  { text: /count\(distinct "group_hash"\) as "groups" from "amendment_/, why: 'votes on one amendment' },
  {
    text: /count\(distinct "group_hash"\) as "groups", .* from "reviews" where "finding_id" in/,
    why: 'reviews of one page of findings, in an index; only the distinct values are sorted',
  },
];

/** Every filter of an operation with each of its values. */
function valuesOf(operation: Operation): { name: string; value: string }[] {
  return Object.entries(operation.query ?? {}).flatMap(([name, schema]) => {
    const { enum: listed, type } = jsonSchemaOf(schema) as { enum?: string[]; type?: string };
    if (PAGING.includes(name)) return [];
    const values = name === 'state' && operation.id === 'claims-list' ? [...CLAIM_STATES] : (listed ?? [VALUES[name]]);
    const given = type === 'boolean' ? ['true', 'false'] : values;
    return given.map((value) => ({ name, value: value ?? expect.fail(`no value for ${operation.id} ${name}`) }));
  });
}

/**
 * Asks for a list without a filter, with each value of each filter, and with each pair of filters. Asks for the second
 * page of each.
 */
async function askAll(operation: Operation, call: Call): Promise<void> {
  const values = valuesOf(operation);
  const firsts = [...new Map(values.map((one) => [one.name, one])).values()];
  const pairs = firsts.flatMap((one, place) => firsts.slice(place + 1).map((other) => [one, other]));
  const limit = operation.query && 'limit' in operation.query ? { limit: 1 } : {};
  for (const filters of [[], ...values.map((one) => [one]), ...pairs]) {
    const given = { ...limit, ...Object.fromEntries(filters.map(({ name, value }) => [name, value])) };
    const page = await call(operation, given);
    const cursor = page.ok ? page.envelope._meta?.pagination?.nextCursor : null;
    if (cursor) await call(operation, { ...given, cursor });
  }
}

let board: TestBoard;
let planned: Planned[];

/** Fills a board by the cases, and explains every statement that was sent to it. */
beforeAll(async () => {
  const trials = [{ nctId: 'NCT01234567', completed: '2020-01-01' }];
  board = await openBoard({ population: await populationOf(trials), literature: quietLiterature() });
  using recorded = recordStatements(board.path);
  const call = callOf(board);
  await takeCases(board, call);
  await board.send(submitResultsGap.path, ownExample(submitResultsGap));
  for (const operation of BOARD_OPERATIONS) {
    if (operation.method === 'GET' && !operation.path.includes('{')) await askAll(operation, call);
  }
  planned = await plansOf(recorded.texts);
});
afterAll(() => board[Symbol.asyncDispose]());

// The test covers the statements of a new operation or filter without naming them here.
it('no statement of any operation passes over a table that grows, or sorts what has no bound', () => {
  expect(planned.length).toBeGreaterThan(250);
  const unbounded = planned.filter(isUnbounded);
  expect(unbounded.filter(({ text }) => !BOUNDED.some((known) => known.text.test(text)))).toEqual([]);
  expect(BOUNDED.filter((known) => !unbounded.some(({ text }) => known.text.test(text)))).toEqual([]);
});

/** `counted` gives the tallies as counted from the rows, `kept` the stored tallies without those that are zero. */
const COUNTED = [
  ['findings', "''", 'status'],
  ['findings', "'objective ' || objective_id", 'status'],
  ['findings', "'question ' || question_id", 'status'],
  ['amendments', "''", 'outcome'],
  ['reality_requests', "''", 'state'],
  ['dead_ends', "''", 'state'],
  ['ladders', "''", 'state'],
  ['hypotheses', "''", 'state'],
  ['contradictions', "''", 'kind'],
  ['evidence', "''", "''"],
  ['predictions', "''", "''"],
].map(
  ([table, subject, state]) =>
    `SELECT '${table}' AS list, ${subject} AS subject, ${state} AS state, count(*) AS count
     FROM ${table} WHERE ${subject} IS NOT NULL GROUP BY 2, 3`,
);
const counted = (file: SQLite.Database) => file.prepare(`${COUNTED.join(' UNION ALL ')} ORDER BY 1, 2, 3`).all();
const kept = (file: SQLite.Database) =>
  file.prepare('SELECT * FROM tallies WHERE count > 0 ORDER BY list, subject, state').all();

describe('the tallies', () => {
  it('say after every write what counting the rows would', () => {
    using file = disposed(new SQLite(board.path, { readonly: true }));
    expect(kept(file)).toEqual(counted(file));
    expect(new Set(COUNTED.map((text) => /FROM (\w+)/.exec(text)![1]))).toEqual(
      new Set(kept(file).map((row) => (row as { list: string }).list)),
    );
  });
});

function disposed(file: SQLite.Database): SQLite.Database & Disposable {
  return Object.assign(file, { [Symbol.dispose]: () => void file.close() });
}
