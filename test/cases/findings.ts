import type { Cases, Expected, Given, Step } from './case.ts';
import { idOf, publish, step } from './steps.ts';

const ON_DRIFT = { objectiveId: null, questionId: 'freshness-drift' };
const NOTE = 'Repeated on the same snapshot with ten others.';
const review = (verdict: string, agentName: string, status: string): Step =>
  step('finding-review', ({ id }) => ({ findingId: id, verdict, note: NOTE, agentName }), {
    status: 201,
    data: { finding: { status } },
  });
const LINK = { relation: 'replicates', note: 'The same sample again.', agentName: 'case-author' };
const link = (expected: Expected): Step =>
  step('finding-link', (from, to) => ({ ...LINK, fromId: from.id, toId: to.id }), expected);
const counted = (counted: number) => ({ reviews: 1, addresses: 1, groups: 1, counted });
const listed = (given: Given, titles: readonly string[]): Step =>
  step('findings', given, { data: { findings: titles.map((title) => ({ title })) } });

export const FINDING_CASES: Cases = {
  'reviews make a finding corroborated and then contested, as they outweigh each other': [
    publish('Reviewed', ON_DRIFT),
    review('corroborates', 'case-reviewer-1', 'corroborated'),
    review('disputes', 'case-reviewer-2', 'contested'),
    review('extends', 'case-reviewer-3', 'contested'),
    step('finding', idOf(), {
      data: {
        status: 'contested',
        reviewsTotal: 3,
        reviewCounts: { corroborates: counted(1), disputes: counted(1), extends: counted(0) },
      },
    }),
    listed({ agentName: 'case-author', status: 'contested', questionId: 'freshness-drift' }, ['Reviewed']),
  ],
  'a link leads from one finding to another and shows in the lineage of both': [
    publish('Descendant'),
    publish('Ancestor'),
    link({ status: 201, data: (from, to) => ({ fromId: from.id, toId: to.id, relation: 'replicates' }) }),
    link({ status: 200, data: (_from, _to, stored) => ({ id: stored.id }) }),
    step('finding-lineage', (_from, to) => ({ id: to.id, depth: 1 }), {
      data: (from, to) => ({
        id: to.id,
        nodes: [{ id: to.id }, { id: from.id, buildsOnItSteps: 1, builtOnSteps: null }],
        edges: [{ fromId: from.id, toId: to.id }],
      }),
    }),
  ],
  'a finding is withdrawn by its token, and stays readable': [
    publish('Withdrawn'),
    publish('Other'),
    step('finding-withdraw', ({ id, withdrawToken }) => ({ id, withdrawToken }), {
      status: 200,
      data: { status: 'withdrawn', withdrawn: true },
    }),
    step('finding', idOf(), { data: { title: 'Withdrawn', withdrawn: true } }),
    listed({ q: 'Withdrawn' }, []),
    listed({ q: 'Withdrawn', includeWithdrawn: true }, ['Withdrawn']),
  ],
};
