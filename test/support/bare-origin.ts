import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { inject } from 'vitest';
import { createBoardApp } from '../../board-server/app.ts';
import { createGateway, type GatewayOptions } from '../../gateway/app.ts';
import { Upstream } from '../../gateway/upstream/upstream.ts';
import { openIndexServices } from '../../index-server/services.ts';
import { type Listening, listen, type ServeLimits } from '../../server-kit/serve.ts';
import { openBoard, type TestBoard } from './board/board.ts';

export interface BareAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface BareOrigin extends AsyncDisposable {
  url: string;
  server: Listening;
  upstream: Upstream;
  board: TestBoard;
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<BareAnswer>;
}

/**
 * Gateway and board over real HTTP, as a client meets them: nothing in between reads, checks or buffers an answer.
 * `upstream` replaces the real board.
 */
export async function openBareOrigin(
  options: Partial<GatewayOptions> & { upstream?: Upstream } = {},
  limits: Partial<ServeLimits> = {},
): Promise<BareOrigin> {
  const { upstream: other, log = pino({ level: 'silent' }), ...given } = options;
  const silent = pino({ level: 'silent' });
  const board = await openBoard();
  const { now } = board.clock;
  const boardApp = createBoardApp({ services: board.services, log: silent, now, baseUrl: null, trustedProxies: 1 });
  const boardServer = await listen(boardApp, { host: '127.0.0.1', port: 0, log: silent });
  // A busy machine is no silent board.
  const upstream = other ?? new Upstream(boardServer.url, { patienceMs: 900_000 });
  const index = await openIndexServices(inject('sampleSnapshots'), silent);
  const app = createGateway({ index, board: upstream, log, now, baseUrl: null, ...given });
  const server = await listen(app, { host: '127.0.0.1', port: 0, log: silent, limits });
  return {
    url: server.url,
    server,
    upstream,
    board,
    async ask(path, { method = 'GET', headers = {}, body } = {}) {
      const bytes = body === undefined ? null : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const length = bytes === null ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
      const sent = request(`${server.url}${path}`, { method, headers: { ...length, ...headers } }).end(
        bytes ?? undefined,
      );
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      const received = await text(answer);
      const { statusCode: status = 0, headers: fields } = answer;
      const isJson = /json(?!l)/.test(fields['content-type'] ?? '') && fields['content-encoding'] === undefined;
      const read: unknown = isJson && received !== '' ? JSON.parse(received) : null;
      return { status, headers: fields, text: received, body: read };
    },
    async [Symbol.asyncDispose]() {
      upstream[Symbol.dispose]();
      await Promise.all([server.close(), boardServer.close()]);
      await index[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
    },
  };
}
