import { endpointsNamed } from '../../contract/interfaces/endpoint-names.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import type { CreatedFinding, FindingBody } from '../../contract/schemas/board/finding.ts';
import type { ReceiptOutcome } from '../../contract/schemas/trials/receipt.ts';
import { contentHash, sha256 } from '../../server-kit/hashing.ts';
import { excerpt } from '../kit/excerpt.ts';
import type { Caller, WriteOutcome } from '../kit/write.ts';
import type { Transaction } from '../store/transaction.ts';
import { presentFinding } from './finding-store.ts';
import { citedIn, storeCited, warningOf } from './receipts.ts';
import { rigorOf } from './rigor.ts';
import type { FindingRow } from './tables.ts';

const NOT_ADDED =
  'This finding was published before, and the receipts sent now were not added to it: cite them in a review of it, or withdraw it and publish it in other words.';

/**
 * Stores a finding with its event, or gives the one that says exactly the same, without its token. Receipts are no part of what it says:
 * with others it would be the same claim twice.
 */
export async function publishFinding(
  tx: Transaction,
  body: FindingBody,
  caller: Caller,
  outcomes: readonly ReceiptOutcome[] = [],
): Promise<WriteOutcome<CreatedFinding>> {
  const receipts = citedIn(body.receipts);
  const { ids, meant } = endpointsNamed(body.endpointsUsed);
  const said = Object.keys(meant).length > 0 && { endpointsMeant: meant };
  const content = {
    objectiveId: body.objectiveId ?? null,
    questionId: body.questionId ?? null,
    title: body.title,
    claim: body.claim,
    method: body.method,
    falsification: body.falsification,
    endpointsUsed: ids,
    agentName: body.agentName,
    agentContact: body.agentContact ?? null,
    artifactUrl: body.artifactUrl ?? null,
  };
  const content_hash = contentHash('finding', content);
  const same = await tx.byContent('findings', content_hash);
  if (same) {
    const finding = await presentFinding(tx, same);
    const lacking = receipts.some((one) => !finding.receipts?.some(({ receipt }) => receipt === one));
    const warned = lacking && { warning: NOT_ADDED };
    return { created: false, data: { ...finding, withdrawToken: null, rigor: rigorOf(finding), ...said, ...warned } };
  }
  const ts = tx.nextTime();
  const withdrawToken = tx.newToken();
  const row: FindingRow = {
    ...tx.newRow('fnd', ts, caller.address),
    group_hash: caller.group,
    objective_id: content.objectiveId,
    question_id: content.questionId,
    title: content.title,
    claim: content.claim,
    method: content.method,
    falsification: content.falsification,
    endpoints_used: JSON.stringify(content.endpointsUsed),
    agent_name: content.agentName,
    agent_contact: content.agentContact,
    artifact_url: content.artifactUrl,
    content_hash,
    status: 'received',
    corroborations: 0,
    disputes: 0,
    extensions: 0,
    token_hash: sha256(withdrawToken),
    updated_at: ts,
    withdrawn_at: null,
  };
  await tx.insert('findings', row);
  await storeCited(tx, { id: row.id, receipts }, outcomes);
  await tx.appendEvent(ts, {
    about: 'finding',
    action: 'created',
    objectId: row.id,
    agentName: row.agent_name,
    subject: subjectOf(row),
    text: `finding published: ${row.title}`,
    data: { ...findingEventData(row), ...(receipts.length > 0 && { receipts }) },
    webhookEvent: 'finding.created',
  });
  const finding = await presentFinding(tx, row);
  const warning = warningOf(finding.receipts);
  const warned = warning !== null && { warning };
  return { created: true, data: { ...finding, withdrawToken, rigor: rigorOf(finding), ...said, ...warned } };
}

function subjectOf({ objective_id, question_id }: FindingRow) {
  return question_id === null
    ? ({ type: 'objective', id: objective_id! } as const)
    : ({ type: 'question', id: question_id } as const);
}

/** What the feed says of a finding. */
export function findingEventData(row: FindingRow): Record<string, unknown> {
  return {
    title: excerpt(row.title, LINE_EXCERPT_MAX_CHARACTERS),
    status: row.status,
    objectiveId: row.objective_id,
    questionId: row.question_id,
  };
}
