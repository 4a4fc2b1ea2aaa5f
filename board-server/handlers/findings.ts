import { FINDING_STATUSES } from '../../contract/ids.ts';
import { FINDING_REPLY_MAX_ITEMS, LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits.ts';
import { type FINDING_OPERATIONS, submitFinding, withdrawFinding } from '../../contract/operations/findings.ts';
import { FINDING_STATUS_MEANING } from '../../contract/protocol.ts';
import type { CreatedFinding, FindingBody } from '../../contract/schemas/finding.ts';
import { contentHash, isToken, sha256 } from '../../server-kit/hashing.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { isObjective, isQuestion } from '../catalogue.ts';
import { excerpt } from '../excerpt.ts';
import { HOW_TO_SUBMIT, howToReview, isFindingStatus } from '../finding-guide.ts';
import { AGENT_TEXT_HONESTY } from '../honesty.ts';
import { lineageOf } from '../lineage.ts';
import { appliedOf, pageOf, shown } from '../pagination.ts';
import { rigorOf } from '../rigor.ts';
import type { BoardServices } from '../services.ts';
import type { BoardTransaction } from '../store/board.ts';
import {
  findingByContent,
  findingById,
  findingCount,
  findingPage,
  insertFinding,
  presentFinding,
  presentFindings,
  setWithdrawn,
} from '../store/finding-store.ts';
import { linksOf } from '../store/link-store.ts';
import { reviewsOf } from '../store/review-store.ts';
import { type FindingRow, seqOf } from '../store/tables.ts';
import { addressHash, readOr, type WriteOutcome, writeOnce } from '../write.ts';

type FindingHandlers = Handlers<typeof FINDING_OPERATIONS, BoardServices>;

export const findingHandlers: FindingHandlers = {
  findings: ({ query }, context, { board }, fail) => {
    const { limit, offset, cursor, status: asked, ...filter } = query;
    const status =
      asked === undefined || isFindingStatus(asked)
        ? asked
        : fail('invalid_status', { parameter: 'status', expected: `one of ${FINDING_STATUSES.join(', ')}` });
    const faults = parameterFaults(filter.objectiveId, filter.questionId);
    if (faults[0]) {
      const { parameter, expected } = faults[0];
      const message = `The parameter ${parameter} is not usable: expected ${expected}.`;
      const issues = faults.map((fault) => ({ path: fault.parameter, message: `expected ${fault.expected}` }));
      fail('INVALID_PARAM', { message, parameter, expected, issues });
    }
    const matched = { ...filter, status };
    const page = pageOf('findings', matched, { limit, offset, cursor }, fail);
    return readOr('FINDINGS_UNAVAILABLE', () =>
      board.read.transaction().execute(async (db) => {
        const total = await findingCount(db, matched);
        const { rows, pagination } = shown(page, await findingPage(db, matched, page.range), total, seqOf);
        const findings = await presentFindings(db, rows);
        return {
          data: {
            howToSubmit: HOW_TO_SUBMIT,
            howToReview: howToReview(findings),
            statusMeaning: FINDING_STATUS_MEANING,
            findings,
          },
          meta: { ...appliedOf(context), pagination, honesty: AGENT_TEXT_HONESTY },
        };
      }),
    );
  },

  'finding-submit': async ({ body }, context, services, fail) => {
    const reply = await writeOnce(services, submitFinding, context, fail, 'SUBMISSION_FAILED', (tx) =>
      submit(tx, body, addressHash(services, context)),
    );
    return { ...reply, meta: { ...reply.meta, honesty: AGENT_TEXT_HONESTY } };
  },

  finding: ({ params, query }, context, { board }, fail) =>
    readOr('FINDING_UNAVAILABLE', () =>
      board.read.transaction().execute(async (db) => {
        const row = (await findingById(db, params.id)) ?? fail('finding_not_found');
        const limit = FINDING_REPLY_MAX_ITEMS;
        const reviews = await reviewsOf(db, row.id, { limit, offset: query.reviewsOffset });
        const { links, total } = await linksOf(db, row.id, { limit, offset: query.linksOffset });
        const reviewsTotal = row.corroborations + row.disputes + row.extensions;
        return {
          data: { ...(await presentFinding(db, row)), reviews, reviewsTotal, links, linksTotal: total },
          meta: { filters: context.applied, honesty: AGENT_TEXT_HONESTY },
        };
      }),
    ),

  'finding-withdraw': async ({ params, body }, context, services, fail) => {
    const token = context.header('x-withdraw-token')?.trim() || body.withdrawToken || fail('MISSING_WITHDRAW_TOKEN');
    const reply = await writeOnce(services, withdrawFinding, context, fail, 'WITHDRAW_FAILED', async (tx) => {
      const row = (await findingById(tx.db, params.id)) ?? fail('FINDING_NOT_FOUND');
      if (!isToken(token, row.token_hash)) fail('BAD_WITHDRAW_TOKEN');
      const ts = tx.nextTime();
      if (!(await setWithdrawn(tx.db, row.id, ts))) fail('FINDING_WITHDRAWN');
      await tx.appendEvent(ts, {
        kind: 'finding',
        action: 'withdrawn',
        objectId: row.id,
        agentName: row.agent_name,
        data: eventData({ ...row, status: 'withdrawn' }),
        webhookEvent: null,
      });
      const withdrawn = await findingById(tx.db, row.id);
      return { created: false, data: await presentFinding(tx.db, withdrawn!) };
    });
    return { ...reply, meta: { ...reply.meta, honesty: AGENT_TEXT_HONESTY } };
  },

  'finding-lineage': ({ params, query }, context, { board }, fail) =>
    readOr('LINKS_UNAVAILABLE', () =>
      board.read.transaction().execute(async (db) => {
        const row = (await findingById(db, params.id)) ?? fail('FINDING_NOT_FOUND');
        return {
          data: await lineageOf(db, row.id, query.depth),
          meta: { filters: context.applied, honesty: AGENT_TEXT_HONESTY },
        };
      }),
    ),
};

/** Parameters of the list that are well formed but name nothing. */
function parameterFaults(objectiveId?: string, questionId?: string) {
  const faults: { parameter: string; expected: string }[] = [];
  if (objectiveId !== undefined && !isObjective(objectiveId)) {
    faults.push({ parameter: 'objectiveId', expected: 'the id of an objective' });
  }
  if (questionId !== undefined && !isQuestion(questionId)) {
    faults.push({ parameter: 'questionId', expected: 'the id of an open question' });
  }
  return faults;
}

/** Stores a finding with its event, or gives the one that says exactly the same, without its token. */
async function submit(tx: BoardTransaction, body: FindingBody, address: string): Promise<WriteOutcome<CreatedFinding>> {
  const content = {
    objectiveId: body.objectiveId ?? null,
    questionId: body.questionId ?? null,
    title: body.title,
    claim: body.claim,
    method: body.method,
    falsification: body.falsification,
    endpointsUsed: [...new Set(body.endpointsUsed)],
    agentName: body.agentName,
    agentContact: body.agentContact ?? null,
    artifactUrl: body.artifactUrl ?? null,
  };
  const content_hash = contentHash('finding', content);
  const same = await findingByContent(tx.db, content_hash);
  if (same) {
    const finding = await presentFinding(tx.db, same);
    return { created: false, data: { ...finding, withdrawToken: null, rigor: rigorOf(finding) } };
  }
  const ts = tx.nextTime();
  const withdrawToken = tx.newToken();
  const row: FindingRow = {
    id: tx.newId('fnd', ts),
    seq: ts,
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
    address_hash: address,
    created_at: ts,
    updated_at: ts,
    withdrawn_at: null,
  };
  await insertFinding(tx.db, row);
  await tx.appendEvent(ts, {
    kind: 'finding',
    action: 'created',
    objectId: row.id,
    agentName: row.agent_name,
    data: eventData(row),
    webhookEvent: 'finding.created',
  });
  const finding = await presentFinding(tx.db, row);
  return { created: true, data: { ...finding, withdrawToken, rigor: rigorOf(finding) } };
}

function eventData(row: FindingRow): Record<string, unknown> {
  return {
    title: excerpt(row.title, LINE_EXCERPT_MAX_CHARACTERS),
    status: row.status,
    objectiveId: row.objective_id,
    questionId: row.question_id,
  };
}
