import { CLAIM, MESSAGE } from '../../support/board/board-writes.ts';
import { FINDING, REVIEW } from '../../support/board/findings.ts';
import type { ErrorTable } from '../table.ts';

/** Claims, messages, findings, reviews and links. */

const CLAIMS = '/api/v1/claims';
const RENEW = { action: 'renew' };
const holder = (claim: string, token: string) => ({
  path: `${CLAIMS}/{${claim}}`,
  headers: { 'x-release-token': `{${token}}` },
});
const deliver = (findingId?: unknown) => ({ body: { action: 'deliver', findingId } });

const CLAIM_ERRORS: ErrorTable = {
  'claims-list': {
    INVALID_PARAM: [
      { path: `${CLAIMS}?limit=101`, parameter: 'limit' },
      { path: `${CLAIMS}?offset=100001`, parameter: 'offset' },
      { path: `${CLAIMS}?scope=ab`, parameter: 'scope' },
      { path: `${CLAIMS}?objectiveId=nope`, parameter: 'objectiveId' },
      { path: `${CLAIMS}?trialId=NCT00000013,,`, parameter: 'trialId' },
      { path: `${CLAIMS}?q=%22%20-%20*`, parameter: 'q' },
    ],
    invalid_state: { path: `${CLAIMS}?state=open`, parameter: 'state' },
  },
  'claims-create': {
    usual: { body: CLAIM },
    claim_rejected: [
      {
        body: { scope: ' ab ', intent: 'x'.repeat(39), agentName: 7 },
        issues: ['scope', 'intent', 'agentName', 'objectiveId'],
      },
      { body: { ...CLAIM, objectiveId: 'nope', questionId: '' }, issues: ['objectiveId', 'questionId'] },
    ],
  },
  'claims-detail': { usual: { path: `${CLAIMS}/{claim}` }, CLAIM_NOT_FOUND: { path: `${CLAIMS}/clm_none` } },
  'claims-action': {
    usual: { ...holder('claim', 'releaseToken'), body: RENEW },
    // Where several are wrong, the claim comes first, then its token, its state, its finding.
    CLAIM_NOT_FOUND: { path: `${CLAIMS}/clm_none`, headers: {}, ...deliver() },
    BAD_RELEASE_TOKEN: [
      { headers: {} },
      { headers: { 'x-release-token': '{endingToken}' }, ...deliver() },
      { ...holder('releasedClaim', 'releaseToken') },
      // The header is read first.
      { body: { ...RENEW, releaseToken: '{releaseToken}' }, headers: { 'x-release-token': 'x' } },
      ...['', 'wrong', 7, null].map((releaseToken) => ({ headers: {}, body: { ...RENEW, releaseToken } })),
    ],
    CLAIM_NOT_ACTIVE: { ...holder('releasedClaim', 'releasedToken'), ...deliver() },
    UNKNOWN_ACTION: { body: { action: 'release' } },
    MAX_RENEWALS_REACHED: holder('renewedClaim', 'renewedToken'),
    FINDING_ID_REQUIRED: [deliver(), deliver(5)],
    FINDING_NOT_FOUND: deliver('fnd_none'),
    FINDING_WITHDRAWN: deliver('{withdrawn}'),
  },
  'claims-release': {
    usual: { ...holder('endingClaim', 'endingToken'), body: {} },
    CLAIM_NOT_FOUND: { path: `${CLAIMS}/clm_none` },
    BAD_RELEASE_TOKEN: [{ headers: {} }, { headers: {}, body: { releaseToken: 7 } }],
    CLAIM_NOT_ACTIVE: holder('releasedClaim', 'releasedToken'),
  },
};

const THREADS = '/api/v1/threads';
const THREAD_ERRORS: ErrorTable = {
  'threads-list': {
    INVALID_PARAM: [
      { path: `${THREADS}?view=newest`, parameter: 'view' },
      { path: `${THREADS}?subjectId=map-one-disease`, parameter: 'subjectType' },
    ],
    invalid_subject_type: { path: `${THREADS}?subjectType=channel`, parameter: 'subjectType' },
    SUBJECT_NOT_FOUND: { path: `${THREADS}?subjectType=claim&subjectId=clm_none` },
  },
  'threads-post': {
    usual: { body: MESSAGE },
    message_rejected: [
      {
        body: { subjectType: 'channel', body: 'x'.repeat(29), agentName: 'a', kind: 'rant' },
        issues: ['subjectType', 'subjectId', 'body', 'agentName', 'kind'],
      },
      { body: { ...MESSAGE, body: `${'x'.repeat(29)}    ` }, issues: ['body'] },
    ],
    SUBJECT_NOT_FOUND: { body: { ...MESSAGE, subjectId: 'nope' } },
  },
};

const FINDINGS = '/api/v1/findings';
const LINK = { toId: '{otherFinding}', relation: 'extends', note: 'It goes on from there.', agentName: 'ada' };
const NONE = `${FINDINGS}/fnd_none`;

const FINDING_ERRORS: ErrorTable = {
  findings: {
    INVALID_PARAM: [
      {
        path: `${FINDINGS}?objectiveId=x&questionId=y`,
        parameter: 'objectiveId',
        issues: ['objectiveId', 'questionId'],
      },
      { path: `${FINDINGS}?includeWithdrawn=yes`, parameter: 'includeWithdrawn' },
      { path: `${FINDINGS}?limit=0`, parameter: 'limit' },
      { path: `${FINDINGS}?offset=-1`, parameter: 'offset' },
      { path: `${FINDINGS}?cursor=abc`, parameter: 'cursor' },
    ],
    invalid_status: ['verified', '', 'Received', 'received,contested', '%00'].map((status) => ({
      path: `${FINDINGS}?status=${status}`,
    })),
  },
  'finding-submit': {
    usual: { body: FINDING },
    submission_rejected: [
      { body: {}, issues: ['title', 'claim', 'method', 'falsification', 'endpointsUsed', 'agentName', 'objectiveId'] },
      { body: { ...FINDING, objectiveId: null, questionId: null }, issues: ['objectiveId'] },
      { body: { ...FINDING, objectiveId: 'council-000000000000000000' }, issues: ['objectiveId'] },
      { body: { ...FINDING, questionId: 'map-one-disease' }, issues: ['questionId'] },
      { body: { ...FINDING, agentName: 'x'.repeat(121) }, issues: ['agentName'] },
      { body: { ...FINDING, falsification: ' \t\u00a0' }, issues: ['falsification'] },
    ],
  },
  finding: { usual: { path: `${FINDINGS}/{finding}` }, finding_not_found: { path: NONE } },
  'finding-lineage': {
    usual: { path: `${FINDINGS}/{finding}/lineage` },
    INVALID_PARAM: { path: `${FINDINGS}/{finding}/lineage?depth=11`, parameter: 'depth' },
    FINDING_NOT_FOUND: { path: `${NONE}/lineage` },
  },
  'finding-review': {
    usual: { path: `${FINDINGS}/{finding}/review`, body: REVIEW },
    review_rejected: [
      { body: {}, issues: ['verdict', 'note', 'agentName'] },
      { body: { ...REVIEW, note: '𝄞'.repeat(19) }, issues: ['note'] },
      { body: { ...REVIEW, note: `${'x'.repeat(19)}     ` }, issues: ['note'] },
      { body: { ...REVIEW, verdict: 'Corroborates' }, issues: ['verdict'] },
      // The author of the finding.
      { body: { ...REVIEW, agentName: 'ada' }, issues: ['agentName'] },
    ],
    FINDING_NOT_FOUND: { path: `${NONE}/review` },
    FINDING_WITHDRAWN: { path: `${FINDINGS}/{withdrawn}/review` },
    ALREADY_REVIEWED: { path: `${FINDINGS}/{reviewed}/review`, body: { ...REVIEW, verdict: 'disputes' } },
  },
  'finding-link': {
    usual: { path: `${FINDINGS}/{finding}/link`, body: LINK },
    link_rejected: [
      { body: { ...LINK, toId: '{finding}' }, issues: ['toId'] },
      { body: { ...LINK, fromId: '{otherFinding}' }, issues: ['fromId'] },
      { body: { toFindingId: '{otherFinding}', relation: 'is' }, issues: ['toId', 'relation', 'note', 'agentName'] },
    ],
    // The finding that the link leads from is looked up first.
    FROM_FINDING_NOT_FOUND: { path: `${NONE}/link`, body: { ...LINK, toId: 'fnd_neither' } },
    TO_FINDING_NOT_FOUND: { body: { ...LINK, toId: 'fnd_none' } },
    FINDING_WITHDRAWN: [{ body: { ...LINK, toId: '{withdrawn}' } }, { path: `${FINDINGS}/{withdrawn}/link` }],
  },
  'finding-withdraw': {
    usual: { path: `${FINDINGS}/{ownFinding}`, body: {}, headers: { 'x-withdraw-token': '{ownToken}' } },
    INVALID_BODY: [{ body: '{"half":' }, { body: { withdrawToken: 7 }, headers: {}, issues: ['withdrawToken'] }],
    // The token is asked for first, then the finding, then its state.
    MISSING_WITHDRAW_TOKEN: { path: NONE, headers: { 'x-withdraw-token': '' } },
    FINDING_NOT_FOUND: { path: NONE, headers: { 'x-withdraw-token': 'any' } },
    BAD_WITHDRAW_TOKEN: { path: `${FINDINGS}/{withdrawn}`, headers: { 'x-withdraw-token': 'another' } },
    FINDING_WITHDRAWN: { path: `${FINDINGS}/{withdrawn}`, headers: { 'x-withdraw-token': '{withdrawnToken}' } },
  },
  'finding-verification': {
    usual: { path: `${FINDINGS}/{finding}/verification` },
    FINDING_NOT_FOUND: { path: `${NONE}/verification` },
    FINDING_UNAVAILABLE: { on: 'index without a snapshot' },
  },
};

export const WORK_ERRORS: ErrorTable = { ...CLAIM_ERRORS, ...THREAD_ERRORS, ...FINDING_ERRORS };
