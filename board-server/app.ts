import { H3, HTTPResponse } from 'h3';
import { PROBE_OPERATIONS } from '../contract/operations/orientation.ts';
import { type Handlers, type MountOptions, mount, problemResponse } from '../server-kit/mount.ts';
import { Problem } from '../server-kit/problem.ts';
import { mountBoard } from './routes.ts';
import type { BoardServices } from './services.ts';
import { liveKeyByHash } from './store/key-store.ts';

/** The board server: its operations, the probes, and what the gateway alone may ask. */
export function createBoardApp(options: MountOptions<BoardServices>): H3 {
  const { services, log } = options;
  const app = new H3({ silent: true, onError: (error, event) => problemResponse(error, event, log) });
  mountBoard(app, options);
  mount(app, PROBE_OPERATIONS, probeHandlers, options);
  // The gateway forwards operations of the contract only, so this path is out of reach behind it. It takes the hash of
  // a key, so that it is no help to anyone who does not hold the key already.
  app.get('/internal/keys/:hash', async (event) => {
    const live = await liveKeyByHash(services.board.read, event.context.params?.hash ?? '');
    const body = live ? { id: live.id, rateLimit: live.rate_limit } : {};
    return new HTTPResponse(JSON.stringify(body), {
      status: live ? 200 : 404,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    });
  });
  app.all('/**', (event) => problemResponse(new Problem('NOT_FOUND'), event, log));
  return app;
}

const probeHandlers: Handlers<typeof PROBE_OPERATIONS, BoardServices> = {
  healthz: () => ({ data: { status: 'ok' } }),
  readyz: async (_input, _context, { board }) => {
    const readable = await liveKeyByHash(board.read, '').then(
      () => true,
      () => false,
    );
    return {
      data: {
        status: readable ? 'ready' : 'not ready',
        snapshot: null,
        detail: readable ? 'serving' : 'the board file cannot be read',
      },
      status: readable ? 200 : 503,
    };
  },
};
