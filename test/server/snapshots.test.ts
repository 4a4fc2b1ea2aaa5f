import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { H3 } from 'h3';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DIFF_KINDS } from '../../contract/schemas/snapshot-diff.ts';
import { createGateway } from '../../gateway/app.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { rangeOf } from '../../index-server/ranged-file.ts';
import { mountIndex } from '../../index-server/routes.ts';
import { diffJson, type SnapshotDiff } from '../../pipeline/diff/diff.ts';
import { walk } from '../../pipeline/publish/durable.ts';
import { listen } from '../../server-kit/serve.ts';
import { openGateway, TEST_NOW, type TestGateway } from '../support/gateway.ts';
import { rawConnection } from '../support/raw-socket.ts';
import { type TwoVersions, twoVersions } from '../support/two-versions.ts';
import { until } from '../support/until.ts';

let versions: TwoVersions;
let gateway: TestGateway;
let cli: SnapshotDiff;
beforeAll(async () => {
  versions = await twoVersions();
  gateway = await openGateway(versions.snapshotsDir);
  let text = '';
  await diffJson(versions.snapshotsDir, versions.older, versions.newer, (piece) => {
    text += piece;
  });
  cli = JSON.parse(text) as SnapshotDiff;
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await versions[Symbol.asyncDispose]();
});

const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  gateway.app.fetch(new Request(`http://test.example${path}`, { headers, method }));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const onDisk = (name: string) => readFile(join(versions.snapshotsDir, versions.newer, name));

describe('the list of versions', () => {
  it('names what is held, newest first, with the change that each brought', async () => {
    const { older, newer } = versions;
    const { body } = await gateway.get('/api/v1/snapshots');
    expect(body.data).toMatchObject({
      current: newer,
      snapshots: [
        {
          version: newer,
          parent: older,
          current: true,
          changes: { added: 2, changed: 5, removed: 1, merged: 1, split: 1 },
        },
        { version: older, parent: null, current: false, changes: null, counts: { trials: 766 } },
      ],
      unreadable: [],
    });
    expect(body._meta).toMatchObject({ snapshot: newer, pagination: { totalItems: 2, hasMore: false } });
  });

  it('goes on by page, and is not sent again to who holds it', async () => {
    const { body, headers } = await gateway.get('/api/v1/snapshots?pageSize=1');
    expect(body.data.snapshots.map(({ version }: { version: string }) => version)).toEqual([versions.newer]);
    expect(body._meta.pagination.nextUrl).toBe('http://test.example/api/v1/snapshots?pageSize=1&page=2');
    const again = await send('/api/v1/snapshots?pageSize=1', { 'if-none-match': headers.get('etag')! });
    expect(again.status).toBe(304);
  });

  it('says when a run found the served version unchanged, and nothing of another', async () => {
    const { older, newer, snapshotsDir } = versions;
    const { registries } = JSON.parse((await onDisk('manifest.json')).toString());
    const before = await gateway.get('/api/v1/snapshots');
    expect(before.body.data.snapshots.map(({ checkedAt }: { checkedAt: null }) => checkedAt)).toEqual([null, null]);
    const checkedAt = '2026-10-02T11:00:00.000Z';
    const path = join(snapshotsDir, 'LAST_CHECK.json');
    await writeFile(path, JSON.stringify({ version: newer, checkedAt, registries }));
    const after = await send('/api/v1/snapshots', { 'if-none-match': before.headers.get('etag')! });
    const { data } = (await after.json()) as { data: { snapshots: { version: string; checkedAt: string | null }[] } };
    expect(data.snapshots.map((one) => [one.version, one.checkedAt])).toEqual([
      [newer, checkedAt],
      [older, null],
    ]);
    expect((await gateway.get(`/api/v1/snapshots/${newer}`)).body.data.checkedAt).toBe(checkedAt);
    const page = await (await send(`/snapshots/${newer}`)).text();
    expect(page).toMatch(/on <time datetime="2026-10-02T11:00:00.000Z">.*<\/time>, unchanged since it was published/);
    await rm(path);
  });

  it('names apart a version whose manifest is damaged', async () => {
    const name = '20200101T000000Z-00000000';
    await cp(join(versions.snapshotsDir, versions.older), join(versions.snapshotsDir, name), { recursive: true });
    await writeFile(join(versions.snapshotsDir, name, 'manifest.json'), '{}');
    const listed = await gateway.get('/api/v1/snapshots');
    const one = await gateway.get(`/api/v1/snapshots/${name}`);
    await rm(join(versions.snapshotsDir, name), { recursive: true });
    expect(listed.body.data.unreadable).toEqual([{ version: name, reason: 'malformed' }]);
    expect(listed.body.data.snapshots).toHaveLength(2);
    expect([one.status, one.body.error.code]).toEqual([503, 'TRIALS_UNAVAILABLE']);
  });
});

describe('a version', () => {
  it('states its manifest as it is on disk, with the address of each file', async () => {
    const { newer, older } = versions;
    const { body } = await gateway.get(`/api/v1/snapshots/${newer}`);
    const manifest = JSON.parse((await onDisk('manifest.json')).toString());
    const { rules, contentHash, accepted, counts, codeVersion } = manifest;
    expect(body.data).toMatchObject({
      version: newer,
      parent: older,
      rules,
      contentHash,
      accepted,
      counts,
      codeVersion,
    });
    expect(body.data.manifest.sha256).toBe(sha256(await onDisk('manifest.json')));
    // The identity is the SHA-256 of a file that anyone can download.
    const identity = sha256(await onDisk('statement.json'));
    expect([body.data.identity, body.data.statement.sha256, body._meta.identity]).toEqual([
      identity,
      identity,
      identity,
    ]);
    expect(newer.slice(-8)).toBe(identity.slice(0, 8));
    const statement = await send(`/snapshots/${newer}/files/statement.json`);
    expect(statement.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(sha256(Buffer.from(await statement.arrayBuffer()))).toBe(identity);
    expect((await gateway.get('/api/v1/trials/search')).body._meta).toMatchObject({ snapshot: newer, identity });
    const trials = body.data.tables.find(({ table }: { table: string }) => table === 'trials');
    expect(trials).toEqual({
      table: 'trials',
      rows: manifest.tables.trials.rows,
      bytes: manifest.tables.trials.bytes,
      root: manifest.tables.trials.root,
      files: [
        {
          name: 'trials.parquet',
          path: 'trials.parquet',
          bytes: manifest.tables.trials.bytes,
          sha256: sha256(await onDisk('trials.parquet')),
          url: `http://test.example/snapshots/${newer}/files/trials.parquet`,
        },
      ],
    });
  });

  it('that is gone is a 404 that names what there is', async () => {
    const { status, body } = await gateway.get('/api/v1/snapshots/20200101T000000Z-00000000');
    expect(status).toBe(404);
    expect(body.error.message).toBe(
      `The version 20200101T000000Z-00000000 is not held here, or not any more. Held are ${versions.newer}, ${versions.older}.`,
    );
  });

  it('that is removed while the server runs is gone at once, compared before or not', async () => {
    const name = '20200101T000000Z-11111111';
    const dir = join(versions.snapshotsDir, name);
    await cp(join(versions.snapshotsDir, versions.older), dir, { recursive: true });
    const address = `/api/v1/snapshots/${name}/diff/${versions.newer}`;
    expect((await gateway.get(`/api/v1/snapshots/${name}`)).status).toBe(200);
    expect((await gateway.get(address)).status).toBe(200);
    await rename(dir, join(versions.snapshotsDir, '.trash-test'));
    await rm(join(versions.snapshotsDir, '.trash-test'), { recursive: true });
    const statuses = [`/api/v1/snapshots/${name}`, address, `/snapshots/${name}/files/trials.parquet`].map(
      async (path) => (await gateway.get(path)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });

  it('with a missing table fails to be compared and says so', async () => {
    const name = '20200101T000000Z-22222222';
    const dir = join(versions.snapshotsDir, name);
    await cp(join(versions.snapshotsDir, versions.older), dir, { recursive: true });
    await rm(join(dir, 'trials.parquet'));
    const { status, body, headers } = await gateway.get(`/api/v1/snapshots/${name}/diff/${versions.newer}`);
    const file = await gateway.get(`/snapshots/${name}/files/trials.parquet`);
    await rm(dir, { recursive: true });
    expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'TRIALS_UNAVAILABLE', '60']);
    expect(JSON.stringify(body)).not.toContain(versions.snapshotsDir);
    expect(file.status).toBe(404);
  });
});

describe('the difference of two versions', () => {
  it('is that of the command line, list by list and page by page', async () => {
    const base = `/api/v1/snapshots/${versions.older}/diff/${versions.newer}`;
    for (const kind of DIFF_KINDS) {
      const entries: unknown[] = [];
      for (let page = 1, hasMore = true; hasMore; page += 1) {
        const { body } = await gateway.get(`${base}?kind=${kind}&pageSize=3&page=${page}`);
        expect([body.data.from, body.data.to, body.data.totals]).toEqual([cli.from, cli.to, cli.totals]);
        entries.push(...body.data.entries);
        hasMore = body._meta.pagination.hasMore;
      }
      const [group, name] = kind.split('-') as ['trials', 'added'];
      expect(entries, kind).toEqual(cli[group][name]);
    }
    expect(cli.trials.changed.length).toBeGreaterThan(1);
    expect(cli.trials.added.length).toBeGreaterThan(0);
  });

  it('says which trial holds today what it names, and that none does', async () => {
    const { older, newer } = versions;
    const added = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}?kind=registrations-added`);
    const [first] = added.body.data.now;
    expect(first).toEqual({ id: cli.registrations.added[0]!.id, canonicalId: expect.stringMatching(/^wt_/) });
    const back = await gateway.get(`/api/v1/snapshots/${newer}/diff/${older}?kind=trials-removed`);
    const held = cli.trials.added[0]!.canonicalId;
    expect(back.body.data.now).toContainEqual({ id: held, canonicalId: held });
    const removed = await gateway.get(`/api/v1/snapshots/${older}/diff/${newer}?kind=trials-removed`);
    expect(removed.body.data.now).toEqual([{ id: cli.trials.removed[0]!.canonicalId, canonicalId: null }]);
  });

  it('that is not finished in time is 503 with a time to come again, and is there then', async () => {
    await using slow = await openGateway(versions.snapshotsDir);
    const { comparisons } = slow.index;
    const read = comparisons.read.bind(comparisons);
    Object.assign(comparisons, { read: async () => ({ state: 'unfinished' }) });
    const path = `/api/v1/snapshots/${versions.older}/diff/${versions.newer}`;
    const { status, headers, body } = await slow.get(path);
    expect([status, headers.get('retry-after'), body.error.code]).toEqual([503, '2', 'TRIALS_UNAVAILABLE']);
    expect(body.error.message).toMatch(/ is not finished yet\. Nothing failed: it goes on/);
    Object.assign(comparisons, { read });
    expect((await slow.get(path)).status).toBe(200);
  });
});

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

  it('may be one that describes the tables to other tools', async () => {
    const types: Record<string, string | null> = {};
    for (const name of ['schema.json', 'datapackage.json', 'croissant.json', 'CITATION.cff', 'snapshot.duckdb']) {
      const response = await send(path(name));
      expect(Buffer.from(await response.arrayBuffer()).equals(await onDisk(name)), name).toBe(true);
      types[name] = response.headers.get('content-type');
    }
    expect(types).toEqual({
      'schema.json': 'application/json; charset=utf-8',
      'datapackage.json': 'application/json; charset=utf-8',
      'croissant.json': 'application/json; charset=utf-8',
      'CITATION.cff': 'text/plain; charset=utf-8',
      'snapshot.duckdb': 'application/octet-stream',
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
      '': 'text/plain; charset=utf-8',
      '.arrow': 'application/vnd.apache.arrow.file',
      '.parquet': 'application/vnd.apache.parquet',
      '.json': 'application/json; charset=utf-8',
      '.json.sha256': 'text/plain; charset=utf-8',
      '.pack': 'application/octet-stream',
    });
  });

  it('is found by the relative addresses in datapackage.json and croissant.json as they stand', async () => {
    const json = async (name: string) => JSON.parse((await onDisk(name)).toString());
    const { resources } = await json('datapackage.json');
    const { distribution } = await json('croissant.json');
    const addresses: [string, string][] = [
      ...resources
        .flatMap((one: { path: string | string[] }) => [one.path].flat())
        .map((to: string) => ['datapackage.json', to]),
      ...distribution
        .flatMap((one: { contentUrl?: string }) => one.contentUrl ?? [])
        .map((to: string) => ['croissant.json', to]),
    ];
    expect(addresses).toContainEqual(['datapackage.json', 'raw/part-0000.parquet']);
    expect(addresses).toContainEqual(['croissant.json', 'raw/part-0000.parquet']);
    for (const [from, to] of addresses) {
      const { pathname } = new URL(to, `http://test.example${path(from)}`);
      const found = await send(pathname);
      expect([found.status, sha256(Buffer.from(await found.arrayBuffer()))], to).toEqual([
        200,
        sha256(await onDisk(to)),
      ]);
    }
    // Before there were folders in addresses, a part was addressed by its name alone.
    const older = await send(path('part-0000.parquet'));
    expect(sha256(Buffer.from(await older.arrayBuffer()))).toBe(sha256(await onDisk('raw/part-0000.parquet')));
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
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    await Promise.all([dir, elsewhere].map((one) => rm(one, { recursive: true })));
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('of the log comes in parts too, and is asked for again', async () => {
    const content = await readFile(join(versions.snapshotsDir, 'log/identities'));
    const whole = await send('/snapshots/log/identities');
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(content.length),
      'cache-control': 'no-cache',
      etag: `"${sha256(content)}"`,
    });
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true);
    const second = await send('/snapshots/log/identities', {
      range: 'bytes=65-129',
      'if-range': `"${sha256(content)}"`,
    });
    expect([second.status, await second.text()]).toEqual([206, content.subarray(65).toString()]);
    const held = await send('/snapshots/log/checkpoint/1', { 'if-none-match': '*' });
    expect(held.status).toBe(304);
    const keys = await send('/snapshots/log/keys');
    expect([keys.status, keys.headers.get('content-length'), await keys.text()]).toEqual([200, '0', '']);
  });

  it('comes in parts, from a middle, from an end, and not from beyond it', async () => {
    const bytes = await onDisk('links.parquet');
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await send(path('links.parquet'), { range, ...more });
      const body = Buffer.from(await response.arrayBuffer());
      return [response.status, response.headers.get('content-range'), body.toString('hex')];
    };
    const size = bytes.length;
    expect(await part('bytes=0-3')).toEqual([206, `bytes 0-3/${size}`, '50415231']);
    expect(await part('bytes=-4')).toEqual([206, `bytes ${size - 4}-${size - 1}/${size}`, '50415231']);
    expect(await part(`bytes=${size - 2}-`)).toEqual([206, `bytes ${size - 2}-${size - 1}/${size}`, '5231']);
    expect(await part(`bytes=${size}-`)).toEqual([416, `bytes */${size}`, '']);
    expect(await part('bytes=0-3', { 'if-range': '"another"' })).toEqual([200, null, bytes.toString('hex')]);
    expect(await part('bytes=0-3', { 'if-range': `"${sha256(bytes)}"` })).toEqual([
      206,
      `bytes 0-3/${size}`,
      '50415231',
    ]);
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
    ].map(async (name) => (await send(path(name))).status);
    // The third is the address of the table itself, as any client writes it.
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
    const cancelled = await send(path('trials.parquet'));
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
        const beyond = await fetch(`${url}${path('trials.parquet')}`, { headers: { range: 'bytes=99999999999-' } });
        expect([beyond.status, await beyond.text()]).toEqual([416, '']);
      }
    } finally {
      await Promise.all([server.close(), index.close()]);
    }
  });
});

it.each([
  [null, 'whole'],
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=2-100', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-100', { start: 0, end: 9 }],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-', 'whole'],
  ['bytes=5-2', 'whole'],
  ['bytes=0-1,3-4', 'whole'],
  ['lines=0-1', 'whole'],
  ['bytes=1e1-', 'whole'],
] as const)('of ten bytes the range %s is %j', (header, expected) => {
  expect(rangeOf(header, 10)).toEqual(expected);
});
