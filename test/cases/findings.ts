import { expect } from 'vitest';
import { type Case, type Given, one, type Step } from './case.ts';

const finding = (title: string, more: Given = {}): Given => ({
  questionId: 'freshness-drift',
  title,
  claim: 'No difference in a sample of ten.',
  method: 'GET /api/v1/trials/search?pageSize=10 and open each source address.',
  falsification: 'A difference on the same snapshot.',
  endpointsUsed: ['trials-search'],
  agentName: 'case-author',
  ...more,
});
const publish = (title: string, more: Given = {}): Step => ({
  operation: 'finding-submit',
  given: finding(title, more),
  expect: { status: 201, data: { status: 'received', title, withdrawToken: expect.any(String) } },
});
const NOTE = 'Repeated on the same snapshot with ten others.';
const review = (verdict: string, agentName: string, expectation: Step['expect'], place = 0): Step => ({
  operation: 'finding-review',
  given: (...earlier) => ({ findingId: earlier[place].id, verdict, note: NOTE, agentName }),
  expect: expectation,
});
const link = (from: number, to: number, expectation: Step['expect'], more: Given = {}): Step => ({
  operation: 'finding-link',
  given: (...earlier) => ({
    fromId: earlier[from].id,
    toId: earlier[to].id,
    relation: 'replicates',
    note: 'The same sample again.',
    agentName: 'case-author',
    ...more,
  }),
  expect: expectation,
});
const withdraw = (
  expectation: Step['expect'],
  more: (created: { id: string; withdrawToken: string }) => Given,
): Step => ({
  operation: 'finding-withdraw',
  given: (created) => more(created),
  expect: expectation,
});
const byToken = ({ id, withdrawToken }: { id: string; withdrawToken: string }): Given => ({ id, withdrawToken });

const lives: Case[] = [
  {
    title: 'reviews make a finding corroborated and then contested, as they outweigh each other',
    steps: [
      publish('Reviewed'),
      review('corroborates', 'case-reviewer-1', { status: 201, data: { finding: { status: 'corroborated' } } }),
      review('disputes', 'case-reviewer-2', { status: 201, data: { finding: { status: 'contested' } } }),
      review('extends', 'case-reviewer-3', { status: 201, data: { finding: { status: 'contested' } } }),
      review('disputes', 'case-reviewer-1', { status: 409, code: 'ALREADY_REVIEWED' }),
      review('corroborates', 'case-author', { status: 422, code: 'review_rejected', issues: ['agentName'] }),
      {
        operation: 'finding',
        given: ({ id }) => ({ id }),
        expect: {
          data: {
            status: 'contested',
            reviewsTotal: 3,
            reviewCounts: {
              corroborates: { reviews: 1, addresses: 1, groups: 1, counted: 1 },
              disputes: { reviews: 1, addresses: 1, groups: 1, counted: 1 },
              extends: { reviews: 1, addresses: 1, groups: 1, counted: 0 },
            },
          },
        },
      },
      {
        operation: 'findings',
        given: { agentName: 'case-author', status: 'contested', questionId: 'freshness-drift' },
        expect: { data: { findings: [{ title: 'Reviewed' }] }, meta: { pagination: { limit: 20, returned: 1 } } },
      },
    ],
  },
  {
    title: 'a link leads from one finding to another and shows in the lineage of both',
    steps: [
      publish('Descendant'),
      publish('Ancestor'),
      link(0, 1, { status: 201, data: (from, to) => ({ fromId: from.id, toId: to.id, relation: 'replicates' }) }),
      link(0, 1, { status: 200, data: (_from, _to, stored) => ({ id: stored.id }) }),
      link(0, 0, { status: 422, code: 'link_rejected' }),
      link(0, 1, { status: 422, code: 'link_rejected', issues: ['relation'] }, { relation: 'likes' }),
      link(0, 1, { status: 404, code: 'TO_FINDING_NOT_FOUND' }, { toId: 'fnd_never' }),
      link(0, 1, { status: 404, code: 'FROM_FINDING_NOT_FOUND' }, { fromId: 'fnd_never' }),
      {
        operation: 'finding-lineage',
        given: (_from, to) => ({ id: to.id, depth: 1 }),
        expect: {
          data: (from, to) => ({
            id: to.id,
            nodes: [{ id: to.id }, { id: from.id, buildsOnItSteps: 1, builtOnSteps: null }],
            edges: [{ fromId: from.id, toId: to.id }],
          }),
        },
      },
    ],
  },
  {
    title: 'a finding is withdrawn by its token, stays readable, and takes no reviews and no links',
    steps: [
      publish('Withdrawn'),
      publish('Other'),
      withdraw({ status: 400, code: 'MISSING_WITHDRAW_TOKEN' }, ({ id }) => ({ id })),
      withdraw({ status: 403, code: 'BAD_WITHDRAW_TOKEN' }, ({ id }) => ({ id, withdrawToken: 'not it' })),
      withdraw({ status: 200, data: { status: 'withdrawn', withdrawn: true } }, byToken),
      withdraw({ status: 409, code: 'FINDING_WITHDRAWN' }, byToken),
      review('corroborates', 'case-reviewer-1', { status: 409, code: 'FINDING_WITHDRAWN' }),
      link(1, 0, { status: 409, code: 'FINDING_WITHDRAWN' }),
      { operation: 'finding', given: ({ id }) => ({ id }), expect: { data: { title: 'Withdrawn', withdrawn: true } } },
      { operation: 'findings', given: { q: 'Withdrawn' }, expect: { data: { findings: [] } } },
      {
        operation: 'findings',
        given: { q: 'Withdrawn', includeWithdrawn: true },
        expect: { data: { findings: [{ title: 'Withdrawn' }] } },
      },
    ],
  },
  {
    title: 'the same finding under the same key is one finding, and another under it is refused',
    steps: [
      publish('Keyed', { idempotencyKey: '7c9e6679-7425-40de-944b-000000000102' }),
      {
        operation: 'finding-submit',
        given: finding('Keyed', { idempotencyKey: '7c9e6679-7425-40de-944b-000000000102' }),
        expect: {
          status: 201,
          data: ({ id, withdrawToken }) => ({ id, withdrawToken }),
          meta: { idempotencyReplayed: true },
        },
      },
      {
        operation: 'finding-submit',
        given: finding('Another', { idempotencyKey: '7c9e6679-7425-40de-944b-000000000102' }),
        expect: { status: 409, code: 'IDEMPOTENCY_KEY_REUSED' },
      },
      {
        operation: 'finding-submit',
        given: finding('Keyed'),
        expect: { status: 200, data: ({ id }) => ({ id, withdrawToken: null }) },
      },
    ],
  },
];

const paging: Case[] = [
  {
    title: 'a page of findings gives the cursor of the next, and an unknown cursor is refused',
    steps: [
      publish('Page one', { agentName: 'case-pager' }),
      publish('Page two', { agentName: 'case-pager' }),
      publish('Page three', { agentName: 'case-pager' }),
      {
        operation: 'findings',
        given: { agentName: 'case-pager', limit: 2 },
        expect: {
          data: { findings: [{ title: 'Page three' }, { title: 'Page two' }] },
          meta: { pagination: { returned: 2, total: 3, hasMore: true, nextCursor: expect.any(String) } },
        },
      },
      {
        operation: 'findings',
        given: { agentName: 'case-pager', limit: 2, cursor: 'not-a-cursor' },
        expect: { status: 400, code: 'INVALID_PARAM', parameter: 'cursor' },
      },
    ],
  },
];

const refusals: Case[] = [
  one('a finding without a falsification is refused', 'finding-submit', finding('Sure', { falsification: undefined }), {
    status: 422,
    code: 'submission_rejected',
    issues: ['falsification'],
  }),
  one(
    'every fault of a finding is named at once',
    'finding-submit',
    { title: 'T', endpointsUsed: ['trials'], artifactUrl: 'ftp://x' },
    {
      status: 422,
      code: 'submission_rejected',
      issues: ['claim', 'method', 'falsification', 'endpointsUsed', 'agentName', 'artifactUrl', 'objectiveId'],
    },
  ),
  one('a finding over its ceiling is BODY_TOO_LARGE', 'finding-submit', finding('x'.repeat(20_000)), {
    status: 413,
    code: 'BODY_TOO_LARGE',
  }),
  one(
    'a finding that never was is finding_not_found',
    'finding',
    { id: 'fnd_never' },
    {
      status: 404,
      code: 'finding_not_found',
    },
  ),
  one(
    'the lineage of nothing is FINDING_NOT_FOUND',
    'finding-lineage',
    { id: 'fnd_never' },
    {
      status: 404,
      code: 'FINDING_NOT_FOUND',
    },
  ),
  one(
    'a lineage deeper than the ceiling is refused',
    'finding-lineage',
    { id: 'fnd_never', depth: 11 },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'depth',
    },
  ),
  one(
    'an unknown status is invalid_status',
    'findings',
    { status: 'verified' },
    {
      status: 400,
      code: 'invalid_status',
      parameter: 'status',
    },
  ),
  one(
    'a filter on no objective is refused by name',
    'findings',
    { objectiveId: 'cure-everything' },
    {
      status: 400,
      code: 'INVALID_PARAM',
      parameter: 'objectiveId',
    },
  ),
];

export const FINDING_CASES: readonly Case[] = [...lives, ...paging, ...refusals];
