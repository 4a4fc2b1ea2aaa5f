import { H3 } from 'h3';
import { PROBE_OPERATIONS } from '../contract/operations/orientation.ts';
import { type Handlers, type MountOptions, mount, problemResponse } from '../server-kit/mount.ts';
import { Problem } from '../server-kit/problem.ts';
import { mountInternal } from './internal.ts';
import { liveKeyByHash } from './keys/key-store.ts';
import { mountBoard } from './routes.ts';
import type { BoardServerServices } from './services.ts';

/** The board server: its operations, the probes, and what the gateway alone may ask. */
export function createBoardApp(options: MountOptions<BoardServerServices>): H3 {
  const { services, log } = options;
  const app = new H3({ silent: true, onError: (error, event) => problemResponse(error, event, log) });
  const health = mountBoard(app, options);
  mount(app, PROBE_OPERATIONS, probeHandlers, options);
  mountInternal(app, { board: services.board, health, now: options.now });
  app.all('/**', (event) => problemResponse(new Problem('NOT_FOUND'), event, log));
  return app;
}

const probeHandlers: Handlers<typeof PROBE_OPERATIONS, BoardServerServices> = {
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
