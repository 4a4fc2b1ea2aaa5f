import { describe, expect, it } from 'vitest';
import { queryPairs, readParameters } from '../server-kit/parameters.ts';
import { nearestNames } from './nearest-names.ts';
import { OPERATIONS } from './operations.ts';
import { expectedOf, LIST_MAX_PARTS, listParameter } from './parameters.ts';
import { webhookCreateSchema } from './schemas/board/webhook.ts';

/**
 * Work is counted, not timed: each call of a method of texts, lists and patterns counts as one and as the length of what it goes
 * through, so that the same input gives the same number on any machine.
 */
const COUNTED = [
  [
    String.prototype,
    ['trim', 'toLowerCase', 'toUpperCase', 'replace', 'replaceAll', 'split', 'match', 'includes', 'normalize'],
  ],
  [
    Array.prototype,
    ['map', 'filter', 'find', 'some', 'every', 'flatMap', 'includes', 'indexOf', 'slice', 'join', 'concat'],
  ],
  [RegExp.prototype, ['test', 'exec']],
] as const;

type Method = (this: { length?: number }, ...given: unknown[]) => unknown;

function workOf(run: () => unknown): number {
  let work = 0;
  const restored: (() => void)[] = [];
  for (const [holder, names] of COUNTED) {
    const methods = holder as unknown as Record<string, Method>;
    for (const name of names) {
      const own = methods[name] as Method;
      restored.push(() => {
        methods[name] = own;
      });
      methods[name] = function counted(...given) {
        work += 1 + (this.length ?? String(given[0]).length);
        return Reflect.apply(own, this, given);
      };
    }
  }
  // Lists that are copied or gone through.
  const lists = Array.prototype as unknown as { [Symbol.iterator]: Method };
  const own = lists[Symbol.iterator];
  restored.push(() => {
    lists[Symbol.iterator] = own;
  });
  lists[Symbol.iterator] = function counted() {
    work += 1 + (this.length ?? 0);
    return Reflect.apply(own, this, []);
  };
  try {
    run();
  } finally {
    for (const restore of restored) restore();
  }
  return work;
}

/** Texts of about so many characters, made to be read again and again. */
const HOSTILE: readonly [what: string, text: (length: number) => string][] = [
  ['commas', (length) => ','.repeat(length)],
  ['short parts', (length) => 'a,'.repeat(length / 2)],
  ['commas with blanks', (length) => ' ,'.repeat(length / 2)],
  ['known parts', (length) => 'completed,'.repeat(length / 10)],
  ['one long word', (length) => 'completed'.repeat(length / 9)],
  ['blanks', (length) => `a${' '.repeat(length)}b`],
  ['joins', (length) => `${'-_ '.repeat(length / 3)}x`],
  ['slashes', (length) => 'I/'.repeat(length / 2)],
  ['quotes', (length) => '"'.repeat(length)],
  ['brackets', (length) => '('.repeat(length)],
  ['digits', (length) => '1'.repeat(length)],
];
const LENGTH = 16_000;
/** Work for each character, at most; a look-up of each part in each value would be hundreds. */
const MOST_PER_CHARACTER = 8;

/** Each parameter of the interface once: many operations share one. */
const parameters = [
  ...new Map(
    OPERATIONS.flatMap(({ id, query = {}, params = {} }) =>
      Object.entries({ ...query, ...params }).map(
        ([name, schema]) => [`${name} ${expectedOf(schema)}`, [`${id} ${name}`, schema]] as const,
      ),
    ),
  ).values(),
];

describe('the work of reading', () => {
  it.each(HOSTILE)('any parameter of many %s is a small multiple of its length', (_what, text) => {
    const sent = text(LENGTH);
    for (const [name, schema] of parameters) {
      const work = workOf(() => schema.safeParse(sent).success);
      expect([name, Math.round(work / LENGTH)]).toEqual([
        name,
        expect.toSatisfy((times: number) => times <= MOST_PER_CHARACTER),
      ]);
    }
  });

  it('a parameter that is sent thousands of times grows with their number, not with its square', () => {
    const shape = { status: listParameter(['a', 'b'], 'Letters.').optional() };
    const refused = (): void => expect(() => readParameters(shape, queryPairs('status&'.repeat(2_000)))).toThrow();
    expect(workOf(refused) / 2_000).toBeLessThan(50);
  });

  it('the filters of a webhook stops at the number of filters that there are', () => {
    const query = Object.fromEntries(Array.from({ length: 1_600 }, (_, key) => [`q${key}`, 'x']));
    const body = { url: 'https://example.org/', query };
    expect(workOf(() => webhookCreateSchema.safeParse(body)) / 1_600).toBeLessThan(50);
    const message = webhookCreateSchema.safeParse(body).error?.issues[0]?.message;
    expect(message).toMatch(/^expected at most \d+ keys$/);
  });

  it('a name that is not known compares its beginning alone', () => {
    const names = ['completed', 'terminated', 'x'.repeat(40)];
    expect(nearestNames('x'.repeat(LENGTH), names)).toEqual(nearestNames('x'.repeat(80), names));
    expect(workOf(() => nearestNames('x'.repeat(LENGTH), names))).toBeLessThan(1_000);
  });
});

describe('a list', () => {
  const list = listParameter(['a', 'b'], 'Letters.');

  it('is read up to its largest number of parts, and refused with that number beyond it', () => {
    expect(list.safeParse('a,b,'.repeat(LIST_MAX_PARTS / 2).slice(0, -1)).data).toEqual(['a', 'b']);
    expect(list.safeParse(`${'a,'.repeat(LIST_MAX_PARTS)}b`).error?.issues[0]?.message).toBe(
      'expected one or more of a, b, separated by commas; at most 60 values can be listed',
    );
  });

  it('of any operation can name each of its values twice', () => {
    for (const [name, schema] of parameters) {
      const { items } = (schema.meta()?.json ?? {}) as { items?: { enum?: string[] } };
      expect([name, (items?.enum?.length ?? 0) * 2 <= LIST_MAX_PARTS]).toEqual([name, true]);
    }
  });
});
