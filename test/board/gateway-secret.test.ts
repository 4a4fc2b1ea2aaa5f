import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { freePorts } from '../../tools/cluster/ports.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { FINDING, REVIEW } from '../support/board/findings.ts';
import { deep } from '../support/runner/amount.ts';
import { COMPILE_CACHE } from '../support/runner/compile-cache.ts';
import { startServer } from '../support/server-process.ts';
import { ROOT } from '../support/tree.ts';

/** Attack 17: the board's own port takes writes without limits, under made-up addresses. */

const SECRET = 'a-secret-of-this-test-alone';
const PORT_IS_THE_BOARDS = 'This is the port of a board server, which answers its gateway only';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-secret-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const post = (url: string, path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const codeOf = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { error?: { code: string } }).error?.code;

/** Distinct addresses that the board counts for two reviews which a caller sends under two made-up addresses. */
async function addressesCounted(url: string, headers: Record<string, string>): Promise<number> {
  const published = (await (await post(url, '/api/v1/findings', FINDING, headers)).json()) as { data: { id: string } };
  const path = `/api/v1/findings/${published.data.id}`;
  for (const [agentName, address] of [
    ['first reviewer', '203.0.113.7'],
    ['second reviewer', '198.51.100.9'],
  ] as const) {
    const sent = { ...headers, 'x-forwarded-for': address };
    expect((await post(url, `${path}/review`, { ...REVIEW, agentName }, sent)).status).toBe(201);
  }
  const { data } = (await (await fetch(`${url}${path}`, { headers })).json()) as {
    data: { reviewCounts: { corroborates: { addresses: number } } };
  };
  return data.reviewCounts.corroborates.addresses;
}

deep.describe('the board beside npm start', () => {
  it('answers its gateway and nobody else, by a secret that no command line shows', async () => {
    const port = String((await freePorts(1))[0]);
    await using service = await startServer('tools/start.ts', {
      DATA_DIR: join(root, 'start'),
      SNAPSHOTS_DIR: inject('sampleSnapshots'),
      BOARD_PORT: port,
    });
    const board = `http://127.0.0.1:${port}`;
    expect((await post(service.url, '/api/v1/keys', { label: 'through the gateway' })).status).toBe(201);
    const addresses = ['203.0.113.1', '203.0.113.2', '127.0.0.1'];
    for (const address of addresses) {
      const headers = { 'x-forwarded-for': address, 'x-board-secret': 'guessed' };
      const refused = await post(board, '/api/v1/keys', { label: 'past the gateway' }, headers);
      expect([refused.status, await codeOf(refused)]).toEqual([403, 'FORBIDDEN']);
    }
    for (const path of ['/api/v1/claims', '/internal/status', '/internal/additions', '/nowhere']) {
      const refused = await fetch(`${board}${path}`);
      expect([path, refused.status]).toEqual([path, 403]);
      expect(await refused.text()).toContain(PORT_IS_THE_BOARDS);
    }
    for (const path of ['/healthz', '/readyz']) expect((await fetch(`${board}${path}`)).status).toBe(200);

    const pids = (await readFile(`/proc/${service.child.pid}/task/${service.child.pid}/children`, 'utf8')).trim();
    const secrets = new Set<string | undefined>();
    const lines: string[] = [];
    for (const pid of pids.split(' ')) {
      secrets.add(/BOARD_SECRET=([^\0]+)/.exec(await readFile(`/proc/${pid}/environ`, 'utf8'))?.[1]);
      lines.push(await readFile(`/proc/${pid}/cmdline`, 'utf8'));
    }
    const [secret] = secrets;
    expect([secrets.size, pids.split(' ').length]).toEqual([1, 2]);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(lines.join()).not.toContain(secret);
  });
});

describe('a standalone board', () => {
  deep.it('with a secret takes the addresses of clients from its gateway, without a setting to guess', async () => {
    const settings = { DATA_DIR: join(root, 'known'), BOARD_PORT: '0', BOARD_SECRET: SECRET };
    await using board = await startServer('board-server/main.ts', settings);
    expect(await addressesCounted(board.url, { 'x-board-secret': SECRET })).toBe(2);
    expect((await fetch(`${board.url}/api/v1/claims`, { headers: { 'x-board-secret': `${SECRET}x` } })).status).toBe(
      403,
    );

    const known = new Upstream(board.url, { secret: SECRET, patienceMs: 900_000 });
    await using origin = await openBareOrigin({ upstream: known });
    expect((await origin.ask('/api/v1/findings')).body.data.findings).toHaveLength(1);
    for (const secret of [null, 'the-secret-of-another-board']) {
      const stranger = new Upstream(board.url, { secret, patienceMs: 900_000 });
      await using other = await openBareOrigin({ upstream: stranger });
      const { status, body, headers } = await other.ask('/api/v1/findings');
      expect([status, body.error.code]).toEqual([503, 'FINDINGS_UNAVAILABLE']);
      expect(headers['x-board-refused']).toBeUndefined();
    }
  });

  it('without one believes no address that a caller makes up, whatever TRUST_PROXY says', async () => {
    const settings = { DATA_DIR: join(root, 'unknown'), BOARD_PORT: '0', TRUST_PROXY: '1' };
    await using board = await startServer('board-server/main.ts', settings);
    expect(await addressesCounted(board.url, {})).toBe(1);
  });

  it('without one does not listen beyond its machine', async () => {
    const child = spawn(process.execPath, ['board-server/main.ts'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...COMPILE_CACHE, HOST: '0.0.0.0', BOARD_PORT: '0', DATA_DIR: join(root, 'open') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
    expect([code, errors]).toEqual([2, expect.stringContaining('BOARD_SECRET: expected for a board server')]);
  });
});
