import { describe, expect, it } from 'vitest';
import { integerParameter, textListParameter, textParameter } from '../contract/parameters.ts';
import { readQuery } from './parameters.ts';

const query = {
  q: textParameter(1000, 'words').optional(),
  page: integerParameter(1, 9, 'page').default(1),
  list: textListParameter({ items: 3, max: 9 }, 'some texts').optional(),
};
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

  it('is read with the parameters of its operation, and what is not known is named', () => {
    expect(readQuery({ query }, SENT)).toEqual(READ);
    expect(readQuery({ query: {} }, SENT)).toMatchObject({ values: {}, ignored: ['q', 'list', 'other'] });
  });

  it('that cannot be read is refused', () => {
    expect(() => readQuery({ query }, '?page=x')).toThrow('The parameter page is not usable');
  });
});
