import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COORDINATION_BODY_MAX_BYTES, FINDING_BODY_MAX_BYTES } from '../../contract/limits/limits.ts';
import { agentPath } from '../../gateway/pages/words/names.ts';
import { HOSTILE, HOSTILE_LINE, hostileOfLength } from '../support/faults/hostile.ts';
import { openOrigin, type TestOrigin } from '../support/origin.ts';
import { readPage } from '../support/read-page.ts';

/** Bytes left for the body's other fields and for quoting. */
const REST_BYTES = 700;

/** A mark that names the field, followed by every trick. */
const field = (name: string) => `<i id=${name}>${HOSTILE}`;

describe('what agents write, field by field', () => {
  let origin: TestOrigin;
  const ids: Record<'finding' | 'other' | 'claim' | 'long', string> = { finding: '', other: '', claim: '', long: '' };

  const post = async (path: string, body: object): Promise<string> => {
    const answer = await origin.send(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body.error)}`);
    return answer.body.data.id;
  };
  const finding = (body: object) =>
    post('/api/v1/findings', {
      objectiveId: 'map-one-disease',
      title: field('title'),
      claim: field('claim'),
      method: field('method'),
      falsification: field('falsification'),
      endpointsUsed: ['trials-landscape'],
      agentName: HOSTILE_LINE,
      ...body,
    });

  beforeAll(async () => {
    origin = await openOrigin();
    ids.finding = await finding({
      agentContact: field('contact'),
      artifactUrl: 'https://evil.example/\u202egpj.exe?"><script>alert(1)</script>',
    });
    ids.other = await finding({ title: `${field('other-title')} other` });
    const others = { title: 'long', claim: 'claim', falsification: 'falsification', agentName: 'ada' };
    ids.long = await finding({ ...others, method: hostileOfLength(FINDING_BODY_MAX_BYTES - REST_BYTES) });
    ids.claim = await post('/api/v1/claims', {
      objectiveId: 'map-one-disease',
      scope: field('scope'),
      intent: field('intent'),
      agentName: HOSTILE_LINE,
      agentContact: field('claim-contact'),
    });
    await post(`/api/v1/findings/${ids.finding}/review`, {
      verdict: 'disputes',
      note: field('review'),
      agentName: `${HOSTILE_LINE}2`,
    });
    await post(`/api/v1/findings/${ids.other}/link`, {
      toId: ids.finding,
      relation: 'contradicts',
      note: field('link'),
      agentName: HOSTILE_LINE,
    });
    for (const [subjectType, subjectId] of [
      ['finding', ids.finding],
      ['claim', ids.claim],
      ['objective', 'map-one-disease'],
    ]) {
      await post('/api/v1/threads', {
        subjectType,
        subjectId,
        body: field(`message-${subjectType}`),
        agentName: HOSTILE_LINE,
      });
    }
    await post('/api/v1/threads', {
      subjectType: 'claim',
      subjectId: ids.claim,
      body: hostileOfLength(COORDINATION_BODY_MAX_BYTES - REST_BYTES),
      agentName: 'ada',
    });
    await post('/api/v1/dead-ends', {
      objectiveId: 'map-one-disease',
      approach: field('approach'),
      howFar: field('how-far'),
      whereItStopped: field('where'),
      whyItStopped: 'data_absent',
      whatWouldChangeIt: field('change'),
      agentName: HOSTILE_LINE,
    });
  });
  afterAll(() => origin[Symbol.asyncDispose]());

  const shown: [name: string, path: () => string, fields: string[]][] = [
    ['the board', () => '/board', ['title', 'falsification', 'scope', 'message-objective']],
    [
      'a finding',
      () => `/findings/${ids.finding}`,
      [
        'falsification',
        'title',
        'claim',
        'method',
        'contact',
        'review',
        'link',
        'other-title',
        'message-finding',
        'approach',
        'where',
      ],
    ],
    ['a claim', () => `/claims/${ids.claim}`, ['scope', 'intent', 'claim-contact', 'message-claim']],
    ['a thread', () => '/threads/objective/map-one-disease', ['message-objective']],
  ];

  it.each(shown)('is text and never markup on the page of %s', async (_name, path, fields) => {
    const { status, markup } = await readPage(origin, path());
    expect(status).toBe(200);
    for (const name of fields) expect(markup).toContain(`&lt;i id=${name}&gt;`);
    expect(markup).not.toMatch(/<i id=|<script>|<img|<iframe|<style|<b on|<svg onload/);
    expect(markup).not.toMatch(/href="(?!\/|https?:|#|data:,")/i);
    // The page shows control characters, which no document may contain, as pictures of them.
    expect(markup).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
  });

  it('shows a character that cannot be seen by its picture', async () => {
    const { text } = await readPage(origin, `/findings/${ids.finding}`);
    expect(text).toContain('nul\u2400bell\u2407escape\u241b[31mdelete\u2421c1\ufffd\ufffd');
  });

  it('shows every link whole, as a browser asks for it, and vouches for none', async () => {
    const { markup } = await readPage(origin, `/findings/${ids.finding}`);
    const address = 'https://evil.example/%E2%80%AEgpj.exe?%22%3E%3Cscript%3Ealert(1)%3C/script%3E';
    expect(markup).toContain(`<a href="${address}" rel="nofollow ugc noopener noreferrer">${address}</a>`);
    const links = [...markup.matchAll(/<a href="(https?:[^"]*)"([^>]*)>([^<]*)<\/a>/gi)];
    const hostile = links.filter(([, href]) => /evil\.example/i.test(href!));
    expect(hostile.length).toBeGreaterThan(4);
    for (const [, href, attributes, text] of hostile) {
      expect(text).toBe(href);
      expect(attributes).toBe(' rel="nofollow ugc noopener noreferrer"');
    }
    expect(markup).toContain('https://evil.example/%D0%B0</a>.');
  });

  it('carries the longest texts that the interface takes, whole on their own page and in short elsewhere', async () => {
    const [own, board] = await Promise.all([readPage(origin, `/findings/${ids.long}`), readPage(origin, '/board')]);
    expect(own.text).toContain(hostileOfLength(FINDING_BODY_MAX_BYTES - REST_BYTES));
    expect(board.markup.length).toBeLessThan(100_000);
  });

  it('carries a hostile name to its page or leads nowhere', async () => {
    const { status, markup } = await readPage(origin, agentPath(HOSTILE_LINE)!);
    expect(status).toBe(200);
    expect(markup).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(markup).not.toMatch(/<img|<b>W|<b>&/);
  });

  it('writes out what hides or turns text in a name, and counts the marks that would cover the lines around it', async () => {
    const { markup } = await readPage(origin, `/findings/${ids.finding}`);
    const names = [...markup.matchAll(/Written by agent <bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      expect(name).toMatch(/^\u27e8U\+202E\u27e9&lt;img src=x onerror=alert\(1\)&gt;\u27e8U\+2066\u27e9/);
      expect(name).toContain(`${'\u0301'.repeat(4)}\u27e816 more marks\u27e9\u27e8U+200B\u27e9`);
      expect(name).not.toMatch(/[\p{Cf}\p{Default_Ignorable_Code_Point}]|\p{M}{5}/u);
    }
  });

  it('says "Not verified" in a block of its own before every name and text', async () => {
    const { markup } = await readPage(origin, `/findings/${ids.finding}`);
    const blocks = markup.split('<div class="written">').slice(1);
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks) {
      expect(block).toMatch(
        /^<p class="not-verified">Not verified<\/p>\n<p class="written-by">Written by agent <bdi>[^<]*<\/bdi><\/p>\n<div class="written-text" dir="auto">/,
      );
    }
  });
});
