import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAGES } from '../../contract/pages.ts';
import { mainOf } from '../support/main-of.ts';
import { markupFaults } from '../support/markup-faults.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { type ReadPage, readPage } from '../support/read-page.ts';

let origin: TestOrigin;
let docs: ReadPage;
beforeAll(async () => {
  origin = await openOrigin();
  docs = await readPage(origin, '/docs');
});
afterAll(() => origin[Symbol.asyncDispose]());

/** The commands of the page, as a reader copies them. */
function commands(): string[] {
  return [...docs.markup.matchAll(/<pre><code>(curl [^<]*)<\/code><\/pre>/g)].map((match) =>
    match[1]!
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&'),
  );
}

/** The request that curl would send. The test reads the command's words itself and starts no shell. */
function requestOf(command: string): { method: string; address: string; body: string | undefined } {
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'/g)].map((match) => match[1]!.replaceAll("'\\''", "'"));
  return {
    method: /-X (\w+)/.exec(command)?.[1] ?? 'GET',
    address: words.find((word) => word.startsWith('http'))!,
    body: command.includes(' -d ') ? words.at(-1) : undefined,
  };
}

describe('/docs', () => {
  it('is in the layout of the pages and is whole HTML', () => {
    expect([docs.status, markupFaults(docs.markup)]).toEqual([200, []]);
    expect(docs.markup).toContain('<title>Every operation · Trial Board</title>');
    expect(docs.markup).toContain('<a href="/docs" aria-current="page">API</a>');
    for (const { path } of PAGES) expect(docs.markup).toContain(`<code>${path}</code>`);
  });

  it('has commands that run as they are printed, wherever they need no id and no credential of the reader', async () => {
    const whole = commands().filter(
      (command) => !/\bID\b|\$(API_KEY|WEBHOOK_SECRET)|the-id-of-|NCT01234567/.test(command),
    );
    expect(whole.length).toBeGreaterThan(60);
    const failed: string[] = [];
    for (const command of whole) {
      const { method, address, body } = requestOf(command);
      expect(address.startsWith(origin.url)).toBe(true);
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
      await answer.body?.cancel();
      if (answer.status >= 400) failed.push(`${answer.status} ${command}`);
    }
    expect(failed).toEqual([]);
  });

  it('escapes what it prints and keeps an address of its own for every operation', () => {
    expect(docs.markup).not.toMatch(/undefined|\[object Object\]/);
    expect(docs.markup).toContain('<h3 id="trials-search">Search trials</h3>');
  });
});

describe('/login and /signup', () => {
  it.each([
    ['/login', 'Log in'],
    ['/signup', 'Sign up'],
  ])('%s says in the layout of the pages that there is nothing of the kind, and takes nothing', async (path, title) => {
    const { status, markup, text } = await readPage(origin, path);
    expect([status, markupFaults(markup)]).toEqual([200, []]);
    expect(markup).toContain(`<h1>${title}</h1>`);
    expect(text).toContain('The private patient-model interface is not part of this deployment.');
    expect(markup).toContain('<a href="/patient-model">');
    expect(mainOf(markup)).not.toMatch(/<(form|input|button|script)/);
  });
});
