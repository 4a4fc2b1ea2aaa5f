import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BOARD_ANSWER_MAX_SECONDS, BOARD_SILENCE_MAX_SECONDS } from '../../contract/limits/limits.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { type BareAnswer, type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { CLAIM } from '../support/board/board-writes.ts';
import { type FakeServer, fakeServer } from '../support/raw-socket.ts';
import { until } from '../support/until.ts';

/**
 * A write waits at its board for those of other boards, for a migration and for a standby, longest while boards are
 * replaced on a busy machine. Time stands still here but where the test moves it.
 */

const ANSWERED = 'http.client.response.finish';
/** After so long, again and again, a request that waits has its board probed. */
const DOUBT_MS = (BOARD_SILENCE_MAX_SECONDS * 1000) / 4;
const DOUBTS = (BOARD_ANSWER_MAX_SECONDS * 1000) / DOUBT_MS;

describe('a board that is long about one write', () => {
  let board: FakeServer;
  let origin: BareOrigin;
  /** The answer to the write. */
  let held: ServerResponse | null;
  /** Answers to probes that have come back. */
  let probed: number;
  const noteAnswer = (message: unknown): void => {
    if ((message as { request: ClientRequest }).request.path === '/healthz') probed += 1;
  };
  beforeEach(async () => {
    board = await fakeServer();
    origin = await openBareOrigin({ upstream: new Upstream(board.url) });
    [held, probed] = [null, 0];
    board.answer = (request, response) => {
      if (request.method === 'POST') held = response;
      else response.end('{"data":null}');
    };
    subscribe(ANSWERED, noteAnswer);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    unsubscribe(ANSWERED, noteAnswer);
    await origin[Symbol.asyncDispose]();
    await board[Symbol.asyncDispose]();
  });

  const claim = async (): Promise<{ answer: Promise<BareAnswer> }> => {
    const answer = origin.ask('/api/v1/claims', { method: 'POST', body: CLAIM });
    await until(() => held !== null);
    return { answer };
  };
  /** Lets time pass in which the board answers each probe. */
  const pass = async (doubts: number): Promise<void> => {
    for (const before = probed; doubts > 0; doubts -= 1) {
      const wanted = probed + 1;
      await vi.advanceTimersByTimeAsync(DOUBT_MS);
      await until(() => probed === wanted);
      expect(probed).toBeGreaterThan(before);
    }
  };

  it('is waited for while it answers others', async () => {
    const { answer } = await claim();
    await pass(DOUBTS - 1);
    held!.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"id":"clm_1"}}');
    expect((await answer).status).toBe(201);
  });

  it('is given up at the longest wait for an answer', async () => {
    const { answer } = await claim();
    await pass(DOUBTS - 1);
    await vi.advanceTimersByTimeAsync(DOUBT_MS);
    const { status, body } = await answer;
    expect([status, body.error.code]).toEqual([503, 'CLAIM_FAILED']);
    expect(body.error.message).toContain('it may or may not have been stored');
  });

  it('is given up once it answers no probe either', async () => {
    const { answer } = await claim();
    await pass(8);
    board.answer = () => undefined;
    await vi.advanceTimersByTimeAsync(DOUBT_MS);
    await until(() => board.seen.filter(({ path }) => path === '/healthz').length === 9);
    for (let time = 0; time < BOARD_SILENCE_MAX_SECONDS * 1000; time += DOUBT_MS) {
      await vi.advanceTimersByTimeAsync(DOUBT_MS);
      await new Promise(setImmediate);
    }
    expect((await answer).status).toBe(503);
    expect((await origin.ask('/api/v1/claims')).body.error.message).toContain('the request was not carried out');
  });
});
