import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../contract/operations.ts';
import { OWN_NAME, OWN_WORDS, withoutStatements } from '../../contract/own-words.ts';
import { codesOf } from '../../gateway/description/codes.ts';
import { AREAS, docsAddress } from '../../gateway/pages/docs/areas.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { filledIn } from '../support/filled-in.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { type ReadPage, readPage } from '../support/read-page.ts';

let origin: TestOrigin;
let areas: ReadPage[];
beforeAll(async () => {
  origin = await openOrigin();
  areas = await Promise.all([...AREAS.keys()].map((area) => readPage(origin, `/docs/${area}`)));
});
afterAll(() => origin[Symbol.asyncDispose]());

/** The commands of the areas, as a reader copies them. */
function commands(): string[] {
  return areas.flatMap(({ markup }) =>
    [...markup.matchAll(/<pre data-copy-block><code>(curl [^<]*)<\/code><\/pre>/g)].map((match) =>
      match[1]!
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ),
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
  it('leads to every operation, and has an anchor for each', async () => {
    const { status, markup } = await readPage(origin, '/docs');
    expect([status, markupFaults(markup)]).toEqual([200, []]);
    expect(markup).toContain('<li id="trials-search"><a href="/docs/trials#trials-search">Search trials</a></li>');
    expect(OPERATIONS.filter((operation) => !markup.includes(`href="${docsAddress(operation)}"`))).toEqual([]);
  });

  it('finds operations by words without script, and says where none has them', async () => {
    const found = await readPage(origin, '/docs?q=how+many+trials');
    expect(found.markup).toContain('<a href="/docs/trials#trials-coverage">Count distinct trials</a>');
    const none = await readPage(origin, '/docs?q=%3Cqqqq%3Ezzzz');
    expect(none.text).toContain('No operation has these words');
    expect(none.markup).toContain('value="&lt;qqqq&gt;zzzz"');
  });
});

describe('an area of /docs', () => {
  it('has the parameters, every code and the other names of each of its operations, and is whole HTML', () => {
    for (const [place, operations] of [...AREAS.values()].entries()) {
      const { status, markup } = areas[place]!;
      expect([status, markupFaults(markup)]).toEqual([200, []]);
      expect(markup).not.toMatch(/undefined|\[object Object\]/);
      for (const operation of operations) {
        const start = markup.indexOf(`<article aria-labelledby="${operation.id}">`);
        expect(start).toBeGreaterThan(0);
        const article = markup.slice(start, markup.indexOf('</article>', start));
        expect(article).toContain(`<h2 id="${operation.id}">`);
        const parameters = Object.keys({ ...operation.params, ...operation.query });
        for (const word of [...parameters, ...codesOf(operation), ...Object.values(operation.names ?? {}).flat()])
          expect(article).toContain(`<code>${word}</code>`);
      }
    }
  });

  it('has commands that run as they are printed, but for statements, wherever they need no id and no credential of the reader', async () => {
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
      if (answer.status < 400) {
        // A feed that is followed has no end.
        await answer.body?.cancel();
        continue;
      }
      const text = await answer.text();
      // What an agent says is its own: the example of a statement is refused as one.
      const own = (text.includes(OWN_WORDS) || text.includes(OWN_NAME)) && body !== undefined;
      const filled = own ? JSON.stringify(filledIn(withoutStatements(JSON.parse(body)))) : null;
      const again = filled === null ? answer : await fetch(address, { method, headers, body: filled });
      if (again !== answer) await again.body?.cancel();
      if (again.status >= 400) failed.push(`${again.status} ${command}`);
    }
    expect(failed).toEqual([]);
  });
});

describe('/about and /glossary', () => {
  it('name sources with their licences, the method, the error rates with their counts, and who runs the service', async () => {
    const { status, markup, text } = await readPage(origin, '/about');
    expect([status, markupFaults(markup)]).toEqual([200, []]);
    expect(text).toContain('The operator of this copy has not given a name.');
    expect(markup).toContain('<a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0 for record fields</a>');
    expect(text).toContain('94.9 % (370/390; 92.2 to 96.7)');
  });

  it('name the operator whom the settings name, escaped', async () => {
    const operator = { name: 'The <Lab>', contact: 'https://lab.example/contact' };
    await using named = await openOrigin({ operator });
    const { markup } = await readPage(named, '/about');
    expect(markup).toContain('The &lt;Lab&gt;, <a href="https://lab.example/contact">https://lab.example/contact</a>');
  });

  it('explain every word of docs/glossary.md', async () => {
    const { markup, text } = await readPage(origin, '/glossary');
    expect(markupFaults(markup)).toEqual([]);
    expect(text).toContain('What a registry sent about one study, byte for byte.');
    expect(markup).toContain('<code>clinicaltrials_gov</code>');
    expect(text).toContain('A place without an observation where the candidates lie apart.');
  });
});
