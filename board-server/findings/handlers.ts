import { PROTOCOL } from '../../contract/declared/protocol.ts';
import { FINDING_STATUSES } from '../../contract/ids.ts';
import { FINDING_REPLY_MAX_ITEMS } from '../../contract/limits/limits.ts';
import { type FINDING_OPERATIONS, submitFinding, withdrawFinding } from '../../contract/operations/board/findings.ts';
import { isToken } from '../../server-kit/hashing.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { refuseIssues } from '../declared-work/checks.ts';
import { filterRefusal, standingWork, unknownFilter, unknownWork } from '../declared-work/declared-work.ts';
import { AGENT_TEXT_HONESTY as honesty } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, groupHash, readTogether, writeOnce } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import { findingCount, findingPage, presentFinding, presentFindings, setWithdrawn } from './finding-store.ts';
import { HOW_TO_SUBMIT, howToReview, isFindingStatus } from './guide.ts';
import { lineageOf } from './lineage.ts';
import { linksOf } from './link-store.ts';
import { findingEventData, publishFinding } from './publish-finding.ts';
import { outcomesOf, receiptIssues } from './receipts.ts';
import { reviewsOf } from './review-store.ts';

type FindingHandlers = Handlers<typeof FINDING_OPERATIONS, BoardServices>;

export const findingHandlers: FindingHandlers = {
  findings: ({ query }, context, { board, independence }, fail) => {
    const { limit, offset, cursor, status: asked, ...filter } = query;
    const status =
      asked === undefined || isFindingStatus(asked)
        ? asked
        : fail('invalid_status', { parameter: 'status', expected: `one of ${FINDING_STATUSES.join(', ')}` });
    const matched = { ...filter, status };
    const page = pageOf('findings', matched, { limit, offset, cursor }, fail);
    return readTogether(board, 'FINDINGS_UNAVAILABLE', async (db) => {
      const refusal = filterRefusal(unknownFilter(await standingWork(db, toMicros(context.now)), filter));
      if (refusal) fail('INVALID_PARAM', refusal);
      const total = await findingCount(db, matched);
      const { rows, pagination } = shown(page, await findingPage(db, matched, page.range), total);
      const findings = await presentFindings(db, rows);
      return {
        data: {
          howToSubmit: HOW_TO_SUBMIT,
          howToReview: howToReview(findings, independence),
          statusMeaning: PROTOCOL.finding.states,
          findings,
        },
        meta: { ...appliedOf(context), pagination, honesty },
      };
    });
  },

  'finding-submit': ({ body }, context, services, fail) =>
    writeOnce(services, submitFinding, context, fail, { unavailable: 'SUBMISSION_FAILED', honesty }, async (tx) => {
      const issues = [...unknownWork(await standingWork(tx, tx.now), body), ...receiptIssues(body.receipts)];
      refuseIssues(issues, fail);
      const caller = { address: addressHash(services, context), group: groupHash(services, context) };
      return publishFinding(tx, body, caller, outcomesOf(context));
    }),

  finding: ({ params, query }, context, { board }, fail) =>
    readTogether(board, 'FINDING_UNAVAILABLE', async (db) => {
      const row = (await db.byId('findings', params.id)) ?? fail('finding_not_found');
      const limit = FINDING_REPLY_MAX_ITEMS;
      const reviews = await reviewsOf(db, row.id, { limit, offset: query.reviewsOffset });
      const { links, total } = await linksOf(db, row.id, { limit, offset: query.linksOffset });
      const reviewsTotal = row.corroborations + row.disputes + row.extensions;
      return {
        data: { ...(await presentFinding(db, row)), reviews, reviewsTotal, links, linksTotal: total },
        meta: { filters: context.applied, honesty },
      };
    }),

  'finding-withdraw': async ({ params, body }, context, services, fail) => {
    const token = context.header('x-withdraw-token')?.trim() || body.withdrawToken || fail('MISSING_WITHDRAW_TOKEN');
    const terms = { unavailable: 'WITHDRAW_FAILED', honesty } as const;
    return writeOnce(services, withdrawFinding, context, fail, terms, async (tx) => {
      const row = (await tx.byId('findings', params.id)) ?? fail('FINDING_NOT_FOUND');
      if (!isToken(token, row.token_hash)) fail('BAD_WITHDRAW_TOKEN');
      const ts = tx.nextTime();
      if (!(await setWithdrawn(tx, row.id, ts))) fail('FINDING_WITHDRAWN');
      await tx.appendEvent(ts, {
        about: 'withdrawal',
        action: 'withdrawn',
        objectId: row.id,
        agentName: row.agent_name,
        subject: { type: 'finding', id: row.id },
        text: `finding withdrawn: ${row.title}`,
        data: findingEventData({ ...row, status: 'withdrawn' }),
        webhookEvent: null,
      });
      const withdrawn = await tx.byId('findings', row.id);
      return { created: false, data: await presentFinding(tx, withdrawn!) };
    });
  },

  'finding-lineage': ({ params, query }, context, { board }, fail) =>
    readTogether(board, 'LINKS_UNAVAILABLE', async (db) => {
      const row = (await db.byId('findings', params.id)) ?? fail('FINDING_NOT_FOUND');
      return {
        data: await lineageOf(db, row.id, query.depth),
        meta: { filters: context.applied, honesty },
      };
    }),
};
