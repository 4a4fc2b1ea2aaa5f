import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../contract/operation.ts';
import { BOARDLESS_OPERATIONS, filled, openGateway, someTrial } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

const gateway = ofFile(() => openGateway());
let id: string;
beforeAll(async () => {
  id = (await someTrial(gateway)).canonicalId;
});

/** The address up to the parameter's value, with those parameters of the example that the operation requires. */
function asking({ query = {}, example }: Operation, parameter: string): string {
  const needed = [...new URLSearchParams(example.split('?')[1])].filter(
    ([name]) => name !== parameter && query[name]?.safeParse(undefined).success === false,
  );
  return `${filled(example.split('?')[0]!, id)}?${new URLSearchParams([...needed, [parameter, '']])}`;
}

const PARAMETERS = BOARDLESS_OPERATIONS.flatMap((operation) =>
  Object.keys(operation.query ?? {}).map((parameter) => [operation.id, parameter, operation] as const),
);

// Other wrong values: test/fuzz.
it.each(PARAMETERS)(
  'the parameter of %s?%s that is empty, too long, no UTF-8, a control character or given twice is refused by its name',
  async (_id, parameter, operation) => {
    // The empty JSON pointer is the whole payload (RFC 6901).
    const empty = parameter === 'rawPath' ? [] : [''];
    for (const value of [...empty, 'a'.repeat(10_000), '%ff%fe%80', 'a%00%01%1b%7fb', `a&${parameter}=b`]) {
      const { status, body } = await gateway.get(`${asking(operation, parameter)}${value}`);
      expect([value, status, body.error.parameter]).toEqual([value, 400, parameter]);
    }
  },
);

describe('an unknown parameter', () => {
  it('with a long or endless name cannot blow the answer up', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `${'x'.repeat(30)}${index}=1`).join('&');
    const { status, body } = await gateway.get(`/api/v1/trials/stats?${many}`);
    expect(status).toBe(200);
    expect(body._meta.ignored).toHaveLength(20);
  });
});

describe('a text with many words', () => {
  const words = (count: number): string => Array.from({ length: count }, (_, place) => `MI${place}`).join('+');
  const TOO_MANY =
    'at most 32 words with match=concepts, where each may be a name; leave out those that say little, or send match=words';

  it.each(['search', 'coverage', 'landscape', 'trend', 'facets', 'results-gap'])(
    'is read by concepts up to 32 of them, and refused by name beyond that: %s',
    async (operation) => {
      const path = `/api/v1/trials/${operation}?match=concepts`;
      for (const parameter of ['q', 'condition', 'intervention']) {
        expect((await gateway.get(`${path}&${parameter}=${words(32)}`)).status).toBe(200);
        const { status, body } = await gateway.get(`${path}&${parameter}=${words(33)}`);
        expect([status, body.error.parameter, body.error.expected]).toEqual([400, parameter, TOO_MANY]);
      }
    },
  );

  it('is answered by words at any length, and not read by concepts besides', async () => {
    const { status, body } = await gateway.get(`/api/v1/trials/search?q=${words(80)}`);
    expect([status, body.data.trials, body._meta.alsoMatching]).toEqual([200, [], undefined]);
  });
});
