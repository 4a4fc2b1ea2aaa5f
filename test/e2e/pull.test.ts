import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { walk } from '../../pipeline/publish/durable.ts';
import { withScratchDatabase } from '../../pipeline/store/scratch-database.ts';
import { sqlLiteral } from '../../snapshot/sql/connection.ts';
import { faultLibrary, withFault } from '../support/faults/fs-faults.ts';
import { deep } from '../support/runner/amount.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { copyWithLinks } from '../support/snapshots/copy-with-links.ts';
import { ROOT } from '../support/tree.ts';
import { until } from '../support/until.ts';

/** A version pulled from a running service by processes of their own: killed, gone on with, verified and served. */

/** Passes requests on to the service, and stops once so many bytes of answers were passed on, until it is opened. */
interface Gate extends AsyncDisposable {
  url: string;
  passed: number;
  stopAt: number;
  open(): void;
}

async function gateTo(target: string, stopAt: number): Promise<Gate> {
  const opened = Promise.withResolvers<void>();
  const server = createServer((asked, response) => {
    const { host: _host, ...headers } = asked.headers;
    const sent = request(`${target}${asked.url}`, { method: asked.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pass(answer, response).catch(() => response.destroy());
    });
    response.on('close', () => sent.destroy());
    sent.on('error', () => response.destroy());
    sent.end();
  });
  const pass = async (answer: AsyncIterable<Buffer>, response: ServerResponse): Promise<void> => {
    for await (const chunk of answer) {
      const part = chunk.subarray(0, Math.max(0, gate.stopAt - gate.passed));
      gate.passed += part.length;
      response.write(part);
      if (part.length === chunk.length) continue;
      await opened.promise;
      gate.passed += chunk.length - part.length;
      response.write(chunk.subarray(part.length));
    }
    response.end();
  };
  const gate: Gate = {
    ...{ url: '', passed: 0, stopAt },
    open() {
      gate.stopAt = Number.POSITIVE_INFINITY;
      opened.resolve();
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gate.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return gate;
}

let root: string;
let snapshots: string;
let version: string;
let server: ServerProcess;
/** Bytes of the files that the manifest lists. */
let listedBytes: number;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-pull-'));
  snapshots = join(root, 'snapshots');
  await copyWithLinks(inject('sampleSnapshots'), snapshots);
  version = (await readFile(join(snapshots, 'CURRENT'), 'utf8')).trim();
  const own = ['manifest.json', 'manifest.json.sha256', 'statement.json', 'SHA256SUMS'];
  listedBytes = await bytesOf(join(snapshots, version), (path) => !own.includes(path));
  server = await startServer('gateway/main.ts', { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: snapshots });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

async function bytesOf(dir: string, wanted: (path: string) => boolean): Promise<number> {
  const { files } = await walk(dir);
  const sizeOf = (path: string): Promise<number> =>
    stat(join(dir, path)).then(
      ({ size }) => size,
      // Renamed meanwhile by a pull that is under way.
      () => 0,
    );
  const sizes = await Promise.all(files.filter(wanted).map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

interface Command {
  child: ChildProcess;
  ended: Promise<{ code: number | null; out: string; errors: string }>;
}

function pipeline(words: string[], environment: Record<string, string> = {}): Command {
  const folders = { DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'unused') };
  const env = { PATH: process.env.PATH, ...COMPILE_CACHE, ...folders, ...environment };
  const child = spawn(process.execPath, ['pipeline/cli.ts', ...words], { cwd: ROOT, env });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { child, ended: ended.then(([out, errors, [code]]) => ({ code: code as number | null, out, errors })) };
}

deep.it('a pull that was killed goes on, verifies, and serves what the service serves', async () => {
  const into = join(root, 'copy');
  await using shut = await gateTo(server.url, Math.floor(listedBytes / 2));
  const killed = pipeline(['pull', shut.url, '--into', into]);
  await until(async () => shut.passed === shut.stopAt);
  const staging = join(into, `.pull-${version}`, version);
  await until(async () => (await bytesOf(staging, () => true)) > listedBytes / 3);
  killed.child.kill('SIGKILL');
  expect((await killed.ended).code).toBeNull();
  expect((await readdir(into)).sort()).toEqual(['.pipeline.lock', `.pull-${version}`, 'runs.jsonl']);
  const { files } = await walk(staging);
  expect(files.some((path) => path.endsWith('.partial'))).toBe(true);
  const kept = await bytesOf(
    staging,
    (path) => !['manifest.json', 'manifest.json.sha256', 'statement.json', 'SHA256SUMS'].includes(path),
  );

  await using gate = await gateTo(server.url, Number.POSITIVE_INFINITY);
  const { code, out, errors } = await pipeline(['pull', gate.url, '--into', into, '--json']).ended;
  expect(code, errors).toBe(0);
  const told = JSON.parse(out);
  expect(told).toMatchObject({
    code: 'DONE',
    version,
    bytes: listedBytes,
    fetchedBytes: listedBytes - kept,
    notServed: null,
  });
  expect(kept).toBeGreaterThan(listedBytes / 3);
  // Beside the files only manifest, sums, statement and log were sent again.
  expect(gate.passed).toBeLessThan(listedBytes - kept + 100_000);

  const verified = await pipeline(['verify'], { SNAPSHOTS_DIR: into }).ended;
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining(`${version} is intact: `)]);
  await using copy = await startServer('gateway/main.ts', {
    DATA_DIR: join(root, 'data-of-copy'),
    SNAPSHOTS_DIR: into,
  });
  for (const path of [
    '/api/v1/trials/search?q=diabetes&pageSize=20',
    '/api/v1/trials/stats',
    `/api/v1/snapshots/${version}`,
    '/api/v1/snapshots/log',
    `/snapshots/${version}/files/raw/part-0000.parquet`,
  ])
    expect(await answerOf(copy.url, path), path).toEqual(await answerOf(server.url, path));
});

/** What an answer says of the data, without the address that it was asked at. */
async function answerOf(url: string, path: string): Promise<unknown> {
  const response = await fetch(`${url}${path}`);
  expect(response.status).toBe(200);
  if (!path.startsWith('/api/')) return Buffer.from(await response.arrayBuffer()).toString('base64');
  const { data, _meta } = JSON.parse((await response.text()).replaceAll(url, ''));
  return { data, snapshot: _meta.snapshot, identity: _meta.identity };
}

it('a version that the service removes meanwhile ends the pull, which says so and keeps what came', async () => {
  const into = join(root, 'removed');
  await using gate = await gateTo(server.url, Math.floor(listedBytes / 2));
  const { ended } = pipeline(['pull', gate.url, '--into', into, '--json']);
  await until(async () => gate.passed === gate.stopAt);
  // As gc takes a version away: what is open stays readable, nothing else is found.
  await rename(join(snapshots, version), join(root, 'gone'));
  gate.open();
  const { code, out } = await ended;
  await rename(join(root, 'gone'), join(snapshots, version));
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    code: 'PULL_FAILED',
    message: expect.stringMatching(/: the service has no such file any more$/),
  });
  expect(await readdir(into)).toContain(`.pull-${version}`);
});

const directory = join(tmpdir(), `trial-board-pull-library-${process.pid}`);
await mkdir(directory, { recursive: true });
const library = faultLibrary(directory);
afterAll(() => rm(directory, { recursive: true, force: true }));

deep.it.skipIf(library === null)('a full disk ends the pull, which says where, and the next one goes on', async () => {
  const into = join(root, 'full');
  const staging = join(into, `.pull-${version}`);
  const fault = withFault(library!, { under: staging, at: 60, kind: 'short' }, join(root, 'count'));
  const full = await pipeline(['pull', server.url, '--into', into, '--json'], fault).ended;
  expect(full.code, full.errors).toBe(1);
  expect(JSON.parse(full.out)).toMatchObject({
    code: 'NO_SPACE',
    message: expect.stringMatching(
      /^a disk is full: .*\/full has \d+ [kM]B free; free space and run again: what was stored before is kept/,
    ),
  });
  const kept = await bytesOf(staging, (path) => !/manifest|statement|SHA256SUMS|log\//.test(path));
  expect(kept).toBeGreaterThan(0);
  const again = await pipeline(['pull', server.url, '--into', into, '--json']).ended;
  expect(again.code, again.errors).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({ version, fetchedBytes: listedBytes - kept });
});

deep.it('a folder without the image says what was not checked, and wrong words are told', async () => {
  const into = join(root, 'tables');
  const pulled = await pipeline(['pull', server.url, '--into', into, '--tables-only']).ended;
  expect([pulled.code, pulled.out]).toEqual([0, expect.stringContaining('its serving image (')]);
  // Somewhere else than on a terminal each line says how far it is.
  expect(pulled.errors).toMatch(new RegExp(`^pull ${version}: \\d+/\\d+ bytes$`, 'm'));
  // Read as docs/snapshots.md says.
  await withScratchDatabase(async (db) => {
    const folder = join(into, version);
    await db.run(`SET VARIABLE snapshot = ${sqlLiteral(folder)};
      ATTACH ${sqlLiteral(join(folder, 'snapshot.duckdb'))} AS snapshot (READ_ONLY)`);
    expect(await db.one('SELECT count(*)::DOUBLE AS trials FROM snapshot.trials')).toEqual({ trials: 766 });
    await db.run('DETACH snapshot');
  });
  const tables = await pipeline(['verify', version, '--tables-only'], { SNAPSHOTS_DIR: into }).ended;
  expect([tables.code, tables.out]).toEqual([
    0,
    expect.stringMatching(/ is intact: [\s\S]*was left out, as --tables-only asks/),
  ]);
  const whole = await pipeline(['verify', version], { SNAPSHOTS_DIR: into }).ended;
  expect([whole.code, whole.out]).toEqual([1, expect.stringContaining('`--tables-only` checks the rest')]);
  const wrong = await pipeline(['pull', 'ftp://example.org', '--json']).ended;
  expect(JSON.parse(wrong.out)).toMatchObject({ code: 'WRONG_USAGE', exitCode: 2 });
});
