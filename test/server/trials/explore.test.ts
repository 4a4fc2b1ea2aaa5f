import { beforeAll, describe, expect, it } from 'vitest';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const PATH = '/api/v1/twin/explore';

const gateway = ofFile(() => openGateway());
let condition: string;
beforeAll(async () => {
  condition = (await gateway.get('/api/v1/trials/search?q=%22type%201%20diabetes%22&pageSize=1')).body.data.trials[0]
    .conditions[0];
});

async function explored(query: Record<string, string>) {
  const { status, body } = await gateway.get(`${PATH}?${new URLSearchParams(query)}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return body;
}

async function found(query: Record<string, string>): Promise<number> {
  return (await gateway.get(`/api/v1/trials/search?${new URLSearchParams({ ...query, pageSize: '1' })}`)).body._meta
    .pagination.totalItems;
}

describe('exploring a condition', () => {
  it('narrows by searches that it states, and each of them finds as many in the trial search', async () => {
    const { data } = await explored({ condition, stage: 'early', ageBand: 'adult', markers: 'study, insulin,xyzzy' });
    expect(
      data.criteria.map(({ parameter, value }: { parameter: string; value: string }) => [parameter, value]),
    ).toEqual([
      ['stage', 'early'],
      ['ageBand', 'adult'],
      ['markers', 'study'],
      ['markers', 'insulin'],
      ['markers', 'xyzzy'],
    ]);
    for (const { anyOf, trials } of data.criteria.slice(2)) {
      expect([anyOf, trials]).toEqual([anyOf, await found({ condition, q: anyOf[0] })]);
    }
    const early = new Set<string>();
    for (const q of data.criteria[0].anyOf) {
      const query = new URLSearchParams({ condition, q, pageSize: '100' });
      const { trials } = (await gateway.get(`/api/v1/trials/search?${query}`)).body.data;
      for (const trial of trials) early.add(trial.canonicalId);
    }
    expect(data.criteria[0].trials).toBe(early.size);
    expect(early.size).toBeGreaterThan(0);
    expect(data.criteria[4].trials).toBe(0);
    expect(data.narrowed.trials).toBeLessThanOrEqual(Math.min(data.criteria[0].trials, data.criteria[1].trials));
  });
});
