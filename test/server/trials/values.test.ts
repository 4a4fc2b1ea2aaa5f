import { describe, expect, it } from 'vitest';
import { fieldValues } from '../../../index-server/search/field-values.ts';
import { openGateway } from '../../support/gateway.ts';
import { ofFile } from '../../support/of-file.ts';

const VALUES = '/api/v1/trials/values';
const gateway = ofFile(() => openGateway());

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

  it('are narrowed to those with the text at the start of a word, in any case', async () => {
    using lease = gateway.index.holder.acquire()!;
    const found = (text: string) => fieldValues(lease.image, 'condition', text, 1_000);
    const whole = found('');
    expect(whole.total).toBe(345);
    for (const text of ['diabetes', 'type', '2', 'type 2 d', 'e', 'c:', '-', 'ü']) {
      const expected = whole.values.filter(({ value }) =>
        Array.from(value, (_, at) => at).some(
          (at) => value.startsWith(text, at) && !/[\p{L}\p{N}]$/u.test(value.slice(0, at)),
        ),
      );
      expect([text, found(text)]).toEqual([text, { total: expected.length, values: expected }]);
    }
    expect((await values('field=condition&text=DIABETES')).total).toBeGreaterThan(1);
    expect(await values('field=condition&text=zzzz')).toMatchObject({ total: 0, values: [] });
    expect((await values('field=country&text=kingd')).values).toEqual([
      { value: 'United Kingdom', trials: expect.any(Number) },
    ]);
  });
});
