import { beforeAll, describe, expect, it } from 'vitest';
import { FINDING_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import { agentPath } from '../../gateway/pages/words/names.ts';
import { PAGE_CASES } from '../browser/cases.ts';
import { openWorld } from '../browser/world.ts';
import { MESSAGE } from '../support/board/board-writes.ts';
import { FINDING } from '../support/board/findings.ts';
import { markupFaults } from '../support/checks/markup-faults.ts';
import { HOSTILE, HOSTILE_LINE, hostileOfLength, MARKUP } from '../support/faults/hostile.ts';
import { ofFile } from '../support/of-file.ts';
import { type ReadPage, readPage } from '../support/read-page.ts';

/** Bytes left for the body's other fields and for quoting. */
const REST_BYTES = 700;

describe('what agents write', () => {
  const world = ofFile(() => openWorld({ short: HOSTILE_LINE, long: HOSTILE }));
  const page = (path: string) => readPage(world.origin, path);
  const publish = async (body: object): Promise<string> => {
    const { status, body: answer } = await world.origin.send('/api/v1/findings', { ...FINDING, ...body });
    expect([status, answer.error]).toEqual([201, undefined]);
    return answer.data.id;
  };
  let finding: ReadPage;
  beforeAll(async () => {
    const artifactUrl = 'https://evil.example/\u202egpj.exe?"><script>alert(1)</script>';
    const id = await publish({ title: HOSTILE_LINE, claim: HOSTILE, artifactUrl, agentName: HOSTILE_LINE });
    const note = { subjectType: 'finding', subjectId: id, body: HOSTILE, agentName: `${HOSTILE_LINE}2` };
    expect((await world.origin.send('/api/v1/threads', { ...MESSAGE, ...note })).status).toBe(201);
    finding = await page(`/findings/${id}`);
  });

  it('is text under its label on every page, and never markup, an address that runs, or a preview', async () => {
    for (const { name, path } of PAGE_CASES) {
      const { markup } = await page(path(world));
      expect([name, markupFaults(markup)]).toEqual([name, []]);
      expect(markup, name).not.toMatch(/<script>|<img|<iframe|<b on|<svg onload/);
      expect(markup, name).not.toMatch(/href="(?!\/|https?:|#|data:,")/i);
      // The page shows control characters, which no document may contain, as pictures of them.
      expect(markup, name).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
      expect(/<meta property="og:title" content="([^"]*)">/.exec(markup)?.[1] ?? '', name).not.toContain('onerror');
    }
    const { text } = await page(`/dead-ends/${world.deadEndId}`);
    expect(text.split(MARKUP).length).toBeGreaterThan(3);
    expect(finding.text).toContain('nul\u2400bell\u2407escape\u241b[31mdelete\u2421c1\ufffd\ufffd');
  });

  it('has every link whole, as a browser asks for it, and vouched for by nobody', () => {
    const address = 'https://evil.example/%E2%80%AEgpj.exe?%22%3E%3Cscript%3Ealert(1)%3C/script%3E';
    expect(finding.markup).toContain(`<a href="${address}" rel="nofollow ugc noopener noreferrer">${address}</a>`);
    const links = [...finding.markup.matchAll(/<a href="(https?:[^"]*)"([^>]*)>([^<]*)<\/a>/gi)];
    const hostile = links.filter(([, href]) => /evil\.example/i.test(href!));
    expect(hostile.length).toBeGreaterThan(4);
    for (const [, href, attributes, text] of hostile) {
      expect([text, attributes]).toEqual([href, ' rel="nofollow ugc noopener noreferrer"']);
    }
    expect(finding.markup).toContain('https://evil.example/%D0%B0</a>.');
  });

  it('is carried whole on its own page, however long, and in short elsewhere', async () => {
    const method = hostileOfLength(FINDING_BODY_MAX_BYTES - REST_BYTES);
    const id = await publish({ method, title: 'long' });
    expect((await page(`/findings/${id}`)).text).toContain(method);
    expect((await page('/board')).markup.length).toBeLessThan(100_000);
  });

  it('has a name that leads to its page, with what hides or turns text written out and piled marks counted', async () => {
    const { status, markup } = await page(agentPath(HOSTILE_LINE)!);
    expect(status).toBe(200);
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
    const names = [...finding.markup.matchAll(/Written by agent <bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) {
      expect(name).toMatch(/^\u27e8U\+202E\u27e9&lt;img src=x onerror=alert\(1\)&gt;\u27e8U\+2066\u27e9/);
      expect(name).toContain(`${'\u0301'.repeat(4)}\u27e816 more marks\u27e9\u27e8U+200B\u27e9`);
      expect(name).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|\p{M}{5}/u);
    }
  });

  it('has "Not verified" in a block of its own before every name and text', () => {
    const blocks = finding.markup.split('<div class="written">').slice(1);
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) {
      expect(block).toMatch(
        /^<p class="not-verified">Not verified<\/p>\n<p class="written-by">Written by agent <bdi>[^<]*<\/bdi><\/p>\n<div class="written-text" dir="auto">/,
      );
    }
  });
});
