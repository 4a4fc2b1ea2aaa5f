import { type Profiler, Session } from 'node:inspector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryPairs, readParameters } from '../server-kit/parameters.ts';
import { nearestNames } from './nearest-names.ts';
import { OPERATIONS } from './operations.ts';
import { expectedOf, LIST_MAX_PARTS, listParameter } from './parameters.ts';
import { webhookCreateSchema } from './schemas/webhook.ts';

/**
 * Work is counted, not timed: V8 counts how often each block of the program's own code runs, so that the same input gives the same
 * number on any machine.
 */
const session = new Session();
beforeAll(() => {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(() => session.disconnect());

/** Runs of blocks of this repository's files, without its packages, since the last call. */
function blocksRun(): number {
  let taken: Profiler.TakePreciseCoverageReturnType | undefined;
  session.post('Profiler.takePreciseCoverage', (_fault, result) => {
    taken = result;
  });
  const own = taken!.result.filter(({ url }) => /\/(?:contract|server-kit)\//.test(url) && !url.includes('.test.'));
  const ranges = own.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return ranges.reduce((total, { count }) => total + count, 0);
}

function workOf(run: () => unknown): number {
  blocksRun();
  run();
  return blocksRun();
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
const SHORT = 2_000;
const LONG = 16_000;
/** Blocks that the longest text may run for a parameter beyond the shorter one; a look-up of each part would run hundreds of thousands. */
const FURTHER_MAX = 100;

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
  it.each(HOSTILE)('all parameters of many %s does not grow with their length', (_what, text) => {
    const read = (length: number) =>
      workOf(() => parameters.map(([, schema]) => schema.safeParse(text(length)).success));
    read(SHORT);
    expect((read(LONG) - read(SHORT)) / parameters.length).toBeLessThan(FURTHER_MAX);
  });

  it('a name that is not known does not grow with its length', () => {
    const names = parameters.map(([name]) => name);
    const compare = (length: number) => workOf(() => nearestNames('x'.repeat(length), names, 0.5));
    compare(SHORT);
    expect(compare(LONG) - compare(SHORT)).toBeLessThan(FURTHER_MAX);
  });

  it('a parameter that is sent again and again grows with the number of times, not with its square', () => {
    const shape = { status: listParameter(['a', 'b'], 'Letters.').optional() };
    const read = (times: number) =>
      workOf(() => {
        try {
          readParameters(shape, queryPairs('status&'.repeat(times)));
        } catch {
          // It is refused, since a parameter is given once.
        }
      });
    read(100);
    expect(read(2_000) / read(1_000)).toBeLessThan(2.2);
  });

  it('the filters of a webhook does not grow with their number beyond the filters that there are', () => {
    const body = (keys: number) => ({
      url: 'https://example.org/',
      query: Object.fromEntries(Array.from({ length: keys }, (_, key) => [`q${key}`, 'x'])),
    });
    const read = (keys: number) => workOf(() => webhookCreateSchema.safeParse(body(keys)));
    read(100);
    expect(read(1_600) - read(200)).toBeLessThan(FURTHER_MAX);
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
