import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../html.ts';
import { pager, turningByOffset } from './list-controls.ts';
import { marked } from './marked.ts';

const words = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('a list within a page', () => {
  const query = new URLSearchParams('votesOffset=8&exercisesOffset=4');
  const links = (shown: number, total: number) =>
    [
      ...(turningByOffset('/council/a', query, 'votes', { offset: 8, shown, total }) || html``).text.matchAll(
        /href="([^"]*)"/g,
      ),
    ].map(([, href]) => href);

  it('leads back to its beginning and on to its next part, and keeps where the others are', () => {
    expect(links(8, 20)).toEqual([
      '/council/a?exercisesOffset=4#votes',
      '/council/a?votesOffset=16&amp;exercisesOffset=4#votes',
    ]);
  });

  it('leads back alone from its last part and from beyond its end', () => {
    expect(links(8, 16)).toEqual(['/council/a?exercisesOffset=4#votes']);
    expect(links(0, 3)).toEqual(['/council/a?exercisesOffset=4#votes']);
  });
});

describe('a pager', () => {
  const shownAt = (page: number, totalItems: number) =>
    words(
      pager({
        path: '/trials',
        query: new URLSearchParams({ q: 'a' }),
        paging: { page, pageSize: 10, totalItems, hasMore: null },
        shown: 'shown',
      }).text,
    );

  it('names the first page, the last one and those around, with gaps between', () => {
    expect(shownAt(1, 9)).toBe('shown');
    expect(shownAt(1, 25)).toBe('shown 1 2 3 Next');
    expect(shownAt(6, 115)).toBe('shown Previous 1 … 5 6 7 … 12 Next');
    expect(shownAt(12, 115)).toBe('shown Previous 1 … 10 11 12');
    expect(shownAt(99, 115)).toBe('shown Previous 1 … 10 11 12');
  });
});

describe('marking', () => {
  it('marks the words that differ, in each text and in both together', () => {
    const { before, after, together } = marked('Adults over 18', 'Adults over 21 <years>');
    expect(before.text).toBe('Adults over <del>18</del>');
    expect(after.text).toBe('Adults over <ins>21 &lt;years&gt;</ins>');
    expect(together.text).toBe('Adults over <del>18</del><ins>21 &lt;years&gt;</ins>');
  });

  it('loses nothing of either text', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'dose', ' ', '\n', '<', '&', 'é'), { maxLength: 30 });
    const plain = (markup: string) =>
      markup
        .replaceAll(/<\/?(?:ins|del)>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&amp;', '&');
    fc.assert(
      fc.property(text, text, (one, other) => {
        const { before, after } = marked(one.join(''), other.join(''));
        expect([plain(before.text), plain(after.text)]).toEqual([one.join(''), other.join('')]);
      }),
    );
  });
});
