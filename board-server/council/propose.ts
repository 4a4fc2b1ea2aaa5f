import type { AmendmentKind } from '../../contract/ids.ts';
import type { Amendment, AmendmentBody } from '../../contract/schemas/board/council.ts';
import { PROPOSALS } from '../../contract/schemas/board/council.ts';
import { contentHash } from '../../server-kit/hashing.ts';
import type { Fail } from '../../server-kit/mount.ts';
import { standingWork } from '../declared-work/declared-work.ts';
import { agentKeyOf } from '../kit/agent-key.ts';
import { researchEvent } from '../kit/research-event.ts';
import type { Caller, WriteOutcome } from '../kit/write.ts';
import { patternIssues } from '../ladders/acceptance/patterns.ts';
import { satisfiedRungsOf } from '../ladders/ladder-store.ts';
import { methodBySlug } from '../methods/method-store.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';
import { amendmentOf, openedColumns, type Proposed, subjectOf, titleOf } from './amendment.ts';
import { hasFinding, openRevertOf, stateOf } from './council-store.ts';
import type { AmendmentRow } from './tables.ts';

const MESSAGE_MAX_CHARACTERS = 600;

type Refusals = Fail<'NO_STANDING' | 'NOT_OPEN' | 'submission_rejected'>;

/** Stores an amendment with its event, or gives the one that says exactly the same. `body` names no protected surface. */
export async function propose(
  tx: Transaction,
  body: AmendmentBody,
  caller: Caller,
  fail: Refusals,
): Promise<WriteOutcome<Amendment>> {
  const { agentName, rationale, falsifier } = body;
  const kind = body.kind as AmendmentKind;
  const proposed = { kind, proposal: PROPOSALS[kind].parse(body.proposal) } as Proposed;
  const content_hash = contentHash('amendment', { agentName, ...proposed, rationale, falsifier });
  const same = await tx.byContent('amendments', content_hash);
  if (same) return { created: false, data: amendmentOf(same, tx.now) };
  if (!(await hasStanding(tx, agentName))) fail('NO_STANDING');
  await refuseUnfounded(tx, proposed, fail);
  const ts = tx.nextTime();
  const row: AmendmentRow = {
    ...tx.newRow('amd', ts, caller.address),
    group_hash: caller.group,
    kind,
    proposal: JSON.stringify(proposed.proposal),
    subject: subjectOf(proposed),
    rationale,
    falsifier,
    agent_name: agentName,
    agent_key: agentKeyOf(agentName),
    content_hash,
    ...openedColumns(kind, ts),
  };
  await tx.insert('amendments', row);
  const data = amendmentOf(row, tx.now);
  await tx.appendEvent(
    ts,
    researchEvent('amendment', 'proposed', {
      objectId: row.id,
      agentName,
      data: { amendmentKind: kind, title: titleOf(proposed), adds: data.adds, expiresAt: data.expiresAt },
    }),
  );
  return { created: true, data };
}

async function hasStanding(db: Reader, agentName: string): Promise<boolean> {
  return (await hasFinding(db, agentName)) || (await satisfiedRungsOf(db, agentName)) > 0;
}

/** Refuses a proposal about something that does not exist or cannot be amended so. */
async function refuseUnfounded(tx: Transaction, proposed: Proposed, fail: Refusals): Promise<void> {
  const refuse = (issues: { path: string; message: string }[]): void => {
    const message = issues
      .map(({ path, message: said }) => `${path}: ${said}`)
      .join('; ')
      .slice(0, MESSAGE_MAX_CHARACTERS);
    if (issues.length > 0) fail('submission_rejected', { message, issues });
  };
  switch (proposed.kind) {
    case 'open_question': {
      const { relatedObjective } = proposed.proposal;
      if (relatedObjective === undefined) return;
      const standing = await standingWork(tx, tx.now);
      if (standing.isObjective(relatedObjective)) return;
      const message = 'expected the id of an objective that GET /api/v1/curriculum lists';
      return refuse([{ path: 'proposal.relatedObjective', message }]);
    }
    case 'revert':
      return refuseRevert(tx, proposed.proposal.amendmentId.trim(), fail);
    case 'canonical_method': {
      const method = await methodBySlug(tx, proposed.proposal.slug.trim());
      if (method?.state === 'active') return;
      return refuse([
        { path: 'proposal.slug', message: 'expected the slug of a method card that GET /api/v1/methods lists' },
      ]);
    }
    case 'reality_priority': {
      const request = await tx.byId('reality_requests', proposed.proposal.requestId.trim());
      if (request?.state === 'open') return;
      const message = 'expected the id of an open request that GET /api/v1/reality lists';
      return refuse([{ path: 'proposal.requestId', message }]);
    }
    case 'acceptance_template':
      return refuse(patternIssues(proposed.proposal.rules, 'proposal.rules'));
    default:
      return;
  }
}

/** Refuses a revert whose target is not ratified, is itself a revert, or has another revert that is still open. */
async function refuseRevert(tx: Transaction, targetId: string, fail: Refusals): Promise<void> {
  const refuse = (message: string): never =>
    fail('submission_rejected', {
      message: `proposal.amendmentId: ${message}`,
      issues: [{ path: 'proposal.amendmentId', message }],
    });
  const target =
    (await tx.byId('amendments', targetId)) ?? refuse('expected the id of an amendment that GET /api/v1/council lists');
  if (target.kind === 'revert') refuse('expected an amendment that is not itself a revert');
  const state = stateOf(target, tx.now);
  if (state !== 'ratified')
    fail('NOT_OPEN', { message: `The amendment is ${state}; only a ratified one can be reverted.` });
  const open = await openRevertOf(tx, target.id, tx.now);
  if (open) fail('NOT_OPEN', { message: `A revert of it deliberates already: vote on ${open.id}.` });
}
