import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type Config, loadConfig } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { openIndexServices } from '../index-server/open-services.ts';
import { openRateLimiter } from '../server-kit/limits.ts';
import { listen, stopSignal } from '../server-kit/serve.ts';
import { createGateway } from './app.ts';
import { Upstream } from './upstream.ts';

export interface GatewayEffects {
  /** Where the board is, in the hands of who starts and restarts it; default the address in the settings. */
  board?: Upstream;
  /** Told the address once it answers. */
  onListening?: (url: string) => void;
}

/** Serves until SIGTERM or SIGINT, then drains. */
export async function runGateway(config: Config, effects: GatewayEffects = {}): Promise<void> {
  const log = pino({ level: config.logLevel });
  await using open = new AsyncDisposableStack();
  const limiter = config.rateLimits ? open.use(await openRateLimiter(config.rateStore)) : null;
  const index =
    config.indexUrl === null
      ? open.use(await openIndexServices(config.snapshotsDir, log))
      : open.use(new Upstream(config.indexUrl));
  const board = effects.board ?? open.use(new Upstream(config.boardUrl));
  const { baseUrl, trustProxy: trustedProxies } = config;
  const app = createGateway({ index, board, limiter, trustedProxies, log, now: () => new Date(), baseUrl });
  const server = await listen(app, { host: config.host, port: config.port, log });
  effects.onListening?.(server.url);
  const signal = await stopSignal();
  log.info({ signal }, 'draining');
  await server.close();
  log.info('stopped');
}

if (import.meta.main) await runGateway(loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url)))));
