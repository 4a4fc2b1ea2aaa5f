import { PROTOCOL } from '../../contract/declared/protocol.ts';
import { CLAIM_STATES, type ClaimState } from '../../contract/ids.ts';
import { LINE_EXCERPT_MAX_CHARACTERS } from '../../contract/limits/limits.ts';
import {
  actOnClaim,
  type CLAIM_OPERATIONS,
  createClaim,
  releaseClaim,
} from '../../contract/operations/board/claims.ts';
import {
  type ClaimBody,
  type ClaimRecord,
  type CreatedClaim,
  OTHER_CLAIMS_COUNTED_MAX_ITEMS,
  OTHER_CLAIMS_SHOWN_MAX_ITEMS,
} from '../../contract/schemas/board/claim.ts';
import { contentHash, isToken, sha256 } from '../../server-kit/hashing.ts';
import type { Fail, Handlers, RequestContext } from '../../server-kit/mount.ts';
import { issuesInWords } from '../declared-work/checks.ts';
import { filterRefusal, standingWork, unknownFilter, unknownWork } from '../declared-work/declared-work.ts';
import { excerpt } from '../kit/excerpt.ts';
import { AGENT_TEXT_HONESTY, CLAIM_HONESTY } from '../kit/honesty.ts';
import { appliedOf, pageOf, shown } from '../kit/pagination.ts';
import type { BoardServices } from '../kit/services.ts';
import { addressHash, readTogether, storeOr, type WriteOutcome, writeOnce } from '../kit/write.ts';
import { toMicros } from '../store/instants.ts';
import type { Transaction } from '../store/transaction.ts';
import {
  claimCount,
  claimOf,
  claimPage,
  deliverClaim,
  type Hold,
  insertClaim,
  LEASE_MICROS,
  type LiveClaim,
  liveOnObjective,
  liveOnQuestion,
  liveTwin,
  renewClaim,
  stateAt,
  releaseClaim as storeRelease,
} from './claim-store.ts';
import { HOW_TO_CLAIM } from './guide.ts';
import type { ClaimRow } from './tables.ts';

const honesty = [...CLAIM_HONESTY, ...AGENT_TEXT_HONESTY];

type ClaimHandlers = Handlers<typeof CLAIM_OPERATIONS, BoardServices>;

export const claimHandlers: ClaimHandlers = {
  'claims-list': ({ query }, context, { board }, fail) => {
    const { limit, offset, cursor, ...filter } = query;
    const state =
      CLAIM_STATES.find((known) => known === (filter.state ?? 'active')) ??
      fail('invalid_state', { parameter: 'state', expected: `one of ${CLAIM_STATES.join(', ')}` });
    const now = toMicros(context.now);
    const matched = { ...filter, state };
    const page = pageOf('claims-list', matched, { limit, offset, cursor }, fail);
    const { filters, ...others } = appliedOf(context);
    return readTogether(board, 'CLAIMS_UNAVAILABLE', async (db) => {
      const refusal = filterRefusal(unknownFilter(await standingWork(db, now), filter));
      if (refusal) fail('INVALID_PARAM', refusal);
      const total = await claimCount(db, matched, now);
      const { rows, pagination } = shown(page, await claimPage(db, matched, now, page.range), total);
      return {
        data: {
          howToClaim: HOW_TO_CLAIM,
          stateMeaning: PROTOCOL.claim.states,
          claims: rows.map((row) => claimOf(row, now)),
        },
        meta: {
          ...others,
          filters: { ...filters, state },
          pagination,
          honesty,
        },
      };
    });
  },

  'claims-create': async ({ body }, context, services, fail) => {
    const terms = { unavailable: 'CLAIM_FAILED', honesty } as const;
    const reply = await writeOnce(services, createClaim, context, fail, terms, async (tx) => {
      const { scope, intent, agentName, objectiveId = null, questionId = null } = body;
      const hash = contentHash('claim', { objectiveId, questionId, scope, intent, agentName });
      const [standing, twin, live] = await Promise.all([
        standingWork(tx, tx.now),
        liveTwin(tx, hash, tx.now),
        liveClaims(tx, { objectiveId, questionId }),
      ]);
      const issues = unknownWork(standing, body);
      if (issues.length > 0) fail('claim_rejected', { message: issuesInWords(issues), issues });
      if (twin) return { created: false, data: { ...claimOf(twin, tx.now), otherLiveClaims: others(live, twin.id) } };
      return announce(tx, body, hash, addressHash(services, context), live);
    });
    const duplicate = 'releaseToken' in reply.data ? {} : { duplicate: true };
    return { ...reply, meta: { ...reply.meta, ...duplicate } };
  },

  'claims-detail': ({ params }, context, { board }, fail) =>
    storeOr('CLAIM_UNAVAILABLE', async () => {
      const row = (await board.read.byId('claims', params.id)) ?? fail('CLAIM_NOT_FOUND');
      return { data: claimOf(row, toMicros(context.now)), meta: { honesty } };
    }),

  'claims-action': async ({ params, body }, context, services, fail) => {
    const token = tokenOf(context, body.releaseToken);
    const terms = { unavailable: 'CLAIM_ACTION_FAILED', honesty } as const;
    return writeOnce(services, actOnClaim, context, fail, terms, async (tx) => {
      const hold = holdOf(tx, params.id, token);
      if (body.action === 'deliver') return deliver(tx, hold, token, body.findingId, fail);
      const renewed = await renewClaim(tx, hold);
      if (renewed) return happened(tx, hold, renewed, 'renewed');
      await refuseOthers(tx, hold, token, fail);
      return fail('MAX_RENEWALS_REACHED');
    });
  },

  'claims-release': async ({ params, body }, context, services, fail) => {
    const token = tokenOf(context, body.releaseToken);
    return writeOnce(services, releaseClaim, context, fail, { unavailable: 'RELEASE_FAILED', honesty }, async (tx) => {
      const hold = holdOf(tx, params.id, token);
      const released = await storeRelease(tx, hold);
      if (released) return happened(tx, hold, released, 'released');
      await refuseOthers(tx, hold, token, fail);
      return fail('CLAIM_NOT_ACTIVE');
    });
  },
};

async function announce(
  tx: Transaction,
  body: ClaimBody,
  hash: string,
  address: string,
  live: readonly LiveClaim[],
): Promise<WriteOutcome<CreatedClaim>> {
  const { scope, intent, agentName, objectiveId = null, questionId = null, agentContact = null } = body;
  const ts = tx.nextTime();
  const releaseToken = tx.newToken();
  const row: ClaimRow = {
    ...tx.newRow('clm', ts, address),
    objective_id: objectiveId,
    question_id: questionId,
    scope,
    intent,
    agent_name: agentName,
    agent_contact: agentContact,
    content_hash: hash,
    state: 'active',
    lease_until: tx.now + LEASE_MICROS,
    renewals: 0,
    finding_id: null,
    token_hash: sha256(releaseToken),
    updated_at: ts,
  };
  await insertClaim(tx, row);
  await tell(tx, ts, row, 'created');
  const data = { ...claimOf(row, tx.now), releaseToken, otherLiveClaims: others(live, row.id) };
  return { created: true, data };
}

/** The first live claims on an objective and a question, latest end of lease first. */
async function liveClaims(
  tx: Transaction,
  { objectiveId, questionId }: { objectiveId: string | null; questionId: string | null },
): Promise<LiveClaim[]> {
  // One for the claim itself, one to see whether there are more.
  const limit = OTHER_CLAIMS_COUNTED_MAX_ITEMS + 2;
  const found = await Promise.all([
    objectiveId === null ? [] : liveOnObjective(tx, objectiveId, tx.now, limit),
    questionId === null ? [] : liveOnQuestion(tx, questionId, tx.now, limit),
  ]);
  return found.flat().sort((a, b) => b.lease_until - a.lease_until || (a.id < b.id ? 1 : -1));
}

function others(live: readonly LiveClaim[], own: string): CreatedClaim['otherLiveClaims'] {
  const ids = [...new Set(live.map(({ id }) => id))].filter((id) => id !== own);
  return {
    count: Math.min(ids.length, OTHER_CLAIMS_COUNTED_MAX_ITEMS),
    more: ids.length > OTHER_CLAIMS_COUNTED_MAX_ITEMS,
    ids: ids.slice(0, OTHER_CLAIMS_SHOWN_MAX_ITEMS),
  };
}

/** The token as sent; empty where none was. */
function tokenOf(context: RequestContext, inBody: string | undefined): string {
  return context.header('x-release-token')?.trim() || inBody || '';
}

function holdOf(tx: Transaction, id: string, token: string): Hold {
  return { id, tokenHash: sha256(token), now: tx.now, ts: tx.nextTime() };
}

async function deliver(
  tx: Transaction,
  hold: Hold,
  token: string,
  findingId: string | undefined,
  fail: Fail<
    | 'CLAIM_NOT_FOUND'
    | 'BAD_RELEASE_TOKEN'
    | 'CLAIM_NOT_ACTIVE'
    | 'FINDING_ID_REQUIRED'
    | 'FINDING_NOT_FOUND'
    | 'FINDING_WITHDRAWN'
  >,
): Promise<WriteOutcome<ClaimRecord>> {
  const finding = findingId ? ((await tx.byId('findings', findingId)) ?? null) : null;
  if (finding && finding.status !== 'withdrawn') {
    const delivered = await deliverClaim(tx, hold, finding.id);
    if (delivered) return happened(tx, hold, delivered, 'delivered');
  }
  await refuseOthers(tx, hold, token, fail);
  if (!findingId) return fail('FINDING_ID_REQUIRED');
  if (!finding) return fail('FINDING_NOT_FOUND');
  return fail('FINDING_WITHDRAWN', {
    message: 'The finding was withdrawn by its author; a claim cannot be delivered with it.',
  });
}

/**
 * Called after a write that changed nothing: fails with the first reason that lies in the claim or its token, if any.
 */
async function refuseOthers(
  tx: Transaction,
  { id, now }: Hold,
  token: string,
  fail: Fail<'CLAIM_NOT_FOUND' | 'BAD_RELEASE_TOKEN' | 'CLAIM_NOT_ACTIVE'>,
): Promise<void> {
  const row = (await tx.byId('claims', id)) ?? fail('CLAIM_NOT_FOUND');
  if (!isToken(token, row.token_hash)) fail('BAD_RELEASE_TOKEN');
  const state: ClaimState = stateAt(row, now);
  if (state !== 'active')
    fail('CLAIM_NOT_ACTIVE', { message: `The claim is ${state}; only an active one can be changed.` });
}

async function happened(
  tx: Transaction,
  { ts }: Hold,
  row: ClaimRow,
  action: 'renewed' | 'delivered' | 'released',
): Promise<WriteOutcome<ClaimRecord>> {
  await tell(tx, ts, row, action);
  return { created: false, data: claimOf(row, tx.now) };
}

async function tell(
  tx: Transaction,
  ts: number,
  row: ClaimRow,
  action: 'created' | 'renewed' | 'delivered' | 'released',
): Promise<void> {
  const { state, objectiveId, questionId, leaseExpiresAt, findingId, agentName } = claimOf(row, tx.now);
  await tx.appendEvent(ts, {
    about: 'claim',
    action,
    objectId: row.id,
    agentName,
    subject: questionId === null ? { type: 'objective', id: objectiveId! } : { type: 'question', id: questionId },
    text: `claim ${action}: ${row.scope}`,
    data: {
      objectiveId,
      questionId,
      scope: excerpt(row.scope, LINE_EXCERPT_MAX_CHARACTERS),
      state,
      leaseExpiresAt,
      findingId,
    },
    webhookEvent: `claim.${action}`,
  });
}
