import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../contract/operation.ts';
import { BOARDLESS_OPERATIONS, filled, openGateway, someTrial, type TestGateway } from '../support/gateway.ts';
import { amountOf } from '../support/runner/amount.ts';

/** Encoded values for an address, each invalid for at least some parameters. */
const HOSTILE: Record<string, string> = {
  empty: '',
  blank: '%20%20',
  '10,000 characters': 'a'.repeat(10_000),
  'control characters': 'a%00%01%1b%7fb',
  'line break': 'a%0d%0aSet-Cookie:x=1',
  'invalid UTF-8': '%ff%fe%80',
  'overlong UTF-8': '%c0%af',
  'a lone percent sign': '100%',
  'a lone surrogate': '%ed%a0%80',
  'bidi marks': 'abc%e2%80%ae%e2%81%a6def',
  'a negative number': '-1',
  zero: '0',
  'a fraction': '1.5',
  'an exponent': '1e3',
  'hexadecimal digits': '0x10',
  'a huge number': '99999999999999999999',
  'not a number': 'NaN',
  'an array': '[1,2]',
  'an object': '%7B%22%24gt%22%3A1%7D',
  SQL: "'%20OR%201=1;%20DROP%20TABLE%20trials;--",
  'a path': '../../../../etc/passwd',
  'an encoded path': '..%2f..%2f..%2fetc%2fpasswd',
  'a windows path': '..%5c..%5cwindows',
  markup: '%3Cscript%3Ealert(1)%3C/script%3E',
  'a template': '%24{7*7}{{7*7}}',
  'a format string': '%25s%25n',
  'quotation marks only': '%22%22%22',
  'an impossible day': '2026-02-30',
  'a day with time': '2026-01-01T00:00:00Z',
  prototype: '__proto__',
  wildcard: '*',
  regex: '(a+)+$',
};

let gateway: TestGateway;
let id: string;
beforeAll(async () => {
  gateway = await openGateway();
  id = (await someTrial(gateway)).canonicalId;
});
afterAll(() => gateway[Symbol.asyncDispose]());

const SECRETS = /node_modules|\.ts:\d|\/tmp\/|duckdb|parquet|at Object\.|stack/i;

async function assertSound(address: string, ...parameters: string[]): Promise<void> {
  const { status, body } = await gateway.get(address);
  expect([200, 400, 404], `${address.slice(0, 200)} answered ${status}`).toContain(status);
  if (status === 200) return;
  expect(body.error).toMatchObject({ retryable: false, hint: expect.any(String), correlationId: expect.any(String) });
  if (status === 400 && body.error.code !== 'MISSING_ID') {
    expect(body.error).toMatchObject({ code: 'INVALID_PARAM', expected: expect.any(String) });
    expect(parameters).toContain(body.error.parameter);
  }
  expect(JSON.stringify(body)).not.toMatch(SECRETS);
  expect(JSON.stringify(body).length).toBeLessThan(4_000);
}

/** The address up to the parameter's value, with those parameters of the example that the operation requires. */
function asking({ query = {}, example }: Operation, parameter: string): string {
  const needed = [...new URLSearchParams(example.split('?')[1])].filter(
    ([name]) => name !== parameter && query[name]?.safeParse(undefined).success === false,
  );
  return `${filled(example.split('?')[0]!, id)}?${new URLSearchParams([...needed, [parameter, '']])}`;
}

/** The path with this value for one parameter, and the example's values for the others. */
function pathWith({ path, example }: Operation, parameter: string, value: string): string {
  const shown = example.split('?')[0]!.split('/');
  const segments = path.split('/').map((segment, place) => {
    if (segment === `{${parameter}}`) return value;
    return segment.startsWith('{') ? shown[place] : segment;
  });
  return segments.join('/');
}

const queryCases = BOARDLESS_OPERATIONS.flatMap((operation) =>
  Object.keys(operation.query ?? {}).map((parameter) => [operation.id, parameter, operation] as const),
);
const pathCases = BOARDLESS_OPERATIONS.flatMap((operation) =>
  Object.keys(operation.params ?? {}).map((parameter) => [operation.id, parameter, operation] as const),
);

describe('a wrong value', () => {
  // Each value is tried with every fourth parameter in the quick run, and each parameter with every fourth value.
  const STRIDE = amountOf({ quick: 4, deep: 1 });
  const numbered = queryCases.map((one, place) => [...one, place % STRIDE] as const);
  it.each(numbered)('of %s?%s is refused by name or harmless, never a 5xx', async (_id, parameter, operation, turn) => {
    const address = asking(operation, parameter);
    const values = Object.values(HOSTILE).filter((_, place) => place % STRIDE === turn);
    for (const value of values) await assertSound(`${address}${value}`, parameter);
  });

  it.each(queryCases)('given twice to %s?%s is refused by name', async (_id, parameter, operation) => {
    const { status, body } = await gateway.get(`${asking(operation, parameter)}a&${parameter}=b`);
    expect([status, body.error.code, body.error.parameter]).toEqual([400, 'INVALID_PARAM', parameter]);
    expect(body.error.expected).toMatch(/, given once$/);
  });

  it.each(queryCases)(
    'of %s?%s that is empty, too long, no UTF-8 or a control character is a 400',
    async (_id, parameter, operation) => {
      for (const value of [
        // The empty JSON pointer is the whole payload (RFC 6901).
        ...(parameter === 'rawPath' ? [] : [HOSTILE.empty]),
        HOSTILE['10,000 characters'],
        HOSTILE['invalid UTF-8'],
        HOSTILE['control characters'],
      ]) {
        const { status, body } = await gateway.get(`${asking(operation, parameter)}${value}`);
        expect([status, body.error.parameter]).toEqual([400, parameter]);
      }
    },
  );

  it.each(pathCases)('in the path of %s (%s) is refused or not found', async (_id, parameter, operation) => {
    for (const value of Object.values(HOSTILE)) {
      // An empty segment, or one that a URL resolves, would change the path.
      if (value === '' || value.startsWith('../')) continue;
      // A slash, written out or not, can make it the address of a file in a folder.
      const folder = /\/|%2f/i.test(value) ? ['folder'] : [];
      await assertSound(pathWith(operation, parameter, value), parameter, 'path', ...folder);
    }
  });
});

describe('an unknown parameter', () => {
  it('is dropped, named in _meta.ignored, and changes nothing', async () => {
    const plain = await gateway.get('/api/v1/trials/search?q=diabetes');
    const extra = await gateway.get('/api/v1/trials/search?q=diabetes&serch=cancer&__proto__=1&constructor=2');
    expect(extra.body.data).toEqual(plain.body.data);
    expect(extra.body._meta.ignored).toEqual(['serch', '__proto__', 'constructor']);
    expect(extra.body._meta.filters).toEqual({ q: 'diabetes' });
  });

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
