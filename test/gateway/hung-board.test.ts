import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { type BareAnswer, type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** Attack 24: a board process that hangs (SIGSTOP) holds each read for long, and fixed texts with it. */

const FIRST = '1f6f8f0e-2b1c-4b52-9a53-0b9d1d6d8a11';
const SECOND = '7d3a5c9e-6f4b-4f0e-8f6a-2f2f4a1c9b22';

describe('a board that hangs', () => {
  let root: string;
  let board: ServerProcess;
  let origin: BareOrigin;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'trial-board-hung-'));
    board = await startServer('board-server/main.ts', { DATA_DIR: root, BOARD_PORT: '0' });
    origin = await openBareOrigin({ upstream: new Upstream(board.url, { patienceMs: 1_000 }) });
  });
  afterAll(async () => {
    board.child.kill('SIGCONT');
    await origin[Symbol.asyncDispose]();
    await board.stop();
    await rm(root, { recursive: true, force: true });
  });

  const announce = (key: string, scope: string): Promise<BareAnswer> =>
    origin.ask('/api/v1/claims', { method: 'POST', headers: { 'idempotency-key': key }, body: { ...CLAIM, scope } });
  const list = (): Promise<BareAnswer> => origin.ask('/api/v1/claims');

  it('costs one wait: then all is refused at once, fixed texts are served, and nothing acknowledged or sent is lost', async () => {
    await until(async () => (await announce(FIRST, 'acknowledged before')).status < 300);
    board.child.kill('SIGSTOP');

    const cut = await announce(SECOND, 'sent into the silence');
    expect([cut.status, cut.body.error.code, cut.headers['retry-after']]).toEqual([503, 'CLAIM_FAILED', '5']);
    expect(cut.body.error.message).toContain('it may or may not have been stored');
    expect(cut.body.error.hint).toContain('the same Idempotency-Key');

    // Said only of a request that was never sent, so that it did not wait for the board either.
    const unsent = 'This part of the service does not answer at present; the request was not carried out.';
    await until(async () => (await list()).body.error.message === unsent);
    const refused = await announce('c0a8012e-5a0b-4f3c-9d1e-3e3e3e3e3e33', 'never sent');
    expect([refused.status, refused.body.error.message]).toEqual([503, unsent]);
    // A follower would wait for its event otherwise.
    expect((await origin.ask('/api/v1/changes?wait=30')).body.error.code).toBe('CHANGES_UNAVAILABLE');

    const { status, body } = await origin.ask('/api/v1/curriculum');
    expect([status, body._meta.degraded, body.data.councilAdditions]).toEqual([200, true, 'not read']);
    expect(body._meta.honesty[0]).toContain('The board could not be read');
    expect(body.data.objectives.map(({ id }: { id: string }) => id)).toContain('map-one-disease');
    expect(body.data.moduleObjectives.length).toBeGreaterThan(0);
    const one = await origin.ask('/api/v1/open-questions?id=freshness-drift');
    expect([one.body.data.questions.length, one.body.data.councilAdditions]).toEqual([1, 'not read']);
    // It may be one of the council's, which nobody can tell now.
    expect((await origin.ask('/api/v1/curriculum?id=council-unknown')).body.error.code).toBe('DB_ERROR');
    expect((await origin.ask('/api/v1/open-questions?id=council-unknown')).status).toBe(503);
    expect((await origin.ask('/api/v1')).body.data.councilAdditions).toBe('not read');
    for (const path of ['/api/v1/errors', '/api/v1/graph', '/api/v1/protocol', '/api/v1/trials/search?q=diabetes']) {
      expect([path, (await origin.ask(path)).status]).toEqual([path, 200]);
    }

    board.child.kill('SIGCONT');
    await until(async () => (await list()).status === 200);
    await until(async () => (await announce(SECOND, 'sent into the silence')).status < 300);
    const scopes = (await list()).body.data.claims.map(({ scope }: { scope: string }) => scope);
    expect(scopes.toSorted()).toEqual(['acknowledged before', 'sent into the silence']);
    expect((await announce(FIRST, 'acknowledged before')).headers['idempotency-replayed']).toBe('true');
    expect((await origin.ask('/api/v1/curriculum')).body.data.councilAdditions).toBeUndefined();
  });
});
