import { request } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { type BareOrigin, openBareOrigin } from '../support/bare-origin.ts';
import { keptLog } from '../support/log-lines.ts';
import { type FakeServer, fakeServer } from '../support/raw-socket.ts';
import { until } from '../support/until.ts';

const WARNING = 40;

let kept: ReturnType<typeof keptLog>;
let board: FakeServer;
let origin: BareOrigin;
beforeEach(async () => {
  kept = keptLog();
  board = await fakeServer();
  origin = await openBareOrigin({ upstream: new Upstream(board.url), log: kept.log });
});
afterEach(async () => {
  await origin[Symbol.asyncDispose]();
  await board[Symbol.asyncDispose]();
});

const answeredWith = async (status: number): Promise<void> => {
  const isThere = (): boolean => kept.lines().some((line) => line.event === 'request' && line.status === status);
  await until(isThere);
};
const warnings = () => kept.lines().filter(({ level }) => Number(level) >= WARNING);
const failures = async (): Promise<unknown> => (await origin.ask('/api/v1/status')).body.data.failures;

it('a caller that hangs up while the board answers is no warning and no fault of the board', async () => {
  const arrived = new Promise<void>((resolve) => {
    board.answer = () => resolve();
  });
  const sent = request(`${origin.url}/api/v1/claims`, { agent: false }).end();
  const closed = new Promise((resolve) => {
    sent.on('error', () => {}).on('close', resolve);
  });
  await arrived;
  sent.destroy();
  await closed;
  await answeredWith(503);
  expect(warnings()).toEqual([]);
  board.answer = (_request, response) => void response.end('{"data":1}');
  expect(await failures()).toBe(0);
});

it('a board that breaks off under a caller who waits is one', async () => {
  board.answer = ({ socket }) => socket.destroy();
  expect((await origin.ask('/api/v1/claims')).status).toBe(503);
  expect(warnings().map(({ msg }) => msg)).toEqual(['a request could not be served']);
  expect(await failures()).toBe(1);
});
