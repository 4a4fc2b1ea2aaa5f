import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway, type TestGateway } from '../../support/gateway.ts';

const PATH = '/api/v1/twin/explore';

let gateway: TestGateway;
let condition: string;
beforeAll(async () => {
  gateway = await openGateway();
  condition = (await gateway.get('/api/v1/trials/search?q=%22type%201%20diabetes%22&pageSize=1')).body.data.trials[0]
    .conditions[0];
});
afterAll(() => gateway[Symbol.asyncDispose]());

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
  it('counts the trials of the condition as the search and the landscape count them', async () => {
    const { data, _meta } = await explored({ condition: condition.toUpperCase() });
    const landscape = (await gateway.get(`/api/v1/trials/landscape?${new URLSearchParams({ condition })}`)).body.data;
    expect(data.condition.trials).toBe(await found({ condition }));
    expect(data.condition.trials).toBeGreaterThan(0);
    expect(data.condition.statuses).toEqual(
      landscape.statuses.map(({ value, trials }: { value: string; trials: number }) => ({ value, trials })),
    );
    expect(data.condition.withResults).toBe(await found({ condition, resultsAvailable: 'true' }));
    expect(data.narrowed).toEqual({
      trials: data.condition.trials,
      withResults: data.condition.withResults,
      statuses: data.condition.statuses,
      phases: data.condition.phases,
    });
    expect(data.criteria).toEqual([]);
    expect(_meta.provenance.corpus).toBe('sample');
  });

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

  it('takes markers as alternatives and the parameters as conditions', async () => {
    const one = (await explored({ condition, markers: 'study' })).data;
    const both = (await explored({ condition, markers: 'study,xyzzy' })).data;
    const none = (await explored({ condition, markers: 'xyzzy' })).data;
    expect([both.narrowed.trials, none.narrowed.trials]).toEqual([one.narrowed.trials, 0]);
    expect(one.narrowed.trials).toBeGreaterThan(0);
    expect(none.examples).toEqual([]);
  });

  it('shows the first trials by title, as many as asked for', async () => {
    const { trials } = (
      await gateway.get(`/api/v1/trials/search?${new URLSearchParams({ condition, pageSize: '100' })}`)
    ).body.data;
    const keys = trials
      .map(({ title, canonicalId }: { title: string | null; canonicalId: string }) =>
        title === null ? `\u{10ffff}${canonicalId}` : `${title.toLowerCase()} ${canonicalId}`,
      )
      .sort()
      .slice(0, 3)
      .map((key: string) => key.slice(-15));
    const { examples } = (await explored({ condition })).data;
    expect(examples.map(({ canonicalId }: { canonicalId: string }) => canonicalId)).toEqual(keys);
    expect((await explored({ condition, examples: '1' })).data.examples).toEqual(examples.slice(0, 1));
  });

  it('scores nothing and says why', async () => {
    const { data } = await explored({ condition });
    expect([data.score, data.plausibility]).toEqual([null, null]);
    expect(data.whyNull).toContain('not what works');
    expect(data.notHeld.length).toBeGreaterThan(2);
  });
});
