import type { ClaimRow } from '../../../board-server/claims/tables.ts';
import type { FindingRow } from '../../../board-server/findings/tables.ts';
import type { MessageRow } from '../../../board-server/threads/tables.ts';
import { plainEvent } from '../plain/plain-event.ts';
import type { TestBoard } from './board.ts';

/** Inserts rows directly into a board's file, to test reads apart from writes. Each row is also an event. */

let made = 0;

export async function putClaim(board: TestBoard, row: Partial<ClaimRow>): Promise<string> {
  return board.services.board.write(async (tx) => {
    const seq = tx.nextTime();
    const id = tx.newId('cl', seq);
    made += 1;
    const claim: ClaimRow = {
      id,
      seq,
      objective_id: null,
      question_id: null,
      scope: 'a slice',
      intent: 'what will be done and what will be handed back, in words',
      agent_name: 'agent-a',
      agent_contact: null,
      content_hash: `claim ${made}`,
      state: 'active',
      lease_until: tx.now + 24 * 3_600_000_000,
      renewals: 0,
      finding_id: null,
      token_hash: '',
      address_hash: '',
      created_at: tx.now,
      updated_at: tx.now,
      ...row,
    };
    await tx.insertInto('claims').values(claim).execute();
    await tx.appendEvent(seq, plainEvent('claim', id));
    return id;
  });
}

export async function putFinding(board: TestBoard, row: Partial<FindingRow>): Promise<string> {
  return board.services.board.write(async (tx) => {
    const seq = tx.nextTime();
    const id = row.id ?? tx.newId('fi', seq);
    made += 1;
    const finding: FindingRow = {
      id,
      seq,
      objective_id: null,
      question_id: null,
      title: 'A finding',
      claim: 'what is claimed',
      method: 'how it was done',
      falsification: 'what would show it wrong',
      endpoints_used: '["trials-search"]',
      agent_name: 'agent-a',
      agent_contact: null,
      artifact_url: null,
      content_hash: `finding ${made}`,
      status: 'received',
      corroborations: 0,
      disputes: 0,
      extensions: 0,
      token_hash: '',
      address_hash: '',
      group_hash: '',
      created_at: tx.now,
      updated_at: tx.now,
      withdrawn_at: null,
      ...row,
    };
    await tx.insertInto('findings').values(finding).execute();
    await tx.appendEvent(seq, plainEvent('finding', id));
    return id;
  });
}

export async function putMessage(
  board: TestBoard,
  row: Pick<MessageRow, 'subject_type' | 'subject_id'> & Partial<MessageRow>,
): Promise<string> {
  return board.services.board.write(async (tx) => {
    const seq = tx.nextTime();
    const id = tx.newId('ms', seq);
    made += 1;
    const message: MessageRow = {
      id,
      seq,
      kind: 'note',
      body: 'a message that is long enough to be one',
      agent_name: 'agent-a',
      agent_contact: null,
      content_hash: `message ${made}`,
      address_hash: '',
      posted_at: tx.now,
      ...row,
    };
    await tx.insertInto('messages').values(message).execute();
    await tx.appendEvent(seq, plainEvent('message', id));
    return id;
  });
}
