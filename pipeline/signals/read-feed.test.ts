import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FeedFault } from './feeds.ts';
import { type FeedReading, readFeed } from './read-feed.ts';

const TODAY = new Date('2026-11-20T12:00:00.000Z');
const ADDRESS = 'https://publisher.example/news/feed.xml';

function reading(body: string | Buffer, contentType: string | null = null): FeedReading {
  return readFeed({ feed: 'test', body: Buffer.from(body as string), contentType, address: ADDRESS, today: TODAY });
}
/** The code of the FeedFault; any other error is thrown. */
function fault(body: string | Buffer, contentType: string | null = null): string {
  try {
    reading(body, contentType);
    return 'read';
  } catch (error) {
    if (error instanceof FeedFault) return error.code;
    throw error;
  }
}
const rss = (items: string): string => `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`;
const shown = ({ items }: FeedReading) =>
  items.map(({ title, summary, url, publishedAt, dateBasis }) => [title, summary, url, publishedAt, dateBasis]);

describe('a feed', () => {
  test('in RSS 2.0, with markup, relative links and permanent identifiers', () => {
    const found = reading(
      rss(`<item><title>One &amp;amp; two</title><link>../one</link><pubDate>Fri, 20 Nov 2026 08:00:00 EST</pubDate>
          <description><![CDATA[<p>Some <b>words</b>&nbsp;here</p>]]></description></item>
        <item><guid>https://publisher.example/two</guid><description>Only a text</description>
          <dc:date xmlns:dc="http://purl.org/dc/elements/1.1/">2026-11-19</dc:date></item>
        <item><guid isPermaLink="false">tag:3</guid><title>Three</title></item>`),
    );
    expect(shown(found)).toEqual([
      ['One & two', 'Some words here', 'https://publisher.example/one', '2026-11-20T13:00:00.000Z', 'published'],
      ['Only a text', 'Only a text', 'https://publisher.example/two', '2026-11-19T00:00:00.000Z', 'published'],
      ['Three', null, null, null, 'first_seen'],
    ]);
    expect(found).toMatchObject({ refused: 0, undated: 1, future: 0, repeated: 0, replaced: 0 });
    expect(found.items[0]).toMatchObject({ id: '418fe247fcac424c', domain: 'publisher.example' });
  });

  test('in RSS 1.0', () => {
    const found = reading(`<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="x"><title>T</title></channel>
      <item rdf:about="https://a.example/1"><title>One</title><link>https://a.example/1?rss=1</link><dc:date>2026-11-18T10:00:00Z</dc:date></item></rdf:RDF>`);
    expect(shown(found)).toEqual([['One', null, 'https://a.example/1', '2026-11-18T10:00:00.000Z', 'published']]);
  });

  test('in Atom 1.0, with xml:base, its alternate link, markup as XHTML, and the time of its update', () => {
    const found = reading(`<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/x/">
      <entry xml:base="y/"><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">H<sub>2</sub>O</div></title>
        <id>urn:1</id><link rel="self" href="https://wrong.example/"/><link href="z"/>
        <updated>2026-11-17T10:00:00Z</updated><summary type="html">&lt;i&gt;s&lt;/i&gt; text</summary></entry></feed>`);
    expect(shown(found)).toEqual([['H2O', 's text', 'https://b.example/x/y/z', '2026-11-17T10:00:00.000Z', 'updated']]);
  });

  test('in JSON Feed 1.1', () => {
    const items = [
      { id: 7, url: '/seven', title: 'Seven', content_html: '<p>x</p>', date_published: '2026-11-16T00:00:00Z' },
      { id: 'eight', title: { not: 'text' }, summary: 'only text' },
      'nothing',
    ];
    const found = reading(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', title: 'T', items }));
    expect(shown(found)).toEqual([
      ['Seven', 'x', 'https://publisher.example/seven', '2026-11-16T00:00:00.000Z', 'published'],
      ['only text', 'only text', null, null, 'first_seen'],
    ]);
    expect(found.refused).toBe(1);
  });

  test('counts what it refuses, repeats, cannot date and does not believe', () => {
    const item = (link: string, date: string, title = 'T') =>
      `<item><title>${title}</title><link>${link}</link><pubDate>${date}</pubDate></item>`;
    const found = reading(
      rss(
        item('https://a.example/1', '2026-11-19') +
          item('http://a.example/1#again', '2026-11-18') +
          item('https://a.example/2', '2026-11-21T12:00:00Z') +
          item('https://a.example/3', '2026-11-21T12:00:01Z') +
          item('https://a.example/4', 'soon') +
          item('javascript:alert(1)', '2026-11-18') +
          item('https://a.example/5', '2026-11-18', ''),
      ),
    );
    expect(found).toMatchObject({ refused: 2, undated: 1, future: 1, repeated: 1 });
    expect(shown(found).map(([, , url, at, basis]) => [url, at, basis])).toEqual([
      ['https://a.example/1', '2026-11-18T00:00:00.000Z', 'published'],
      ['https://a.example/2', '2026-11-21T12:00:00.000Z', 'published'],
      ['https://a.example/3', null, 'first_seen'],
      ['https://a.example/4', null, 'first_seen'],
    ]);
  });

  test('keeps at most 300 characters of a title and 400 of a summary', () => {
    const found = reading(
      rss(`<item><guid>g</guid><title>${'t'.repeat(301)}</title><description>${'s'.repeat(401)}</description></item>`),
    );
    expect([found.items[0]?.title.length, found.items[0]?.summary?.length]).toEqual([300, 400]);
  });
});

describe('the charset of a feed', () => {
  const title = (read: FeedReading) => read.items[0]?.title;
  const item = rss('<item><guid>g</guid><title>café</title></item>');

  test('is that of its byte order mark, else of the header, else of its declaration, else UTF-8', () => {
    const declared = `<?xml version="1.0" encoding="iso-8859-1"?>${item}`;
    expect(title(reading(Buffer.from(`\ufeff${item}`, 'utf16le'), 'text/xml; charset=utf-8'))).toBe('café');
    expect(title(reading(Buffer.from(item, 'latin1'), 'text/xml; charset="ISO-8859-1"'))).toBe('café');
    expect(title(reading(Buffer.from(declared, 'latin1')))).toBe('café');
    expect(title(reading(Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${item}`)))).toBe('café');
    expect(title(reading(item))).toBe('café');
  });

  test('that is broken costs the broken characters, counted, and nothing else', () => {
    const found = reading(Buffer.from(item, 'latin1'));
    expect([title(found), found.replaced]).toEqual(['caf\ufffd', 1]);
  });

  test('that is not known is a named fault', () => {
    expect(fault(`<?xml version="1.0" encoding="klingon"?>${item}`)).toBe('charset');
  });
});

describe('a text that is not a feed', () => {
  const deep = `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`;
  const bomb = `<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(10)}">]>`;
  const open = '<rss><channel><item><title>One</title>';
  test.each([
    ['a web page', '<!doctype html><html><body>Maintenance</body></html>', 'html'],
    ['an entity bomb', `${bomb}${rss('<item><title>&b;</title></item>')}`, 'document-type'],
    ['an external entity', '<?xml version="1.0"?><!DOCTYPE r SYSTEM "file:///etc/passwd"><rss/>', 'document-type'],
    ['deep nesting', rss(`<item>${deep}</item>`), 'too-deep'],
    ['truncated XML', open, 'malformed'],
    ['truncated JSON', '{"version":"https://jsonfeed.org/version/1.1","items":[', 'malformed'],
    ['deeply nested JSON', '['.repeat(200_000), 'malformed'],
    ['other JSON', '{"items":[]}', 'not-a-feed'],
    ['other XML', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'not-a-feed'],
    ['nothing', '  \n', 'not-a-feed'],
    ['half a million elements', rss('<a/>'.repeat(500_000)), 'too-large'],
  ])('is refused by name: %s', (_, body, code) => {
    expect(fault(body)).toBe(code);
  });

  test('has no entity of its own expanded', () => {
    const late = '<!DOCTYPE r [<!ENTITY own "expanded">]><item><guid>g</guid><title>&own; &lt;b&gt;</title></item>';
    expect(reading(rss(late)).items[0]?.title).toBe('&own;');
  });
});

describe('reading', () => {
  test('throws nothing but a fault of the feed, whatever the bytes', () => {
    const pieces = fc.constantFrom(
      ...['<rss>', '<channel>', '<item>', '</item>', '<title>', '<![CDATA[', ']]>', '<!--', '&#', '<?xml', '"'],
      ...['x:y=', '<x:y ', '>', '{"version":"https://jsonfeed.org/version/1",', '"items":[', '\u0000'],
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array)),
      fc.array(fc.oneof(pieces, fc.string()), { maxLength: 30 }).map((parts) => Buffer.from(parts.join(''))),
    );
    fc.assert(
      fc.property(bytes, fc.option(fc.string()), (body, contentType) => {
        expect(fault(body, contentType)).toMatch(/^[a-z-]+$/);
      }),
      { numRuns: 2000, seed: 5 },
    );
  });
});
