import { describe, expect, it } from 'vitest';
import { integerParameter, textListParameter, textParameter } from '../contract/parameters.ts';
import { readQuery } from './parameters.ts';

const query = {
  q: textParameter(1000, 'words').optional(),
  page: integerParameter(1, 9, 'page').default(1),
  list: textListParameter({ items: 3, max: 9 }, 'some texts').optional(),
};
const kept = { query, cache: 'snapshot' } as const;

describe('a query', () => {
  const SENT = '?q=a+b&list=x,y&other=1';
  const READ = {
    pairs: [
      { name: 'q', value: 'a b' },
      { name: 'list', value: 'x,y' },
      { name: 'other', value: '1' },
    ],
    values: { q: 'a b', page: 1, list: ['x', 'y'] },
    applied: { q: 'a b', list: 'x,y' },
    ignored: ['other'],
  };

  it('that is asked again is read once for each operation, and nobody can change what was read', () => {
    const first = readQuery(kept, SENT);
    expect(first).toEqual(READ);
    expect(readQuery(kept, SENT)).toBe(first);
    expect(readQuery({ query: {}, cache: 'snapshot' }, SENT)).toMatchObject({
      values: {},
      ignored: ['q', 'list', 'other'],
    });
    expect(() => (first.values.list as string[]).push('z')).toThrow(TypeError);
    expect(() => Object.assign(first.values, { q: 'c' })).toThrow(TypeError);
    expect(() => Object.assign(first.applied, { q: 'c' })).toThrow(TypeError);
  });

  it.each([
    ['of an operation that no cache may keep', { query }, SENT],
    ['of an operation whose answers change', { query, cache: 'revalidate' as const }, SENT],
    ['that is very long', kept, `?q=${'a'.repeat(510)}`],
  ])('%s is not kept', (_, operation, sent) => {
    const first = readQuery(operation, sent);
    expect(readQuery(operation, sent)).toEqual(first);
    expect(readQuery(operation, sent)).not.toBe(first);
  });

  it('that cannot be read is refused each time', () => {
    for (const _ of [1, 2]) expect(() => readQuery(kept, '?page=x')).toThrow('The parameter page is not usable');
  });
});
