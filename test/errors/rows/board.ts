import type { ErrorTable } from '../table.ts';

/** Orientation, the feed, keys, webhooks and agents. */

const KEYS = '/api/v1/keys';
const DEAD = { 'x-api-key': `tbk_${'A'.repeat(43)}` };
const LIVE = { 'x-api-key': '{key}' };
const NO_KEY = { headers: {} };
const LABEL = { label: 'reader' };

const KEY_ERRORS: ErrorTable = {
  'keys-create': {
    usual: { body: LABEL },
    MISSING_LABEL: [{ body: {} }, { body: { label: '  ' } }],
    INVALID_RATE_LIMIT: [119, 1001, 500.5, '500', [500], true].map((rateLimit) => ({ body: { ...LABEL, rateLimit } })),
    INVALID_KEY: { headers: DEAD },
    INVALID_BODY: { body: { label: 7 }, issues: ['label'] },
    // A group of addresses holds five keys at most.
    WRITE_RATE_LIMITED: { after: Array(5).fill({ body: LABEL }) },
  },
  'keys-read': {
    usual: { headers: LIVE },
    INVALID_PARAM: { path: `${KEYS}?id=-`, parameter: 'id' },
    AUTH_REQUIRED: NO_KEY,
    INVALID_KEY: { headers: DEAD },
    FORBIDDEN: { path: `${KEYS}?id={otherKey}` },
  },
  'keys-change': {
    usual: { body: { label: 'renamed' }, headers: LIVE },
    AUTH_REQUIRED: NO_KEY,
    INVALID_KEY: { headers: DEAD },
    FORBIDDEN: { body: { id: '{otherKey}', label: 'x' } },
    NO_UPDATES: { after: [{ body: { label: 'the same' } }], body: { label: 'the same' } },
    MISSING_LABEL: { body: { label: '' } },
    INVALID_RATE_LIMIT: { body: { rateLimit: '200' } },
  },
  'keys-revoke': {
    usual: { headers: { 'x-api-key': '{revokedKey}' } },
    INVALID_PARAM: { path: `${KEYS}?id=`, headers: LIVE, parameter: 'id' },
    AUTH_REQUIRED: NO_KEY,
    INVALID_KEY: { headers: DEAD },
    FORBIDDEN: { path: `${KEYS}?id={otherKey}`, headers: LIVE },
  },
};

const HOOKS = '/api/v1/webhooks';
const HOOK = { path: `${HOOKS}/{hook}`, headers: { 'x-webhook-secret': '{secret}' } };
const URL_BODY = { url: 'https://93.184.215.14/hook' };
const owned = (suffix = '') => ({
  INVALID_PARAM: { path: `${HOOKS}/${'x'.repeat(61)}${suffix}`, parameter: 'id' },
  NOT_FOUND: { path: `${HOOKS}/webhook_unknown${suffix}` },
  AUTH_REQUIRED: NO_KEY,
  FORBIDDEN: { headers: { 'x-webhook-secret': 'whsec_another' } },
});

const HOOK_ERRORS: ErrorTable = {
  'webhooks-create': {
    usual: { body: URL_BODY },
    INVALID_URL: { body: { url: 'http://127.0.0.1/hook' } },
    INVALID_BODY: [{}, { url: 5 }, { ...URL_BODY, events: [] }, { ...URL_BODY, events: ['claim.eaten'] }].map(
      (body) => ({ body }),
    ),
    // An address holds twenty subscriptions at most.
    WRITE_RATE_LIMITED: { after: Array(20).fill({ body: URL_BODY }) },
  },
  'webhooks-read': { usual: HOOK, ...owned() },
  'webhooks-act': {
    usual: { ...HOOK, body: { action: 'ping' } },
    ...owned(),
    INVALID_BODY: { body: { action: 'explode' } },
    INVALID_SINCE: [undefined, 'yesterday', ''].map((since) => ({ body: { action: 'replay', since } })),
    IDEMPOTENCY_KEY_REUSED: [
      { body: { action: 'resume' }, headers: { ...HOOK.headers, 'idempotency-key': 'one-key-for-two' } },
      // The answer to a rotation holds a secret, which the key alone must not give.
      { headers: { 'x-webhook-secret': 'whsec_guess', 'idempotency-key': 'one-key-for-two' } },
    ].map((sent) => ({
      after: [{ body: { action: 'ping' }, headers: { ...HOOK.headers, 'idempotency-key': 'one-key-for-two' } }],
      ...sent,
    })),
  },
  'webhooks-delete': { usual: { ...HOOK, body: {} }, ...owned() },
  'webhooks-deliveries': { usual: { ...HOOK, path: `${HOOK.path}/deliveries` }, ...owned('/deliveries') },
};

const CHANGES = '/api/v1/changes';
const INSTANTS = ['', 'yesterday', '2026-02-30', '2026-11-21T12:00:00%20or%20so', '1795262400000000', 'NaN'];

export const BOARD_ERRORS: ErrorTable = {
  hello: {},
  board: { INVALID_PARAM: { path: '/api/v1/board?limit=51', parameter: 'limit' } },
  assignment: {
    INVALID_PARAM: [
      { path: '/api/v1/assignment?kind=trial', parameter: 'kind' },
      { path: '/api/v1/assignment?level=expert', parameter: 'level' },
    ],
  },
  curriculum: {
    INVALID_PARAM: { path: '/api/v1/curriculum?id=A%20B', parameter: 'id' },
    objective_not_found: { path: '/api/v1/curriculum?id=freshness-drift' },
  },
  'open-questions': {
    INVALID_PARAM: { path: '/api/v1/open-questions?id=%00', parameter: 'id' },
    question_not_found: { path: '/api/v1/open-questions?id=map-one-disease' },
  },
  changes: {
    INVALID_PARAM: [
      { path: `${CHANGES}?limit=201`, parameter: 'limit' },
      { path: `${CHANGES}?wait=31`, parameter: 'wait' },
      { path: `${CHANGES}?since=1&since=2`, parameter: 'since' },
      { path: `${CHANGES}?kind=claim&about=vote`, parameter: 'about' },
    ],
    INVALID_SINCE: INSTANTS.map((since) => ({ path: `${CHANGES}?since=${since}`, parameter: 'since' })),
    INVALID_KIND: ['rumour', '', 'claim,finding', 'Claims'].map((kind) => ({
      path: `${CHANGES}?kind=${kind}`,
      parameter: 'kind',
    })),
  },
  'changes-export': {
    INVALID_PARAM: { path: `${CHANGES}/export?since=1&since=2`, parameter: 'since' },
    INVALID_SINCE: { path: `${CHANGES}/export?since=yesterday`, parameter: 'since' },
  },
  'changes-head': {},
  'agent-track-record': {
    usual: { path: '/api/v1/agents/ada' },
    INVALID_PARAM: { path: `/api/v1/agents/${'x'.repeat(121)}`, parameter: 'name' },
    NOT_FOUND: [{ path: '/api/v1/agents/nobody' }, { path: '/api/v1/agents/ADA' }],
  },
  ...KEY_ERRORS,
  ...HOOK_ERRORS,
};
