import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { INDEX_SILENCE_MAX_SECONDS } from '../contract/limits/limits.ts';
import { openIndexServices } from '../index-server/entry.ts';
import { type Config, loadConfig } from '../server-kit/config/config.ts';
import { environment } from '../server-kit/config/env.ts';
import { CallerCeilings } from '../server-kit/limits/caller-ceilings.ts';
import { type CountStore, openCountStore } from '../server-kit/limits/count-store.ts';
import { limiterIn, openRateLimiter, type RateLimiter } from '../server-kit/limits/limits.ts';
import { storedPace } from '../server-kit/limits/stored-pace.ts';
import { serverLog } from '../server-kit/log.ts';
import { endOnFault, listen, startFault, stopSignal } from '../server-kit/serve.ts';
import { allowedHosts } from './admission/allowed-hosts.ts';
import { LagProbe } from './admission/lag-probe.ts';
import { createGateway } from './app.ts';
import { StoredCounts } from './common/stored-counts.ts';
import { BoardTraffic } from './observation/board-traffic.ts';
import { indexAsker } from './upstream/ask-index.ts';
import { TrialQueries } from './upstream/trial-queries.ts';
import { Upstream } from './upstream/upstream.ts';

/** An index in another process takes as long as it may be silent. */
const INDEX_LIMITS = {
  patienceMs: INDEX_SILENCE_MAX_SECONDS * 1000,
  answerMs: INDEX_SILENCE_MAX_SECONDS * 1000,
};

/** What the program that runs beside a board gives it (tools/gateway-process.ts). */
interface GatewayEffects {
  /** The board, whose address changes with each of its starts; default the address in the settings. */
  board?: Upstream;
  /** Why the board does not run; null while it does. */
  boardFault?: () => string | null;
  /** Counts requests instead of the store in the settings, where rate limits are on. */
  limiter?: RateLimiter;
  /** The server listens no earlier than this. */
  ready?: Promise<unknown>;
  /** Called with the address once the server listens. */
  onListening?: (url: string) => void;
  /** Settles when the process that started this one is gone. */
  starterGone?: Promise<unknown>;
}

/** Serves until SIGTERM or SIGINT, or until the process that started this one is gone; then drains. */
export async function runGateway(config: Config, effects: GatewayEffects = {}): Promise<void> {
  const log = serverLog(config.logLevel);
  await using open = new AsyncDisposableStack();
  const isCountedElsewhere = config.rateLimits && config.rateStore !== 'memory' && effects.limiter === undefined;
  const store = isCountedElsewhere ? open.use(await openLogged(config.rateStore, log)) : null;
  const limiter = config.rateLimits
    ? open.use(effects.limiter ?? (store === null ? await openRateLimiter('memory') : limiterIn(store)))
    : null;
  const pace = store === null ? undefined : storedPace(store, 'index');
  const index =
    config.indexUrls === null
      ? open.use(await openIndexServices(config.snapshotsDir, log, { ...config, pace }, config.trustedKeysFile))
      : open.use(new Upstream(config.indexUrls, INDEX_LIMITS));
  const board = effects.board ?? open.use(new Upstream(config.boardUrls, { secret: config.boardSecret }));
  const isShared = config.sharesBoard && (effects.board !== undefined || config.boardUrls !== null);
  const traffic = isShared ? open.use(new BoardTraffic(board, () => new Date())) : null;
  if (config.boardUrls !== null && config.boardSecret === null) {
    log.warn('BOARD_URL is set without BOARD_SECRET: the board counts all callers under the address of this gateway');
  }
  const { baseUrl, trustProxy: trustedProxies } = config;
  const draining = new AbortController();
  const lag = config.rateLimits ? open.use(new LagProbe()) : null;
  // A trusted proxy holds the connections of all its clients.
  const callers = config.rateLimits && trustedProxies === 0 ? open.use(new CallerCeilings()) : null;
  const app = createGateway({
    index,
    board,
    ...(effects.boardFault && { boardFault: effects.boardFault }),
    ...(config.indexUrls === null && config.snapshotStore !== null && { followedIn: config.snapshotsDir }),
    limiter,
    counts: store && new StoredCounts(store, () => new Date()),
    ...(store && { countStore: store }),
    trustedProxies,
    log,
    now: () => new Date(),
    baseUrl,
    operator: config.operator,
    draining: draining.signal,
    allowedHosts: allowedHosts(config),
    ...(traffic && { traffic }),
    ...(lag && { lagMs: () => lag.lagMs }),
    ...(callers && { callers }),
  });
  const ask = indexAsker(index, { log, now: () => new Date(), baseUrl });
  open.use(new TrialQueries(board, ask, log).start());
  await effects.ready;
  // Before the address is told: whoever waits for it may stop this process at once.
  const stopped = stopSignal();
  const server = await listen(app, {
    ...{ host: config.host, port: config.port, log, ...(callers && { callers }) },
  });
  endOnFault(log);
  effects.onListening?.(server.url);
  const gone = effects.starterGone?.then(() => 'disconnect');
  const signal = await Promise.race([stopped, ...(gone ? [gone] : [])]);
  log.info({ signal }, 'draining');
  // First, so that long polls and streams end while their connections are open.
  draining.abort();
  server.windDown();
  await pause(config.drainNoticeMs);
  await server.close();
  log.info('stopped');
}

/** Opens the store of RATE_STORE, and logs when it is away and when it is back. */
function openLogged(address: string, log: Logger): Promise<CountStore> {
  return openCountStore(address, {
    onChange: (away) => {
      const event = 'rate-store';
      if (away === null) log.info({ event }, 'RATE_STORE: the store answers; requests are counted there');
      else
        log.warn(
          { event, reason: away },
          'RATE_STORE: the store does not answer; this gateway counts requests in its own memory, and asks again every second',
        );
    },
  });
}

if (import.meta.main) {
  try {
    await runGateway(loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url)))));
  } catch (error) {
    process.stderr.write(`failed: ${startFault(error)}\n`);
    process.exitCode = 1;
  }
}
