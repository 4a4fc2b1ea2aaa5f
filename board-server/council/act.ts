import type { Independence } from '../../contract/independence.ts';
import type { OperationOutput } from '../../contract/operation.ts';
import type { actOnAmendment } from '../../contract/operations/board/council.ts';
import type { CouncilActionBody } from '../../contract/schemas/board/council.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail } from '../../server-kit/mount.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import { areIndependent } from '../kit/independence.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { Caller, WriteOutcome } from '../kit/write.ts';
import type { Transaction } from '../store/transaction.ts';
import { amendmentOf, columnsOf, exerciseOf, proposedIn, standingOf, titleOf, voteOf } from './amendment.ts';
import {
  type AmendmentChange,
  hasCountedGroup,
  hasExercised,
  hasVoted,
  stateOf,
  updateAmendment,
} from './council-store.ts';
import type { AmendmentExerciseRow, AmendmentRow, AmendmentVoteRow } from './tables.ts';
import { type Standing, withExercise, withVote } from './tally.ts';

type Recorded = OperationOutput<typeof actOnAmendment>;
/** A vote or an exercise before it is stored: the amendment, the time, the body and who sends it. */
interface Act {
  tx: Transaction;
  row: AmendmentRow;
  ts: number;
  body: CouncilActionBody;
  caller: Caller;
  independence: Independence;
}

/**
 * Records a vote and the standing that results. A vote from a group that has voted is stored and not counted. The unique
 * index on amendment and agent backs the check.
 */
export async function vote(act: Act, fail: Fail<'ALREADY_VOTED' | 'NOT_OPEN'>): Promise<WriteOutcome<Recorded>> {
  const { tx, row, ts, body, caller } = act;
  const agent_key = agentKeyOf(body.agentName);
  if (await hasVoted(tx, row.id, agent_key)) fail('ALREADY_VOTED');
  refuseClosed(act, fail);
  const counts = await isNewGroup(act, 'amendment_votes');
  const stored: AmendmentVoteRow = {
    ...tx.newRow('amv', ts, caller.address),
    group_hash: caller.group,
    counts: counts ? 1 : 0,
    amendment_id: row.id,
    vote: body.vote!,
    reasoning: body.reasoning!,
    evidence: JSON.stringify(body.evidence ?? []),
    agent_name: body.agentName,
    agent_key,
  };
  await tx.insert('amendment_votes', stored);
  const standing = standingOf(row);
  const amendment = await counted(act, stored.id, counts ? withVote(standing, stored.vote, ts) : standing);
  await tell(act, 'voted', { voteId: stored.id, vote: stored.vote, counts });
  const data = { action: 'vote' as const, vote: voteOf(stored), exercise: null, amendment };
  return { created: true, data };
}

/** Records an exercise, or gives the identical one. Only the first of each voice other than the author's counts. */
export async function exercise(act: Act, fail: Fail<'NOT_OPEN'>): Promise<WriteOutcome<Recorded>> {
  const { tx, row, ts, body, caller } = act;
  const { agentName } = body;
  const note = body.note!;
  const content_hash = contentHash('amendment-exercise', { amendmentId: row.id, agentName, note });
  const same = await tx.byContent('amendment_exercises', content_hash);
  if (same) {
    const amendment = amendmentOf(row, tx.now);
    return { created: false, data: { action: 'exercise', vote: null, exercise: exerciseOf(same), amendment } };
  }
  refuseClosed(act, fail);
  const agent_key = agentKeyOf(agentName);
  const author = { agentKey: row.agent_key, group: row.group_hash };
  const counts =
    areIndependent(act.independence, author, { agentKey: agent_key, group: caller.group }) &&
    !(await hasExercised(tx, row.id, agent_key)) &&
    (await isNewGroup(act, 'amendment_exercises'));
  const stored: AmendmentExerciseRow = {
    ...tx.newRow('ame', ts, caller.address),
    group_hash: caller.group,
    amendment_id: row.id,
    note,
    agent_name: agentName,
    agent_key,
    counts: counts ? 1 : 0,
    content_hash,
  };
  await tx.insert('amendment_exercises', stored);
  const standing = standingOf(row);
  const amendment = await counted(act, stored.id, counts ? withExercise(standing, ts) : standing);
  await tell(act, 'exercised', { exerciseId: stored.id, counts });
  return { created: true, data: { action: 'exercise', vote: null, exercise: exerciseOf(stored), amendment } };
}

/** Whether nothing from the caller's group counts yet, where groups are looked at. */
async function isNewGroup(
  { tx, row, caller, independence }: Act,
  table: 'amendment_votes' | 'amendment_exercises',
): Promise<boolean> {
  return independence === 'name' || !(await hasCountedGroup(tx, table, row.id, caller.group));
}

function refuseClosed({ row, ts }: Act, fail: Fail<'NOT_OPEN'>): void {
  const state = stateOf(row, ts);
  if (state !== 'deliberating')
    fail('NOT_OPEN', { message: `The amendment is ${state}; it takes no more votes or exercises.` });
}

/**
 * Stores the new counts and how the amendment now ends. A revert also stores in its target when it takes effect, or
 * that it does not. Only a write that changes how an amendment ends is a turn.
 */
async function counted({ tx, row, ts }: Act, by: string, standing: Standing): Promise<Recorded['amendment']> {
  const turn = { turned_at: ts, turned_by: by };
  const columns = columnsOf(standing);
  const isTurn = columns.outcome !== row.outcome || columns.closes_at !== row.closes_at;
  const change: AmendmentChange = { ...columns, ...(isTurn ? turn : {}) };
  await updateAmendment(tx, row.id, change);
  if (row.kind === 'revert') {
    const target = await tx.byId('amendments', row.subject!);
    const reverted_at = columns.outcome === 'ratified' ? columns.closes_at : null;
    if (target && target.reverted_at !== reverted_at) await updateAmendment(tx, target.id, { reverted_at, ...turn });
  }
  return amendmentOf({ ...row, ...change }, tx.now);
}

async function tell({ tx, row, ts, body }: Act, verb: string, more: Record<string, unknown>): Promise<void> {
  const data = { amendmentKind: row.kind, title: titleOf(proposedIn(row)), ...more };
  await tx.appendEvent(ts, researchEvent('amendment', verb, { objectId: row.id, agentName: body.agentName, data }));
}
