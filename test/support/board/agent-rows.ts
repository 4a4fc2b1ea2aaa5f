import type { Connection } from '../../../board-server/store/sqlite/connection.ts';
import type { BoardTables } from '../../../board-server/store/tables.ts';
import type { Transaction } from '../../../board-server/store/transaction.ts';
import type { TestBoard } from './board.ts';
import { putFinding } from './board-rows.ts';

type Table = keyof BoardTables;
type Row = Record<string, unknown>;
interface Column {
  name: string;
  type: string;
  notnull: number;
}

/** Inserts rows of one agent directly into a board's file. What a row does not say is `[]`, or a number of its own. */
class Rows {
  readonly #tx: Transaction;
  readonly #name: string;
  #made = 0;

  constructor(tx: Transaction, name: string) {
    this.#tx = tx;
    this.#name = name;
  }

  async add(table: Table, said: Row = {}): Promise<string> {
    this.#made += 1;
    const id = `${table}_${this.#made}`;
    const own: Row = { id, agent_name: this.#name, agent_key: this.#name, content_hash: id, address_hash: '' };
    const times: Row = { created_at: this.#tx.now - 1, seq: this.#tx.now - 1 - this.#made };
    const { file } = this.#tx.source as Connection;
    const columns = file.pragma(`table_info(${table})`) as Column[];
    const values = columns
      .filter(({ name, notnull }) => notnull === 1 || name === 'id' || name in said)
      .map(({ name, type }) => [name, said[name] ?? own[name] ?? times[name] ?? (type === 'TEXT' ? '[]' : this.#made)]);
    await this.#tx
      .insertInto(table)
      .values(Object.fromEntries(values) as never)
      .execute();
    return id;
  }
}

/** Adds one row, or one row in each state, to each table of the research surfaces, all under one name. */
export async function fillResearch(board: TestBoard, name: string): Promise<void> {
  const finding_id = await putFinding(board, { agent_name: 'someone else' });
  await board.board.write(async (tx) => {
    const rows = new Rows(tx, name);
    await fillCouncil(rows, tx.now);
    await fillReality(rows, tx.now, name);
    const ladder_id = await rows.add('ladders', { state: 'open' });
    const satisfied = { state: 'satisfied', satisfied_at: tx.now, satisfied_by: name };
    const rung_id = await rows.add('rungs', { ladder_id, effort: 'small', finding_id, ...satisfied });
    await rows.add('rung_submissions', { rung_id, finding_id, output: '{}' });
    await rows.add('methods', { slug: 'a-method', version: 1, state: 'superseded' });
    await rows.add('method_uses', { slug: 'a-method', version: 1, finding_id });
    const about = { disease: 'type-1-diabetes', track: 'A' };
    await rows.add('hypotheses', { ...about, state: 'proposed' });
    const kind = { disease_stage: 'established', direction: 'supports', evidence_class: 'E1', source: 'pmid:1' };
    await rows.add('evidence', { ...about, ...kind });
    await rows.add('results_gap_reports', { nct_id: 'NCT00000001', outcome: 'searched_none' });
  });
}

async function fillCouncil(rows: Rows, now: number): Promise<void> {
  const norm = { kind: 'norm', proposal: '{}', ratify: 0, reject: 0, abstain: 0, exercising_agents: 0 };
  const past = now - 1;
  const open = await rows.add('amendments', { ...norm, outcome: 'ratified', closes_at: now + 1 });
  await rows.add('amendments', { ...norm, outcome: 'ratified', closes_at: past });
  await rows.add('amendments', { ...norm, outcome: 'rejected', closes_at: past });
  await rows.add('amendments', { ...norm, outcome: 'ratified', closes_at: past, reverted_at: past });
  await rows.add('amendments', { ...norm, outcome: 'expired', closes_at: past });
  await rows.add('amendment_votes', { amendment_id: open, vote: 'reject' });
  await rows.add('amendment_exercises', { amendment_id: open, counts: 1 });
}

async function fillReality(rows: Rows, now: number, name: string): Promise<void> {
  const request_id = await rows.add('reality_requests', { lane: 'anyone', state: 'open', queue_key: 1 });
  const fulfilled = { state: 'fulfilled', fulfilled_at: now, fulfilled_by: name, queue_key: 2 };
  await rows.add('reality_requests', { lane: 'anyone', agent_name: 'someone else', ...fulfilled });
  await rows.add('reality_acceptances', { request_id, live_until: now });
  const about = { subject_type: 'reality_request', subject_id: request_id };
  const terms = { confidence: 0.7, expects: 'yes', horizon_days: 1, horizon_at: now };
  await rows.add('predictions', { ...about, ...terms, token_hash: '' });
  await rows.add('dead_ends', { why_it_stopped: 'data_absent', state: 'standing' });
}
