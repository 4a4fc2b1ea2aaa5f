import { describe, expect, it } from 'vitest';
import { DOORS } from '../../contract/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { html } from '../pages/html.ts';
import { documentOf } from '../pages/layout.ts';
import { codesOf } from './codes.ts';
import { curlOf } from './curl.ts';
import { docsPage } from './docs-page.ts';
import { llmsText } from './llms-text.ts';

const BASE = 'https://trials.example.org';
const documentFor = (baseUrl: string) =>
  documentOf(docsPage(baseUrl), { current: '/docs', address: '/docs', theme: null, baseUrl, provenance: {} });
const page = documentFor(BASE);
const text = llmsText(BASE);

describe('HTML', () => {
  it('escapes every value, also in attributes, and nests what is HTML already', () => {
    const hostile = `"><script>'&`;
    expect(html`<a href="${hostile}">${hostile}</a>`.text).toBe(
      '<a href="&quot;&gt;&lt;script&gt;&#39;&amp;">&quot;&gt;&lt;script&gt;&#39;&amp;</a>',
    );
    expect(html`<p>${[html`<b>${1}</b>`, null, false, '<']}</p>`.text).toBe('<p><b>1</b>&lt;</p>');
  });
});

describe('/docs', () => {
  it('has a heading, the parameters, every code and the other names of each operation', () => {
    for (const operation of OPERATIONS) {
      const start = page.indexOf(`<article aria-labelledby="${operation.id}">`);
      expect(start).toBeGreaterThan(0);
      const article = page.slice(start, page.indexOf('</article>', start));
      expect(article).toContain(`<h3 id="${operation.id}">`);
      const parameters = Object.keys({ ...operation.params, ...operation.query });
      for (const word of [...parameters, ...codesOf(operation), ...Object.values(operation.names ?? {}).flat()]) {
        expect(article).toContain(`<code>${word}</code>`);
      }
    }
  });

  it('runs and loads nothing but the style and the script of all pages, and its ids are unique and its own links lead somewhere', () => {
    expect(page).not.toMatch(/<(script(?! src=)|style|img|iframe|object)\b|\bon\w+=|style="|@import|url\(/i);
    expect(page.match(/<link rel="\w+"/g)).toEqual([
      '<link rel="canonical"',
      '<link rel="icon"',
      '<link rel="stylesheet"',
    ]);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    const links = [...page.matchAll(/(?:href="#|aria-labelledby=")([^"]+)"/g)].map((match) => match[1]);
    expect(links.filter((target) => !ids.includes(target))).toEqual([]);
  });

  it('is sound for a keyboard and a screen reader: language, title, one h1, landmarks, a skip link, table headers', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toMatch(/<title>[^<]+<\/title>/);
    expect(page.match(/<h1\b/g)).toHaveLength(1);
    expect(page.match(/<(header|nav|main|footer)\b/g)).toEqual(['<header', '<nav', '<nav', '<main', '<nav', '<footer']);
    expect(page).toContain('<a class="skip" href="#main">');
    const tables = page.match(/<table>/g)?.length;
    expect(page.match(/<caption>/g)).toHaveLength(tables!);
    expect(page.match(/<thead><tr><th scope="col">/g)).toHaveLength(tables!);
    expect(page.match(/<tr>(?!<th scope="(row|col)">)/g)).toBeNull();
  });

  it('says that MCP clients must accept both media types', () => {
    expect(page).toContain('Accept: application/json, text/event-stream');
  });

  it('escapes the address that it was asked under', () => {
    expect(documentFor('http://"><script>alert(1)</script>')).not.toContain('<script>');
  });
});

describe('a command', () => {
  const operation = OPERATIONS.find(({ id }) => id === 'claims-create')!;

  it('keeps a quote in an address or a body inside its shell word', () => {
    const body = { scope: "it's" };
    expect(curlOf({ ...operation, exampleBody: body }, "http://a'b")).toBe(
      `curl -X POST 'http://a'\\''b/api/v1/claims' \\
  -H "Idempotency-Key: $(uuidgen)" \\
  -H 'Content-Type: application/json' \\
  -d '{"scope":"it'\\''s"}'`,
    );
  });
});

describe('/llms.txt', () => {
  it('has every endpoint and every door in a line, and the rules', () => {
    for (const { method, path, summary } of OPERATIONS) {
      expect(text).toMatch(
        new RegExp(`^- ${method} ${path.replaceAll(/[{}.]/g, '\\$&')}( \\([^)]*\\))?: ${summary}`, 'm'),
      );
    }
    for (const { path, summary } of DOORS) expect(text).toContain(`${BASE}${path}: ${summary}.`);
    expect(text).toContain('Never sum the totals of registries');
    expect(text).toContain('untrusted public text');
  });

  it('begins as the llms.txt form has it: a title, then a quoted summary', () => {
    expect(text).toMatch(/^# Trial Board\n\n> /);
  });
});
