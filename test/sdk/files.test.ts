import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sdkModules } from '../../sdk/make/sdk-files.ts';
import { openGateway } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { ROOT, read } from '../support/tree.ts';

const gateway = ofFile(() => openGateway());

const raw = async (name: string, headers: Record<string, string> = {}): Promise<Response> =>
  gateway.app.fetch(new Request(`http://test.example/api/v1/sdk/${name}`, { headers }));
const PATHS = readdirSync(join(ROOT, 'sdk')).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

describe('GET /api/v1/sdk', () => {
  it('has every file of the source with its hash, and one hash of all', async () => {
    const { body } = await gateway.get('/api/v1/sdk');
    const { files, hash, version, language, name } = body.data;
    expect(files.map(({ path }: { path: string }) => path)).toEqual(['package.json', ...PATHS.sort()]);
    for (const file of files) {
      const content = read(`sdk/${file.path}`);
      expect(file).toEqual({
        path: file.path,
        bytes: Buffer.byteLength(content),
        sha256: createHash('sha256').update(content).digest('hex'),
        url: `http://test.example/api/v1/sdk/${file.path}`,
        content,
      });
    }
    const list = files.map((file: { sha256: string; path: string }) => `${file.sha256}  ${file.path}\n`).join('');
    expect(hash).toBe(createHash('sha256').update(list).digest('hex'));
    expect([name, version, language]).toEqual([
      '@trial-board/sdk',
      JSON.parse(read('sdk/package.json')).version,
      'TypeScript',
    ]);
  });

  it('costs a client that holds it nothing', async () => {
    const { headers } = await gateway.get('/api/v1/sdk');
    const again = await gateway.get('/api/v1/sdk', { headers: { 'if-none-match': headers.get('etag')! } });
    expect([again.status, again.body]).toEqual([304, null]);
  });
});

describe('GET /api/v1/sdk/{file}', () => {
  it('serves source as TypeScript and every module as JavaScript', async () => {
    const source = await raw('client.ts');
    expect([source.status, source.headers.get('content-type')]).toEqual([200, 'text/typescript; charset=utf-8']);
    expect(await source.text()).toBe(read('sdk/client.ts'));
    for (const path of PATHS) {
      const script = await raw(path.replace(/\.ts$/, '.js'));
      expect([path, script.status, script.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/javascript; charset=utf-8',
      ]);
    }
  });

  it('lets any page import it, and a cache ask whether it is still so', async () => {
    const { headers } = await raw('client.js', { origin: 'https://elsewhere.example' });
    expect([headers.get('access-control-allow-origin'), headers.get('cache-control')]).toEqual(['*', 'no-cache']);
    expect((await raw('client.js', { 'if-none-match': headers.get('etag')! })).status).toBe(304);
  });

  it.each([
    ...['server.ts', 'client.test.ts', 'tsconfig.json', 'README.md', '..%2fpackage.json', '%2e%2e%2fpackage.json'],
    ...['%2fetc%2fpasswd', 'js%2fclient.js', 'toString', '__proto__', 'CLIENT.JS'],
  ])('has nothing under %s', async (name) => {
    const response = await raw(name);
    expect([response.status, (await response.json()).error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('GET /api/v1/sdk.tgz', () => {
  const archive = (headers: Record<string, string> = {}) =>
    gateway.app.fetch(new Request('http://test.example/api/v1/sdk.tgz', { headers }));

  it('is the same bytes each time, with a validator', async () => {
    const answer = await archive();
    const { headers } = answer;
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(headers.get('content-type')).toBe('application/gzip');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(Buffer.from(await (await archive()).arrayBuffer()).equals(bytes)).toBe(true);
    expect((await archive({ 'if-none-match': headers.get('etag')! })).status).toBe(304);
  });

  it('names its module and its types also for resolvers that read no exports', () => {
    const { main, types, exports } = JSON.parse(read('sdk/package.json'));
    expect({ types, default: main }).toEqual(exports['.']);
    for (const path of [main, types])
      expect(sdkModules().compiled[path.replace('./js/', '').replace('js/', '')]).toContain('TrialBoardClient');
  });
});
