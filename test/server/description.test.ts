import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openGateway, type TestGateway } from '../support/gateway.ts';

describe('the running gateway', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openGateway();
  });
  afterAll(() => gateway[Symbol.asyncDispose]());

  it('answers by exactly the routes that its contract names, all of them documented', async () => {
    const { status, headers, body } = await gateway.get('/api/v1/contract');
    expect(status).toBe(200);
    expect(body.data.differences).toEqual([]);
    expect(body.data).toMatchObject({ agree: true, contractVersion: '1.0.0', apiVersion: '1' });
    expect(body.data.counts).toMatchObject({ operations: OPERATIONS.length, doors: DOORS.length });
    const again = await gateway.get('/api/v1/contract', { headers: { 'if-none-match': headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  it('tells a route beside the contract', async () => {
    const own = await openGateway();
    own.app.get('/back-door', () => 'open');
    const { body } = await own.get('/api/v1/contract');
    expect(body.data.agree).toBe(false);
    expect(body.data.differences).toEqual(['route GET /back-door: no operation, no door and no page']);
    await own[Symbol.asyncDispose]();
  });

  it('serves its OpenAPI document without the envelope, under the address that it was asked under', async () => {
    const { status, headers, body } = await gateway.get('/api/v1/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body.openapi).toBe('3.1.1');
    expect(body.servers).toEqual([{ url: 'http://test.example' }]);
    expect(Object.keys(body.paths)).toContain('/api/v1/trials/search');
  });

  it.each([
    ['/llms.txt', 'text/plain; charset=utf-8', '# Trial Board'],
    ['/docs/proofs.md', 'text/plain; charset=utf-8', '# Proofs'],
    ['/docs/log.md', 'text/plain; charset=utf-8', '# The log of publications'],
    ['/docs/queries.sql', 'text/plain; charset=utf-8', '-- Twenty questions to a snapshot'],
  ])('serves %s with an ETag, HEAD and a refusal of other methods', async (path, type, beginning) => {
    const address = `http://test.example${path}`;
    const answer = await gateway.app.fetch(new Request(address));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.text()).toMatch(new RegExp(`^${beginning}`));
    const known = { headers: { 'if-none-match': answer.headers.get('etag')! } };
    expect((await gateway.app.fetch(new Request(address, known))).status).toBe(304);
    expect((await gateway.app.fetch(new Request(address, { method: 'HEAD' }))).status).toBe(200);
    const refused = await gateway.app.fetch(new Request(address, { method: 'POST' }));
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  it('serves every document that a served document links to, and says of others which file they are', async () => {
    const text = async (path: string) =>
      (await gateway.app.fetch(new Request(`http://test.example/docs/${path}`))).text();
    const paths = [
      'proofs',
      'snapshots',
      'log',
      'dictionary',
      'pipeline',
      'operations',
      'deduplication',
      'terminology',
      'truth',
    ].map((name) => `${name}.md`);
    for (const path of paths)
      for (const [, target] of (await text(path)).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        expect([...paths, 'queries.sql']).toContain(target);
    expect(await text('snapshots.md')).toContain('[docs/queries](queries.sql) has twenty questions');
    expect(await text('snapshots.md')).toContain('see signals (docs/signals.md of the program)');
    const questions = await text('queries.sql');
    expect(questions.match(/^-- \d\d-[a-z-]+\.sql$/gm)).toHaveLength(20);
    expect(questions).toContain('-- 20-signals.sql');
  });

  it.each(['/docs', '/login', '/signup'])(
    'lets %s load and run what every page may, and nothing else',
    async (path) => {
      const policy = async (page: string) =>
        (await gateway.app.fetch(new Request(`http://test.example${page}`))).headers.get('content-security-policy');
      expect(await policy(path)).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self'; /);
      expect(await policy(path)).toBe(await policy('/'));
    },
  );

  it('leads from its discovery to every description and door', async () => {
    const { body } = await gateway.get('/api/v1');
    expect(body.data.links).toMatchObject({
      openapi: 'http://test.example/api/v1/openapi.json',
      contract: 'http://test.example/api/v1/contract',
      docs: 'http://test.example/docs',
      llms: 'http://test.example/llms.txt',
      mcp: 'http://test.example/api/v1/mcp',
      a2a: 'http://test.example/api/v1/a2a',
      agentCard: 'http://test.example/.well-known/agent-card.json',
      sdk: 'http://test.example/api/v1/sdk',
    });
  });
});
