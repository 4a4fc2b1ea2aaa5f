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
    title: 'a finding is withdrawn by its token, and stays readable',
    steps: [
      publish('Withdrawn'),
      publish('Other'),
      withdraw({ status: 200, data: { status: 'withdrawn', withdrawn: true } }, byToken),
      { operation: 'finding', given: ({ id }) => ({ id }), expect: { data: { title: 'Withdrawn', withdrawn: true } } },
      { operation: 'findings', given: { q: 'Withdrawn' }, expect: { data: { findings: [] } } },
      {
        operation: 'findings',
        given: { q: 'Withdrawn', includeWithdrawn: true },
        expect: { data: { findings: [{ title: 'Withdrawn' }] } },
      },
    ],
  },
];

const refusals: Case[] = [
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
];

export const FINDING_CASES: readonly Case[] = [...lives, ...refusals];
