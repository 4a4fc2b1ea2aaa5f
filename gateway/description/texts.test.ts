import { describe, expect, it } from 'vitest';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { html } from '../pages/html.ts';
import { curlOf } from './curl.ts';
import { llmsText } from './llms-text.ts';

const BASE = 'https://trials.example.org';
const text = llmsText(BASE);

it('HTML escapes every value, also in attributes, and nests what is HTML already', () => {
  const hostile = `"><script>'&`;
  expect(html`<a href="${hostile}">${hostile}</a>`.text).toBe(
    '<a href="&quot;&gt;&lt;script&gt;&#39;&amp;">&quot;&gt;&lt;script&gt;&#39;&amp;</a>',
  );
  expect(html`<p>${[html`<b>${1}</b>`, null, false, '<']}</p>`.text).toBe('<p><b>1</b>&lt;</p>');
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
