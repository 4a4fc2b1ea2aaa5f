import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../html.ts';
import { chart } from './chart.ts';
import { pager, turningByOffset } from './list-controls.ts';
import { marked } from './marked.ts';
import { table } from './parts.ts';
import type { DrawnPicture } from './picture.ts';

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

describe('a table', () => {
  const row = { name: 'A', trials: 3, note: '<x>' };
  const name = ['Name', ({ name }: typeof row) => name] as const;
  const trials = ['Trials', ({ trials }: typeof row) => trials, 'number'] as const;
  const note = ['Note', ({ note }: typeof row) => note] as const;

  it('has the heading of its column on each cell, for a phone', () => {
    expect(table('T', [row], [name, trials, note]).text).toContain(
      '<tr role="row"><th scope="row" role="rowheader">A</th><td role="cell" data-label="Trials" class="number">3</td><td role="cell" data-label="Note">&lt;x&gt;</td></tr>',
    );
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

  it('leads to the third page from the first, and names a page rather than a gap of one', () => {
    expect(shownAt(1, 115)).toBe('shown 1 2 3 … 12 Next');
    expect(shownAt(2, 115)).toBe('shown Previous 1 2 3 … 12 Next');
    expect(shownAt(4, 115)).toBe('shown Previous 1 2 3 4 5 … 12 Next');
    expect(shownAt(1, 40)).toBe('shown 1 2 3 4 Next');
    expect(shownAt(1, 45)).toBe('shown 1 2 3 4 5 Next');
  });

  it('leaves the number of the first page out of its address, and keeps the query', () => {
    const { text } = pager({
      path: '/trials',
      query: new URLSearchParams({ q: 'a', page: '2' }),
      paging: { page: 2, pageSize: 10, totalItems: 30, hasMore: true },
      shown: '',
      fragment: '#list',
    });
    expect(text).toContain('<a rel="prev" href="/trials?q=a#list">Previous</a>');
    expect(text).toContain('<a rel="next" href="/trials?q=a&amp;page=3#list">Next</a>');
    expect(text).toContain('<a href="/trials?q=a&amp;page=2#list" aria-label="Page 2" aria-current="page">2</a>');
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

it('a chart is drawn for a wide and a narrow column, above its definition and numbers', () => {
  const drawn: number[] = [];
  const draw = (width: number): string => {
    drawn.push(width);
    return `<svg width="${width}"></svg>`;
  };
  const picture: DrawnPicture = {
    ...{ name: 'phases', own: { q: 'a & b' }, title: 'Phases', definition: 'Each trial once.', page: '/' },
    ...{ columns: [], rows: [], draw },
  };
  const { text } = chart({ picture, table: table('Phases', [], []) });
  expect(drawn).toEqual([720, 340]);
  expect(text).toContain(
    '<div class="wide"><svg width="720"></svg></div><div class="narrow"><svg width="340"></svg></div>',
  );
  expect(words(text)).toBe('Phases Each trial once. The numbers as a table Phases SVG : Phases CSV : Phases');
  expect([...text.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    '/charts/phases.svg?q=a+%26+b',
    '/charts/phases.csv?q=a+%26+b',
  ]);
});
