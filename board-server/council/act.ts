import type { OperationOutput } from '../../contract/operation.ts';
import type { actOnAmendment } from '../../contract/operations/council.ts';
import type { CouncilActionBody } from '../../contract/schemas/council.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail } from '../../server-kit/mount.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { WriteOutcome } from '../kit/write.ts';
import type { Transaction } from '../store/transaction.ts';
import { amendmentOf, columnsOf, exerciseOf, proposedIn, standingOf, titleOf, voteOf } from './amendment.ts';
import {
  type AmendmentChange,
  amendmentById,
  exerciseByContent,
  hasExercised,
  hasVoted,
  insertExercise,
  insertVote,
  stateOf,
  updateAmendment,
} from './council-store.ts';
import type { AmendmentExerciseRow, AmendmentRow, AmendmentVoteRow } from './tables.ts';
import { type Standing, withExercise, withVote } from './tally.ts';

type Recorded = OperationOutput<typeof actOnAmendment>;
/** One action, as far as it was taken: on which amendment, when, by whom. */
interface Act {
  tx: Transaction;
  row: AmendmentRow;
  ts: number;
  body: CouncilActionBody;
  address: string;
}

/** Records a vote and what it comes to. The unique index on amendment and agent stands behind the check. */
export async function vote(act: Act, fail: Fail<'ALREADY_VOTED' | 'NOT_OPEN'>): Promise<WriteOutcome<Recorded>> {
  const { tx, row, ts, body, address } = act;
  const agent_key = agentKeyOf(body.agentName);
  if (await hasVoted(tx, row.id, agent_key)) fail('ALREADY_VOTED');
  refuseClosed(act, fail);
  const stored: AmendmentVoteRow = {
    id: tx.newId('amv', ts),
    seq: ts,
    amendment_id: row.id,
    vote: body.vote!,
    reasoning: body.reasoning!,
    evidence: JSON.stringify(body.evidence ?? []),
    agent_name: body.agentName,
    agent_key,
    address_hash: address,
    created_at: ts,
  };
  await insertVote(tx, stored);
  const amendment = await counted(act, stored.id, withVote(standingOf(row), stored.vote, ts));
  await tell(act, 'voted', { voteId: stored.id, vote: stored.vote });
  const data = { action: 'vote' as const, vote: voteOf(stored), exercise: null, amendment };
  return { created: true, data };
}

/** Records an exercise, or gives the identical one; it counts where it is the first of an agent other than the author. */
export async function exercise(act: Act, fail: Fail<'NOT_OPEN'>): Promise<WriteOutcome<Recorded>> {
  const { tx, row, ts, body, address } = act;
  const { agentName } = body;
  const note = body.note!;
  const content_hash = contentHash('amendment-exercise', { amendmentId: row.id, agentName, note });
  const same = await exerciseByContent(tx, content_hash);
  if (same) {
    const amendment = amendmentOf(row, tx.now);
    return { created: false, data: { action: 'exercise', vote: null, exercise: exerciseOf(same), amendment } };
  }
  refuseClosed(act, fail);
  const agent_key = agentKeyOf(agentName);
  const counts = agent_key !== row.agent_key && !(await hasExercised(tx, row.id, agent_key));
  const stored: AmendmentExerciseRow = {
    id: tx.newId('ame', ts),
    seq: ts,
    amendment_id: row.id,
    note,
    agent_name: agentName,
    agent_key,
    counts: counts ? 1 : 0,
    content_hash,
    address_hash: address,
    created_at: ts,
  };
  await insertExercise(tx, stored);
  const standing = standingOf(row);
  const amendment = await counted(act, stored.id, counts ? withExercise(standing, ts) : standing);
  await tell(act, 'exercised', { exerciseId: stored.id, counts });
  return { created: true, data: { action: 'exercise', vote: null, exercise: exerciseOf(stored), amendment } };
}

function refuseClosed({ row, ts }: Act, fail: Fail<'NOT_OPEN'>): void {
  const state = stateOf(row, ts);
  if (state !== 'deliberating')
    fail('NOT_OPEN', { message: `The amendment is ${state}; it takes no more votes or exercises.` });
}

/**
 * Stores what was counted, and how the amendment now ends; a revert tells its target when, or that it does not. Only a
 * write that changes how anything ends is a turn.
 */
async function counted({ tx, row, ts }: Act, by: string, standing: Standing): Promise<Recorded['amendment']> {
  const turn = { turned_at: ts, turned_by: by };
  const columns = columnsOf(standing);
  const isTurn = columns.outcome !== row.outcome || columns.closes_at !== row.closes_at;
  const change: AmendmentChange = { ...columns, ...(isTurn ? turn : {}) };
  await updateAmendment(tx, row.id, change);
  if (row.kind === 'revert') {
    const target = await amendmentById(tx, row.subject!);
    const reverted_at = columns.outcome === 'ratified' ? columns.closes_at : null;
    if (target && target.reverted_at !== reverted_at) await updateAmendment(tx, target.id, { reverted_at, ...turn });
  }
  return amendmentOf({ ...row, ...change }, tx.now);
}

async function tell({ tx, row, ts, body }: Act, verb: string, more: Record<string, unknown>): Promise<void> {
  const data = { amendmentKind: row.kind, title: titleOf(proposedIn(row)), ...more };
  await tx.appendEvent(ts, researchEvent('amendment', verb, { objectId: row.id, agentName: body.agentName, data }));
}
