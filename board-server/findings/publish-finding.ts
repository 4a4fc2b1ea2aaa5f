import { endpointsNamed } from '../../contract/endpoint-names.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits.ts';
import type { CreatedFinding, FindingBody } from '../../contract/schemas/finding.ts';
import type { ReceiptOutcome } from '../../contract/schemas/receipt.ts';
import { contentHash, sha256 } from '../../server-kit/hashing.ts';
import { excerpt } from '../kit/excerpt.ts';
import type { Caller, WriteOutcome } from '../kit/write.ts';
import type { Transaction } from '../store/transaction.ts';
import { presentFinding } from './finding-store.ts';
import { citedIn, storeCited } from './receipts.ts';
import { rigorOf } from './rigor.ts';
import type { FindingRow } from './tables.ts';

/** Stores a finding with its event, or gives the one that says exactly the same, without its token. */
export async function publishFinding(
  tx: Transaction,
  body: FindingBody,
  caller: Caller,
  outcomes: readonly ReceiptOutcome[] = [],
): Promise<WriteOutcome<CreatedFinding>> {
  const { ids, meant } = endpointsNamed(body.endpointsUsed);
  const said = Object.keys(meant).length > 0 && { endpointsMeant: meant };
  const receipts = citedIn(body.receipts);
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
    // Left out without any, so that a finding from before there were receipts has the hash that it had.
    ...(receipts.length > 0 && { receipts }),
  };
  const content_hash = contentHash('finding', content);
  const same = await tx.byContent('findings', content_hash);
  if (same) {
    const finding = await presentFinding(tx, same);
    return { created: false, data: { ...finding, withdrawToken: null, rigor: rigorOf(finding), ...said } };
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
    subject:
      row.question_id === null
        ? { type: 'objective', id: row.objective_id! }
        : { type: 'question', id: row.question_id },
    text: `finding published: ${row.title}`,
    data: { ...findingEventData(row), ...(receipts.length > 0 && { receipts }) },
    webhookEvent: 'finding.created',
  });
  const finding = await presentFinding(tx, row);
  return { created: true, data: { ...finding, withdrawToken, rigor: rigorOf(finding), ...said } };
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
