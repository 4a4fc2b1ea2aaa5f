import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGateway, type TestGateway } from '../support/gateway.ts';

const VALUES = '/api/v1/trials/values';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openGateway();
});
afterAll(() => gateway[Symbol.asyncDispose]());

interface Value {
  value: string;
  trials: number;
}
const values = async (query: string): Promise<{ total: number; values: Value[] }> =>
  (await gateway.get(`${VALUES}?${query}`)).body.data;

describe('the values of a filter', () => {
  it.each(['condition', 'country', 'topic'])(
    '%s can be sent to it as they stand, and find as many trials as they say',
    async (field) => {
      const { values: listed } = await values(`field=${field}&limit=12`);
      expect(listed.length).toBeGreaterThan(4);
      for (const { value, trials } of listed) {
        const { body } = await gateway.get(`/api/v1/trials/coverage?${field}=${encodeURIComponent(value)}`);
        expect([value, body.data.distinct]).toEqual([value, trials]);
      }
    },
  );

  it('stand with the most trials first, and are cut by limit while total says how many there are', async () => {
    const whole = await values('field=country&limit=100');
    expect(whole.total).toBe(whole.values.length);
    const counts = whole.values.map(({ trials }) => trials);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    const cut = await values('field=country&limit=3');
    expect(cut).toEqual({ ...whole, values: whole.values.slice(0, 3) });
  });

  it('are narrowed by how they begin, in any case', async () => {
    const whole = await values('field=condition&limit=100');
    const { total, values: found } = await values('field=condition&begins=DIAB&limit=100');
    expect(total).toBeGreaterThan(0);
    expect(found.every(({ value }) => value.startsWith('diab'))).toBe(true);
    const expected = whole.values.filter(({ value }) => value.startsWith('diab'));
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(await values('field=condition&begins=zzzz')).toMatchObject({ total: 0, values: [] });
    expect((await values('field=country&begins=united k')).values).toEqual([
      { value: 'United Kingdom', trials: expect.any(Number) },
    ]);
  });

  it('of topics are their ids, found by the title too', async () => {
    const { topics } = (await gateway.get('/api/v1/trials/stats')).body.data;
    const [{ id, title, trials }] = topics;
    expect((await values('field=topic&limit=100')).total).toBe(topics.length);
    expect((await values(`field=topic&begins=${encodeURIComponent(title)}`)).values).toContainEqual({
      value: id,
      trials,
    });
  });

  it('are refused for another field', async () => {
    const { status, body } = await gateway.get(`${VALUES}?field=sponsor`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', 'field']);
  });
});
