import { H3, type H3Event, HTTPResponse } from 'h3';
import { PROBE_OPERATIONS } from '../contract/operations/board/orientation.ts';
import { GATEWAY_HEADERS } from '../server-kit/gateway-headers.ts';
import { isToken, sha256 } from '../server-kit/hashing.ts';
import { correlationIdOf, type Handlers, type MountOptions, mount, problemResponse } from '../server-kit/mount.ts';
import { DRAINING } from '../server-kit/probes.ts';
import { Problem, problemAnswer } from '../server-kit/problem.ts';
import { mountInternal } from './internal.ts';
import { liveKeyByHash } from './keys/key-store.ts';
import { mountBoard } from './routes.ts';
import type { BoardServerServices } from './services.ts';

interface BoardAppOptions extends MountOptions<BoardServerServices> {
  /** What the gateway proves itself with; null answers everybody. */
  gatewaySecret?: string | null;
  /** Aborts when this process begins to drain. */
  draining?: AbortSignal;
}

/** The board server: its operations, the probes, and what the gateway alone may ask. */
export function createBoardApp(options: BoardAppOptions): H3 {
  const { services, log, gatewaySecret = null, draining = null } = options;
  const app = new H3({ silent: true, onError: (error, event) => problemResponse(error, event, log) });
  if (gatewaySecret !== null) app.use(gatewayOnly(gatewaySecret));
  const health = mountBoard(app, options);
  mount(app, PROBE_OPERATIONS, probeHandlers, { ...options, services: { board: services.board, draining } });
  mountInternal(app, { services, health, now: options.now });
  app.all('/**', (event) => problemResponse(new Problem('NOT_FOUND'), event, log));
  return app;
}

const PROBES: ReadonlySet<string> = new Set(PROBE_OPERATIONS.map(({ path }) => path));

/** Refuses everything but probes to callers without the secret, and tells a gateway so in a header. */
function gatewayOnly(secret: string) {
  const expected = sha256(secret);
  return (event: H3Event): HTTPResponse | undefined => {
    const sent = event.req.headers.get(GATEWAY_HEADERS.secret) ?? '';
    if (PROBES.has(event.url.pathname) || isToken(sent, expected)) return undefined;
    const message =
      'This is the port of a board server, which answers its gateway only: call the address of the gateway. Its operator gives both the same BOARD_SECRET.';
    const { body, status, headers } = problemAnswer(new Problem('FORBIDDEN', { message }), correlationIdOf(event));
    return new HTTPResponse(JSON.stringify(body), {
      status,
      headers: { ...headers, [GATEWAY_HEADERS.refused]: 'secret' },
    });
  };
}

interface ProbedServices extends Pick<BoardServerServices, 'board'> {
  draining: AbortSignal | null;
}

const probeHandlers: Handlers<typeof PROBE_OPERATIONS, ProbedServices> = {
  healthz: () => ({ data: { status: 'ok' } }),
  readyz: async (_input, _context, { board, draining }) => {
    if (draining?.aborted) return { data: DRAINING, status: 503 };
    const readable = await liveKeyByHash(board.read, '', 0).then(
      () => true,
      () => false,
    );
    return {
      data: {
        status: readable ? 'ready' : 'not ready',
        snapshot: null,
        detail: readable ? 'serving' : 'the board file cannot be read',
        checkedAt: null,
        refused: null,
      },
      status: readable ? 200 : 503,
    };
  },
};
