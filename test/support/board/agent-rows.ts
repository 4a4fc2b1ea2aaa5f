import type { BoardTables } from '../../../board-server/store/tables.ts';
import type { Transaction } from '../../../board-server/store/transaction.ts';
import type { TestBoard } from './board.ts';
import { putFinding } from './board-rows.ts';

/** Inserts rows of the research surfaces directly into a board's file, all under one name. */

interface Filling {
  tx: Transaction;
  name: string;
  /** Microseconds. */
  now: number;
  /** A finding of another agent. */
  findingId: string;
  /** `row` gives the columns that every table has; `hashed` adds the content hash, for tables that have one. */
  row(id: string): object;
  hashed(id: string): object;
  insert(table: keyof BoardTables, values: object): Promise<unknown>;
}

/** Adds one row, or one row in each state, to each table of the research surfaces. */
export async function fillResearch(board: TestBoard, name: string): Promise<void> {
  const now = board.clock.now().getTime() * 1000;
  const findingId = await putFinding(board, { agent_name: 'someone else' });
  let made = 0;
  const row = (id: string) => {
    made += 1;
    return { agent_name: name, address_hash: '', created_at: now - 1, id: `${id}_${made}`, seq: now - 1 - made };
  };
  const hashed = (id: string) => ({ ...row(id), content_hash: `${id} ${made}` });
  await board.services.board.write(async (tx) => {
    const insert = (table: keyof BoardTables, values: object) =>
      tx
        .insertInto(table)
        .values(values as never)
        .execute();
    const filling: Filling = { tx, name, now, findingId, row, hashed, insert };
    await fillCouncil(filling);
    await fillReality(filling);
    await fillLadders(filling);
    await fillCureLab(filling);
  });
}

async function fillCouncil({ tx, name, now, row, hashed, insert }: Filling): Promise<void> {
  const past = now - 1;
  const said = { kind: 'norm', subject: null, proposal: '{}', rationale: 'r', falsifier: 'f', agent_key: name };
  const tallied = { ratify: 0, reject: 0, abstain: 0, exercising_agents: 0, quorum_at: null, exercises_at: null };
  const never = { turned_at: null, turned_by: null };
  const ends = [
    { outcome: 'ratified', closes_at: now + 1, reverted_at: null },
    { outcome: 'ratified', closes_at: past, reverted_at: null },
    { outcome: 'rejected', closes_at: past, reverted_at: null },
    { outcome: 'ratified', closes_at: past, reverted_at: past },
    { outcome: 'expired', closes_at: past, reverted_at: null },
  ];
  for (const end of ends) await insert('amendments', { ...hashed('amd'), ...said, ...tallied, ...never, ...end });
  const { id: amendment_id } = await tx.selectFrom('amendments').select('id').limit(1).executeTakeFirstOrThrow();
  const vote = { vote: 'reject', reasoning: 'r', evidence: '[]' };
  await insert('amendment_votes', { ...row('vot'), amendment_id, ...vote, agent_key: name });
  await insert('amendment_exercises', { ...hashed('exe'), amendment_id, note: 'n', agent_key: name, counts: 1 });
}

async function fillReality({ tx, name, now, row, hashed, insert }: Filling): Promise<void> {
  const common = {
    lane: 'anyone',
    ask: 'a',
    resolves: 'r',
    if_result_is_a: 'a',
    if_result_is_b: 'b',
  };
  const { last } = await tx
    .selectFrom('reality_requests')
    .select(({ fn }) => fn.max('number').as('last'))
    .executeTakeFirstOrThrow();
  const number = Number(last ?? 0) + 1;
  await insert('reality_requests', { ...hashed('rea'), ...common, number, state: 'open', queue_key: 1 });
  const fulfilled = { number: number + 1, state: 'fulfilled', queue_key: 2, fulfilled_at: now, fulfilled_by: name };
  await insert('reality_requests', { ...hashed('rea'), ...common, ...fulfilled, agent_name: 'someone else' });
  const { id: request_id } = await tx.selectFrom('reality_requests').select('id').limit(1).executeTakeFirstOrThrow();
  await insert('reality_acceptances', { ...row('acc'), request_id, live_until: now });
  await insert('predictions', {
    ...hashed('prd'),
    subject_type: 'reality_request',
    subject_id: request_id,
    confidence: 0.7,
    expects: 'yes',
    horizon_days: 1,
    horizon_at: now,
    token_hash: '',
  });
  await insert('dead_ends', {
    ...hashed('ded'),
    approach: 'a',
    how_far: 'h',
    where_it_stopped: 'w',
    why_it_stopped: 'data_absent',
    what_would_change_it: 'w',
    endpoints_used: '[]',
    state: 'standing',
  });
}

async function fillLadders({ tx, name, now, findingId, row, hashed, insert }: Filling): Promise<void> {
  const ladder = { title: 't', rationale: 'r', state: 'open', rungs_total: 2, rungs_satisfied: 1 };
  await insert('ladders', { ...hashed('lad'), ...ladder });
  const { id: ladder_id } = await tx.selectFrom('ladders').select('id').executeTakeFirstOrThrow();
  const rung = { title: 't', input: 'i', output: 'o', rules: '[]', effort: 'small', state: 'satisfied' };
  const satisfied = { satisfied_at: now, satisfied_by: name, finding_id: findingId };
  await insert('rungs', { id: 'rng_1', seq: 1, ladder_id, place: 1, ...rung, ...satisfied });
  await insert('rung_submissions', { ...hashed('sub'), rung_id: 'rng_1', finding_id: findingId, output: '{}' });
  await insert('methods', {
    ...hashed('mth'),
    slug: 'a-method',
    version: 1,
    state: 'superseded',
    title: 't',
    applies_to: 'a',
    steps: '[]',
    failure_modes: '[]',
    checks: '[]',
    derived_from: '[]',
    endpoints_used: '[]',
  });
  await insert('method_uses', { ...row('use'), slug: 'a-method', version: 1, finding_id: findingId });
}

async function fillCureLab({ name, now, hashed, insert }: Filling): Promise<void> {
  const about = { disease: 'type-1-diabetes', track: 'A' };
  await insert('hypotheses', {
    ...hashed('hyp'),
    ...about,
    state: 'proposed',
    title: 't',
    question: 'q',
    rationale: 'r',
    predictions: '[]',
  });
  await insert('evidence', {
    ...hashed('evd'),
    ...about,
    claim_text: 'c',
    disease_stage: 'established',
    direction: 'supports',
    evidence_class: 'E1',
    source: 'pmid:1',
  });
  await insert('results_gap_reports', {
    id: 'rgr_1',
    nct_id: 'NCT00000001',
    outcome: 'searched_none',
    search_strategy: 's',
    agent_name: name,
    agent_key: name,
    content_hash: 'report',
    address_hash: '',
    created_at: now - 1,
  });
}
