import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { H3 } from 'h3';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createGateway } from '../../gateway/app.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { rangeOf } from '../../index-server/ranged-file.ts';
import { mountIndex } from '../../index-server/routes.ts';
import { walk } from '../../pipeline/publish/durable.ts';
import { listen } from '../../server-kit/serve.ts';
import { openGateway, TEST_NOW } from '../support/gateway.ts';
import { ofFile } from '../support/of-file.ts';
import { rawConnection } from '../support/raw-socket.ts';
import { twoVersions } from '../support/two-versions.ts';
import { until } from '../support/until.ts';

const versions = ofFile(() => twoVersions());
const gateway = ofFile(() => openGateway(versions.snapshotsDir));

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  gateway.app.fetch(new Request(`http://test.example${path}`, { headers, method }));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const onDisk = (name: string) => readFile(join(versions.snapshotsDir, versions.newer, name));

/** The downloadable files that this process holds open. */
async function openFiles(): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const files = await Promise.all(descriptors.map((one) => readlink(`/proc/self/fd/${one}`).catch(() => '')));
  return files.filter((file) => file.startsWith(versions.snapshotsDir) && file.endsWith('.parquet'));
}

describe('a file of a version', () => {
  const path = (name: string) => `/snapshots/${versions.newer}/files/${name}`;

  it('comes byte by byte with its length, its hash and a name, to be kept for good', async () => {
    const bytes = await onDisk('trials.parquet');
    const response = await send(path('trials.parquet'));
    const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/vnd.apache.parquet',
      'content-length': String(bytes.length),
      'content-disposition': 'attachment; filename="trials.parquet"',
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
      'repr-digest': digest,
      'content-digest': digest,
      etag: `"${sha256(bytes)}"`,
    });
  });

  it('has an address in the answer about the version, whatever it is, and comes whole and in parts by it', async () => {
    const { body } = await gateway.get(`/api/v1/snapshots/${versions.newer}`);
    const { tables, serving, files } = body.data;
    const all: { name: string; path: string; bytes: number; sha256: string; url: string }[] = [
      ...tables.flatMap((one: typeof body.data) => one.files),
      ...serving.files,
      ...files,
    ];
    const dir = join(versions.snapshotsDir, versions.newer);
    expect(all.map((file) => file.path).sort()).toEqual((await walk(dir)).files);
    const types = new Map<string, string | null>();
    for (const file of all) {
      const content = await onDisk(file.path);
      const { pathname } = new URL(file.url);
      expect(pathname).toBe(`/snapshots/${versions.newer}/files/${file.path}`);
      expect([file.bytes, file.sha256], file.path).toEqual([content.length, sha256(content)]);
      const whole = await send(pathname);
      expect(Buffer.from(await whole.arrayBuffer()).equals(content), file.path).toBe(true);
      expect([whole.headers.get('etag'), whole.headers.get('cache-control')]).toEqual([
        `"${file.sha256}"`,
        'public, max-age=31536000, immutable',
      ]);
      const last = await send(pathname, { range: 'bytes=-1' });
      expect([last.status, Buffer.from(await last.arrayBuffer())], file.path).toEqual([206, content.subarray(-1)]);
      types.set(file.name.replace(/^[^.]*/, ''), whole.headers.get('content-type'));
    }
    expect(Object.fromEntries(types)).toMatchObject({
      '.arrow': 'application/vnd.apache.arrow.file',
      '.parquet': 'application/vnd.apache.parquet',
      '.json': 'application/json; charset=utf-8',
    });
  });

  it('that became a symbolic link, or lies behind one, is withheld', async () => {
    const name = '20200101T000000Z-44444444';
    const dir = join(versions.snapshotsDir, name);
    await cp(join(versions.snapshotsDir, versions.older), dir, { recursive: true });
    const elsewhere = join(versions.snapshotsDir, '.elsewhere');
    await rename(join(dir, 'raw'), elsewhere);
    await symlink(elsewhere, join(dir, 'raw'));
    await rename(join(dir, 'links.parquet'), join(elsewhere, 'links.parquet'));
    await symlink(join(elsewhere, 'links.parquet'), join(dir, 'links.parquet'));
    const asked = ['links.parquet', 'raw/part-0000.parquet', 'trials.parquet'].map((file) =>
      send(`/snapshots/${name}/files/${file}`),
    );
    const answers = await Promise.all(asked);
    await Promise.all(answers.map(({ body }) => body?.cancel()));
    await Promise.all([dir, elsewhere].map((one) => rm(one, { recursive: true })));
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  it('of the log is asked for again', async () => {
    const content = await readFile(join(versions.snapshotsDir, 'log/identities'));
    const whole = await send('/snapshots/log/identities');
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(content.length),
      'cache-control': 'no-cache',
      etag: `"${sha256(content)}"`,
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
    const held = await send('/snapshots/log/checkpoint/1', { 'if-none-match': '*' });
    expect(held.status).toBe(304);
    const keys = await send('/snapshots/log/keys');
    expect([keys.status, keys.headers.get('content-length'), await keys.text()]).toEqual([200, '0', '']);
  });

  it('is not sent to who holds it, nor to who asks for its head', async () => {
    const bytes = await onDisk('links.parquet');
    const held = await send(path('links.parquet'), { 'if-none-match': `"${sha256(bytes)}"` });
    expect([held.status, await held.text()]).toEqual([304, '']);
    const head = await send(path('links.parquet'), {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(bytes.length),
      '',
    ]);
  });

  it('is refused to who expects another, and a refusal is not to be kept', async () => {
    const etag = `"${sha256(await onDisk('links.parquet'))}"`;
    const asked = async (headers: Record<string, string>) => {
      const response = await send(path('links.parquet'), headers);
      await response.body?.cancel();
      return [response.status, response.headers.get('cache-control')];
    };
    const forGood = 'public, max-age=31536000, immutable';
    expect(await asked({ 'if-match': '"x"' })).toEqual([412, 'no-store']);
    // Another representation than the strong one is not asked for by a weak tag.
    expect(await asked({ 'if-match': `W/${etag}` })).toEqual([412, 'no-store']);
    expect(await asked({ 'if-match': `"x", ${etag}` })).toEqual([200, forGood]);
    expect(await asked({ 'if-match': '*', range: 'bytes=0-3' })).toEqual([206, forGood]);
    expect(await asked({ range: 'bytes=99999999999-' })).toEqual([416, 'no-store']);
  });

  it('is one that the manifest names, whatever a name tries', async () => {
    const statuses = [
      'CURRENT',
      'rows.arrow',
      'serving/rows.parquet',
      'raw/../trials.parquet',
      'raw/%2e%2e%2ftrials.parquet',
      'serving/%2e%2e',
      '..%2F..%2FCURRENT',
      '%2e%2e%2fCURRENT',
      '..%5CCURRENT',
      '.',
      'raw%2Fpart-0000.parquet',
      'trials.parquet%00',
      '__proto__',
    ].map(async (name) => {
      const { status, body } = await send(path(name));
      await body?.cancel();
      return status;
    });
    // Every client shortens the fourth to the address of the table itself.
    expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200, 400, 404, 400, 400, 400, 404, 400, 400, 404]);
    expect((await send('/snapshots/..%2F..%2Fdata/files/trials.parquet')).status).toBe(400);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('is closed again wherever its reader goes away', async () => {
    const log = pino({ level: 'silent' });
    const server = await listen(gateway.app, { host: '127.0.0.1', port: 0, log });
    const warned: string[] = [];
    const note = ({ message }: Error) => void warned.push(message);
    process.on('warning', note);
    const ask = (method: string) => `${method} ${path('trials.parquet')} HTTP/1.1\r\nHost: a\r\n\r\n`;
    for (const method of ['GET', 'HEAD']) {
      // The client disconnects before the answer, at its beginning, and in the middle of the body.
      for (const moment of [null, /^HTTP/, /PAR1/]) {
        const connection = await rawConnection(server.url);
        connection.write(ask(method));
        if (moment !== null && method === 'GET') await connection.until(moment);
        connection.socket.destroy();
      }
    }
    // A file of one piece may be read to its end, and closed, before it is looked for.
    const cancelled = await send(path('raw/part-0000.parquet'));
    expect(await openFiles()).not.toEqual([]);
    await cancelled.body!.cancel();
    await until(async () => (await openFiles()).length === 0);
    await server.close();
    process.off('warning', note);
    // A file that was left open would make Node close it later, with a warning.
    expect(warned).toEqual([]);
  });

  it('of another length than the manifest states is withheld', async () => {
    const name = '20200101T000000Z-33333333';
    const dir = join(versions.snapshotsDir, name);
    await cp(join(versions.snapshotsDir, versions.older), dir, { recursive: true });
    await writeFile(join(dir, 'links.parquet'), 'short');
    const { status } = await gateway.get(`/snapshots/${name}/files/links.parquet`);
    await rm(dir, { recursive: true });
    expect(status).toBe(503);
  });

  it('comes the same from an index server behind a gateway, in parts too', async () => {
    const log = pino({ level: 'silent' });
    const common = { log, now: () => TEST_NOW, baseUrl: null };
    const app = new H3();
    mountIndex(app, { ...common, services: gateway.index });
    const index = await listen(app, { host: '127.0.0.1', port: 0, log });
    using upstream = new Upstream(index.url);
    const server = await listen(createGateway({ ...common, index: upstream }), { host: '127.0.0.1', port: 0, log });
    try {
      const bytes = await onDisk('trials.parquet');
      for (const url of [index.url, server.url]) {
        const response = await fetch(`${url}${path('trials.parquet')}`);
        expect(sha256(new Uint8Array(await response.arrayBuffer()))).toBe(sha256(bytes));
        const { headers } = response;
        expect([headers.get('content-length'), headers.get('etag')]).toEqual([
          String(bytes.length),
          `"${sha256(bytes)}"`,
        ]);
        const part = await fetch(`${url}${path('trials.parquet')}`, { headers: { range: 'bytes=4-7' } });
        expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-7/${bytes.length}`]);
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 8))).toBe(true);
      }
    } finally {
      await Promise.all([server.close(), index.close()]);
    }
  });
});

it.each([
  [null, 'whole'],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=2-100', { start: 2, end: 9 }],
  ['bytes=-100', { start: 0, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['bytes=1e1-', 'whole'],
] as const)('of ten bytes the range %s is %j', (header, expected) => {
  expect(rangeOf(header, 10)).toEqual(expected);
});
