import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { type Config, loadConfig } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { openIndexServices } from '../index-server/services.ts';
import { openRateLimiter } from '../server-kit/limits.ts';
import { endOnFault, listen, stopSignal } from '../server-kit/serve.ts';
import { allowedHosts } from './admission/allowed-hosts.ts';
import { createGateway } from './app.ts';
import { TaskStore } from './store/task-store.ts';
import { Upstream } from './upstream/upstream.ts';

interface GatewayEffects {
  /** The board, if the calling process starts and restarts it; default the address in the settings. */
  board?: Upstream;
  /** Called with the address once the server listens. */
  onListening?: (url: string) => void;
}

/** Serves until SIGTERM or SIGINT, then drains. */
export async function runGateway(config: Config, effects: GatewayEffects = {}): Promise<void> {
  const log = pino({ level: config.logLevel });
  await using open = new AsyncDisposableStack();
  const limiter = config.rateLimits ? open.use(await openRateLimiter(config.rateStore)) : null;
  const index =
    config.indexUrl === null
      ? open.use(await openIndexServices(config.snapshotsDir, log, config))
      : open.use(new Upstream(config.indexUrl));
  const board = effects.board ?? open.use(new Upstream(config.boardUrl));
  const tasks = open.use(openTasks(config.a2aTasksDb, log));
  const { baseUrl, trustProxy: trustedProxies } = config;
  const draining = new AbortController();
  const app = createGateway({
    index,
    board,
    limiter,
    trustedProxies,
    log,
    now: () => new Date(),
    baseUrl,
    draining: draining.signal,
    allowedHosts: allowedHosts(config),
    tasks,
  });
  const server = await listen(app, { host: config.host, port: config.port, log });
  endOnFault(log);
  effects.onListening?.(server.url);
  const signal = await stopSignal();
  log.info({ signal }, 'draining');
  // First, so that long polls and streams end while their connections are open.
  draining.abort();
  await server.close();
  log.info('stopped');
}

/** The service starts without this file: only tasks/get needs it. */
function openTasks(path: string, log: Logger): TaskStore {
  try {
    return TaskStore.open(path);
  } catch (err) {
    log.warn({ err, path }, 'the file of A2A tasks cannot be opened; they are held in memory until the next start');
    return TaskStore.open(':memory:');
  }
}

if (import.meta.main) await runGateway(loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url)))));
