import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { type Config, ConfigError, loadConfig } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { openLiterature } from '../literature/client.ts';
import { endOnFault, listen, stopSignal } from '../server-kit/serve.ts';
import { createBoardApp } from './app.ts';
import { addressSalt } from './kit/address-salt.ts';
import { SnapshotFollower } from './kit/snapshot-follower.ts';
import { TrialIds } from './kit/trial-ids.ts';
import { preparePatterns } from './ladders/acceptance/patterns.ts';
import { Population } from './results-gap/population.ts';
import { Board } from './store/board.ts';
import { type BoardEffects, pooledRandom } from './store/effects.ts';
import { FileCheck } from './store/file-check.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

const EXIT_USAGE = 2;

/** Told to the process that started this one, once it can be asked. */
export interface BoardAddress {
  url: string;
}

/**
 * Serves the board until SIGTERM or SIGINT, or until the process that started it is gone, or its file is found to be
 * damaged; then drains.
 */
export async function runBoardServer(config: Config): Promise<void> {
  const log = pino({ level: config.logLevel });
  const effects: BoardEffects = { now: () => new Date(), random: pooledRandom() };
  await using board = await Board.open(config.boardDb, effects);
  const { services: webhooks, worker } = await openWebhooks({ board, log, allow: config.webhookAllow });
  await using _delivering = worker;
  const salt = addressSalt(join(config.dataDir, 'address.salt'), effects.random);
  using population = await SnapshotFollower.follow({
    snapshotsDir: config.snapshotsDir,
    open: Population.open,
    onFault: (error) =>
      log.error({ err: error }, 'the results gap of CURRENT cannot be read; the previous one stays in use'),
  });
  using trialIds = await SnapshotFollower.follow({
    snapshotsDir: config.snapshotsDir,
    open: TrialIds.open,
    onFault: (error) =>
      log.error({ err: error }, 'the trial ids of CURRENT cannot be read; the previous ones stay in use'),
  });
  const literature = openLiterature({
    ...config,
    now: effects.now,
    askedBy: 'board',
    onFault: ({ source, reason }) => log.warn({ source, reason }, 'the literature did not answer'),
  });
  preparePatterns();
  const services = { board, addressSalt: salt, webhooks, population, trialIds, literature };
  const app = createBoardApp({
    services,
    log,
    now: effects.now,
    baseUrl: config.baseUrl,
    trustedProxies: config.trustProxy,
  });
  const server = await listen(app, { host: config.host, port: config.boardPort, log });
  endOnFault(log);
  process.send?.({ url: server.url } satisfies BoardAddress);
  using check = FileCheck.start(config.boardDb);
  const signal = await Promise.race([stopSignal(), starterGone(), damaged(config.boardDb, check, log)]);
  log.info({ signal }, 'draining');
  // Readers that wait for an event would hold the drain.
  board.arrivals.close();
  await server.close();
  log.info('stopped');
}

/** Resolves when a check finds damage, after which this process ends with 1; never for a sound file. */
async function damaged(path: string, check: FileCheck | null, log: Logger): Promise<string> {
  const found = (await check?.result) ?? { state: 'sound' };
  if (found.state === 'unknown') log.warn({ file: path, said: found.said }, 'the board file could not be checked');
  if (found.state !== 'damaged') return new Promise(() => undefined);
  log.error(
    { file: path, said: found.said },
    'the board file is damaged: restore a backup with `npm run board -- restore`',
  );
  process.exitCode = 1;
  return 'damaged file';
}

/** Resolves when the process at the other end of the channel ends; never where there is none. */
function starterGone(): Promise<string> {
  return new Promise((resolve) => {
    if (process.channel) process.once('disconnect', () => resolve('disconnect'));
  });
}

async function main(): Promise<void> {
  try {
    await runBoardServer(loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url)))));
  } catch (error) {
    process.stderr.write(`The board cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_USAGE : 1;
  }
  if (process.connected) process.disconnect();
}

if (import.meta.main) await main();
