import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { createBoardApp } from '../../board-server/app.ts';
import type { DialectName } from '../../board-server/store/session.ts';
import type { GatewayOptions } from '../../gateway/app.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { type Listening, listen } from '../../server-kit/serve.ts';
import { openBoard, type TestBoard } from './board/board.ts';
import { quietLiterature, samplePopulation } from './board/results-gap.ts';
import { type Answer, openGateway, type TestGateway } from './gateway.ts';
import { checkAnswer } from './runner/openapi-check.ts';
import { sampleTrialIds } from './snapshots/trial-ids.ts';

export interface TestOrigin extends AsyncDisposable {
  url: string;
  board: TestBoard;
  boardServer: Listening;
  upstream: Upstream;
  gateway: TestGateway;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  send(path: string, body: unknown, headers?: Record<string, string>, method?: string): Promise<Answer>;
}

/** Gateway and board server in this process, each on a port of its own, over real HTTP; `store` if it is not the project's. */
export async function openOrigin(
  options: Partial<GatewayOptions> = {},
  store: { store?: DialectName } = {},
): Promise<TestOrigin> {
  const log = pino({ level: 'silent' });
  const board = await openBoard({
    population: await samplePopulation(),
    literature: quietLiterature(),
    trialIds: await sampleTrialIds(),
    ...store,
  });
  const common = { log, now: board.clock.now, baseUrl: null };
  const boardApp = createBoardApp({ ...common, services: board.services, trustedProxies: 1 });
  const boardServer = await listen(boardApp, { host: '127.0.0.1', port: 0, log });
  // A busy machine is no silent board.
  const upstream = new Upstream(boardServer.url, { patienceMs: 900_000 });
  const beside = { board: upstream, baseUrl: null, ...options };
  const gateway = await openGateway(undefined, board.clock.now, beside);
  const server = await listen(gateway.app, { host: '127.0.0.1', port: 0, log });
  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(`${server.url}${path}`, init);
    const body = await response.text();
    return { status: response.status, headers: response.headers, body: body === '' ? null : JSON.parse(body) };
  };
  return {
    url: server.url,
    board,
    boardServer,
    upstream,
    gateway,
    get: (path, headers = {}) => call(path, { headers }),
    send: (path, body, headers = {}, method = 'POST') =>
      call(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async [Symbol.asyncDispose]() {
      upstream[Symbol.dispose]();
      await Promise.all([server.close(), boardServer.close()]);
      await gateway[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
    },
  };
}

/** Sends exactly the given bytes, chunked if there are several; fetch would add its own headers and lengths. */
export async function rawRequest(
  url: string,
  options: { method?: string; headers?: Record<string, string>; chunks?: Buffer[] },
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const { method = 'GET', headers = {}, chunks = [] } = options;
  const sent = request(url, { method, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', reject);
  });
  for (const chunk of chunks) sent.write(chunk);
  sent.end();
  const answer = await answered;
  const bytes = await buffer(answer);
  await checkRawAnswer(method, url, answer, bytes);
  return { status: answer.statusCode!, headers: answer.headers, body: bytes.toString('utf8') };
}

async function checkRawAnswer(method: string, url: string, answer: IncomingMessage, bytes: Buffer): Promise<void> {
  const status = answer.statusCode!;
  const headers = { 'content-type': answer.headers['content-type'] ?? '' };
  const encoding = answer.headers['content-encoding'];
  const body = status === 204 || status === 304 ? null : new Uint8Array(bytes);
  const shown = { ...headers, ...(encoding === undefined ? {} : { 'content-encoding': encoding }) };
  await checkAnswer(method, url, new Response(body, { status, headers: shown }));
}
