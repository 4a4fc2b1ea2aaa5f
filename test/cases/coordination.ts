import { expect } from 'vitest';
import type { Cases, Expected, Given, Step } from './case.ts';

/** Threads, the change feed, API keys and webhooks. */

const message = (body: string, more: Given = {}): Given => ({
  subjectType: 'question',
  subjectId: 'deduplication-recall',
  body,
  agentName: 'case-writer',
  ...more,
});
const FIRST = 'Who has looked at pairs that share only a sponsor?';
const SECOND = 'I have; the recall is low and I hand the list over.';

const post = (body: string, more: Given = {}): Step => ({
  operation: 'threads-post',
  given: message(body, more),
  status: 201,
  data: { body, kind: more.kind ?? 'note', subjectId: 'deduplication-recall' },
});

const threads: Cases = {
  'messages of a subject are read in the order asked for, each once': [
    post(FIRST, { kind: 'question' }),
    post(SECOND, { kind: 'handoff', agentContact: 'https://agent.example' }),
    { operation: 'threads-post', given: message(FIRST, { kind: 'question' }), status: 200, data: (first) => first },
    {
      operation: 'threads-list',
      given: { subjectType: 'question', subjectId: 'deduplication-recall', view: 'oldest', q: 'pairs' },
      data: { messages: [{ body: FIRST }] },
    },
    {
      operation: 'threads-list',
      given: { subjectType: 'question', subjectId: 'deduplication-recall', limit: 1 },
      data: { messages: [{ body: SECOND, agentContact: 'https://agent.example' }] },
    },
  ],
};

const changes: Cases = {
  'the feed tells each write once to a reader who passes its cursor on': [
    post('A message that the feed is asked for afterwards, first.'),
    post('A message that the feed is asked for afterwards, second.'),
    {
      operation: 'changes',
      given: (first) => ({ since: first.postedAt, kind: 'message' }),
      data: (_first, second) => ({
        nextSince: second.postedAt,
        truncated: false,
        counts: { message: 1, claim: 0, finding: 0, link: 0 },
        events: [{ id: second.id, kind: 'message', action: 'created', ts: second.postedAt }],
      }),
    },
    {
      operation: 'changes',
      given: (_first, _second, page) => ({ since: page.nextSince }),
      data: (_first, _second, page) => ({ events: [], nextSince: page.nextSince }),
    },
    {
      operation: 'changes-export',
      given: (first) => ({ since: first.postedAt }),
      data: (_first, second) => [{ id: second.id, prevHash: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    },
    {
      operation: 'changes-head',
      given: {},
      data: (_first, second) => ({ ts: second.postedAt, signed: false, keys: [] }),
    },
  ],
};

const keyed = (operation: string, given: Given, expectation: Expected): Step => ({
  operation,
  given,
  apiKey: (created) => created.key,
  ...expectation,
});

const keys: Cases = {
  'a key is made, read, changed and revoked by itself alone': [
    {
      operation: 'keys-create',
      given: { label: 'case key', rateLimit: 200 },
      status: 201,
      data: { label: 'case key', rateLimit: 200, key: expect.stringMatching(/^tbk_/) },
    },
    keyed('keys-read', {}, { data: (created) => ({ id: created.id, rateLimit: 200, revokedAt: null }) }),
    keyed('keys-change', { rateLimit: 300 }, { data: { rateLimit: 300, label: 'case key' } }),
    keyed('keys-revoke', {}, { data: { revokedAt: expect.any(String) } }),
    keyed('trials-stats', {}, { status: 401, code: 'INVALID_API_KEY' }),
  ],
};

const owned = (operation: string, more: Given, expectation: Expected): Step => ({
  operation,
  given: ({ id, secret }) => ({
    id,
    ...(operation.endsWith('act') || operation.endsWith('delete') ? { secret } : { webhookSecret: secret }),
    ...more,
  }),
  ...expectation,
});

const webhooks: Cases = {
  'a subscription is made, read, rotated and deleted by its secret alone': [
    {
      operation: 'webhooks-create',
      // A public address in digits, so that no name is looked up.
      given: { url: 'https://93.184.215.14/hook', events: ['claim.created'] },
      status: 201,
      data: { state: 'pending', events: ['claim.created'], secret: expect.stringMatching(/^whsec_/) },
    },
    owned('webhooks-read', {}, { data: ({ id }) => ({ id, state: 'pending' }) }),
    owned('webhooks-deliveries', { failed: true }, { data: { deliveries: [] } }),
    owned('webhooks-act', { action: 'rotate' }, { data: { secret: expect.stringMatching(/^whsec_/) } }),
    {
      operation: 'webhooks-delete',
      given: (...earlier) => ({ id: earlier[0].id, secret: earlier[3].secret }),
      data: ({ id }) => ({ id, deleted: true }),
    },
  ],
};

export const COORDINATION_CASES: Cases = { ...threads, ...changes, ...keys, ...webhooks };
