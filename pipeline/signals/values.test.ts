import { describe, expect, test } from 'vitest';
import { canonicalUrl, cutText, feedDate, plainText } from './feed-text.ts';

describe('the date of an item', () => {
  test.each([
    ['Wed, 02 Oct 2002 13:00:00 GMT', '2002-10-02T13:00:00.000Z'],
    ['02 Oct 02 13:00 EST', '2002-10-02T18:00:00.000Z'],
    ['Tue, 1 Jul 2025 09:30:15 BST', '2025-07-01T08:30:15.000Z'],
    ['Tue, 31 Dec 85 23:59:59 -0500', '1986-01-01T04:59:59.000Z'],
    ['Thursday, October 2 2002', null],
    ['2 October 2002', '2002-10-02T00:00:00.000Z'],
    ['2026-11-20T08:15:30+05:30', '2026-11-20T02:45:30.000Z'],
    ['2026-11-20T08:15:30.1234567Z', '2026-11-20T08:15:30.123Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['2026-02-30', null],
    ['2026-11-20T25:00:00Z', null],
    ['2026-11-20T10:00:00+99:00', null],
    ['yesterday', null],
  ])('%j is read as %j', (stated, expected) => {
    expect(feedDate(stated)?.toISOString() ?? null).toBe(expected);
  });
});

describe('plain text', () => {
  test.each([
    ['<p>One</p><p>two</p>', 'One two'],
    ['H<sub>2</sub>O and p < 0.05', 'H2O and p < 0.05'],
    ['a<script>alert("x > y")</script>b<style>p{}</style>', 'a b'],
    ['Tom &amp; Jerry&#8217;s &eacute;clair &unknown; &#xD800;', 'Tom & Jerry’s éclair &unknown; \ufffd'],
    ['be\u0000fore\u0007 \u202eafter\u200b', 'before after'],
    ['cut <b off', 'cut'],
    ['<!-- never <b>closed', ''],
    ['half \ud83d pair', 'half \ufffd pair'],
  ])('of %j is %j', (markup, expected) => {
    expect(plainText(markup)).toBe(expected);
  });

  test('of a megabyte of openings is made in linear time', () => {
    const before = process.cpuUsage();
    for (const piece of ['<', '<!--', '<a ', '<script>', '&', '&#', '</', '<script ']) plainText(piece.repeat(200_000));
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
  });

  test('is cut at a blank, with an ellipsis, and never inside a character', () => {
    expect(cutText('one two three', 10)).toBe('one two…');
    expect(cutText('one two', 7)).toBe('one two');
    expect(cutText(`${'x'.repeat(8)}😀😀`, 10)).toBe('xxxxxxxx…');
  });
});

describe('the address of an item', () => {
  const base = 'https://feed.example/a/feed.xml';
  test.each([
    ['HTTPS://News.Example/A?utm_source=x&id=7&fbclid=1#part', 'https://news.example/A?id=7'],
    ['../b?rss=1', 'https://feed.example/b'],
    ['//other.example/c', 'https://other.example/c'],
    ['https://user:secret@news.example/', 'https://news.example/'],
    ['http://news.example:80/d', 'http://news.example/d'],
  ])('%j becomes %j', (stated, expected) => {
    expect(canonicalUrl(stated, base)?.url).toBe(expected);
  });

  test('is the same for http and https', () => {
    expect(canonicalUrl('http://news.example/d', base)?.key).toBe(canonicalUrl('https://news.example/d#x', base)?.key);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example/',
    '',
    'https://',
    `https://a.example/${'x'.repeat(2000)}`,
  ])('%j is none', (stated) => {
    expect(canonicalUrl(stated, base)).toBeNull();
  });
});
