import { describe, expect, it } from 'vitest';
import { DOORS } from '../../contract/interfaces/doors.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';

describe('the running gateway', () => {
  const gateway = ofFile(() => openGateway());

  it('answers by exactly the routes that its contract names, all of them documented', async () => {
    const { status, headers, body } = await gateway.get('/api/v1/contract');
    expect(status).toBe(200);
    expect(body.data.differences).toEqual([]);
    expect(body.data).toMatchObject({ agree: true, contractVersion: '1.0.0', apiVersion: '1' });
    expect(body.data.counts).toMatchObject({ operations: OPERATIONS.length, doors: DOORS.length });
    const again = await gateway.get('/api/v1/contract', { headers: { 'if-none-match': headers.get('etag')! } });
    expect(again.status).toBe(304);
  });

  it.each([
    ['/llms.txt', 'text/plain; charset=utf-8', '# Trial Board'],
    ['/docs/proofs.md', 'text/plain; charset=utf-8', '# Proofs'],
    ['/docs/log.md', 'text/plain; charset=utf-8', '# The log of publications'],
    ['/docs/queries.sql', 'text/plain; charset=utf-8', '-- Questions to a snapshot'],
  ])('serves %s with an ETag', async (path, type, beginning) => {
    const address = `http://test.example${path}`;
    const answer = await gateway.app.fetch(new Request(address));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(await answer.text()).toMatch(new RegExp(`^${beginning}`));
    const known = { headers: { 'if-none-match': answer.headers.get('etag')! } };
    expect((await gateway.app.fetch(new Request(address, known))).status).toBe(304);
  });

  it('serves every document that a served document links to, and says of others which file they are', async () => {
    const text = async (path: string) =>
      (await gateway.app.fetch(new Request(`http://test.example/docs/${path}`))).text();
    const names = 'proofs snapshots log dictionary pipeline operations deduplication terminology truth';
    const paths = names.split(' ').map((name) => `${name}.md`);
    for (const path of paths)
      for (const [, target] of (await text(path)).matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        expect([...paths, 'queries.sql']).toContain(target);
    expect(await text('snapshots.md')).toContain('[docs/queries](queries.sql) has twenty-three questions');
    expect(await text('snapshots.md')).toContain('see signals (docs/signals.md of the program)');
  });
});
