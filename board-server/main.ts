import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { type Config, ConfigError, loadConfig } from '../server-kit/config/config.ts';
import { environment } from '../server-kit/config/env.ts';
import { isLoopback } from '../server-kit/limits/address.ts';
import { openPace } from '../server-kit/limits/stored-pace.ts';
import { openLiterature } from '../server-kit/literature/client.ts';
import { serverLog } from '../server-kit/log.ts';
import { endOnFault, type Listening, listen, stopSignal } from '../server-kit/serve.ts';
import { KeyFileFault, readSignerKeys } from '../snapshot/format/versions/key-files.ts';
import { createBoardApp } from './app.ts';
import { addressSaltOf } from './kit/address-salt.ts';
import { SnapshotFollower } from './kit/snapshot-follower.ts';
import { TrialIds } from './kit/trial-ids.ts';
import { preparePatterns } from './ladders/acceptance/patterns.ts';
import { Population } from './results-gap/population.ts';
import { Board } from './store/board.ts';
import { type BoardEffects, pooledRandom } from './store/effects.ts';
import { StoreFault } from './store/engine.ts';
import { startProving } from './store/proving.ts';
import { FileCheck } from './store/sqlite/file-check.ts';
import { ServingLock } from './store/sqlite/serving-lock.ts';
import { SteadyClock } from './store/steady-clock.ts';
import { fileOf, isServer, placeOf } from './store/store-address.ts';
import { noteVersions } from './webhooks/new-versions.ts';
import { openWebhooks, type WebhookServices } from './webhooks/open-webhooks.ts';

const EXIT_USAGE = 2;

/** Sent to the process that started this one: its address once it answers, or why it ends, in words for any caller. */
type BoardMessage = { url: string } | { fault: string };

/**
 * Serves the board until SIGTERM or SIGINT, or until the process that started it is gone, or its file is found to be
 * damaged; then drains.
 */
export async function runBoardServer(config: Config): Promise<void> {
  if (config.boardSecret === null && !isLoopback(config.host)) {
    throw new ConfigError(['BOARD_SECRET: expected for a board server that listens beyond its own machine (HOST)']);
  }
  const signers = await signersOf(config.signingKeyFile);
  const log = serverLog(config.logLevel);
  const clock = new SteadyClock({ wall: () => new Date(), monotonicMs: () => performance.now() });
  const effects: BoardEffects = { now: clock.now, random: pooledRandom(), correction: () => clock.correction };
  const file = isServer(config.boardStore) ? null : fileOf(config.boardStore);
  if (file !== null) mkdirSync(dirname(file), { recursive: true });
  using _serving = file === null ? null : new ServingLock(file);
  const opening = { keyFile: config.boardKeyFile, clock: effects.now };
  await using board = await Board.open(config.boardStore, effects, opening);
  const { services: webhooks, deliverer } = await openWebhooks({ board, log, allow: config.webhookAllow });
  await using _delivering = deliverer;
  const salt = await addressSaltOf(board, join(config.dataDir, 'address.salt'));
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
  using _announcing = await announceVersions({ board, webhooks, log, snapshotsDir: config.snapshotsDir });
  await using paced = config.rateStore === 'memory' ? null : await openPace(config.rateStore, 'board', log);
  const literature = openLiterature({
    ...config,
    pace: paced?.pace,
    now: effects.now,
    askedBy: 'board',
    onFault: ({ source, reason }) => log.warn({ source, reason }, 'the literature did not answer'),
  });
  preparePatterns();
  const services = {
    board,
    addressSalt: salt,
    independence: config.independence,
    boundsStorage: config.rateLimits,
    signers,
    webhooks,
    population,
    trialIds,
    literature,
  };
  const draining = new AbortController();
  const app = createBoardApp({
    ...{ services, draining: draining.signal, log, now: effects.now, baseUrl: config.baseUrl },
    gatewaySecret: config.boardSecret,
    // The gateway sends one address, and only a caller with the secret is the gateway.
    trustedProxies: config.boardSecret === null ? 0 : 1,
  });
  // Before the address is told: whoever waits for it may stop this process at once.
  const stopped = stopSignal();
  const server = await listen(app, { host: config.host, port: config.boardPort, log });
  endOnFault(log);
  process.send?.({ url: server.url } satisfies BoardMessage);
  using _proving = startProving({ board, store: config.boardStore, log });
  using check = file === null ? null : FileCheck.start(file);
  const signal = await Promise.race([stopped, starterGone(), damaged(file, check, log)]);
  log.info({ signal }, 'draining');
  draining.abort();
  // Where a starter runs it, its gateway has drained before.
  await ended(server, board, process.channel ? 0 : config.drainNoticeMs);
  log.info('stopped');
}

/** Ends a server that has said for `noticeMs` that it drains. */
async function ended(server: Listening, board: Board, noticeMs: number): Promise<void> {
  server.windDown();
  await pause(noticeMs);
  // Readers that wait for an event would hold the drain.
  board.arrivals.close();
  await server.close();
}

async function signersOf(keyFile: string): ReturnType<typeof readSignerKeys> {
  try {
    return await readSignerKeys(keyFile);
  } catch (error) {
    throw error instanceof KeyFileFault ? new ConfigError([`SIGNING_KEY_FILE: ${error.message}`]) : error;
  }
}

/** Tells webhooks of each version that CURRENT names. */
function announceVersions(options: {
  board: Board;
  webhooks: WebhookServices;
  log: Logger;
  snapshotsDir: string;
}): Promise<SnapshotFollower<null>> {
  const { board, webhooks, log, snapshotsDir } = options;
  return SnapshotFollower.follow({
    snapshotsDir,
    open: async (_dir, version) => {
      await noteVersions(board, snapshotsDir, version);
      webhooks.news();
      return null;
    },
    onFault: (error) => log.error({ err: error }, 'the version that CURRENT names could not be announced to webhooks'),
  });
}

/** Resolves when a check finds damage, after which this process ends with 1; never for a sound file. */
async function damaged(path: string | null, check: FileCheck | null, log: Logger): Promise<string> {
  const found = (await check?.result) ?? { state: 'sound' };
  if (found.state === 'unknown') log.warn({ file: path, said: found.said }, 'the board file could not be checked');
  if (found.state !== 'damaged') return new Promise(() => undefined);
  log.error(
    { file: path, said: found.said },
    'the board file is damaged: restore a backup with `npm run board -- restore`',
  );
  process.exitCode = 1;
  process.send?.({ fault: 'the board file is damaged' } satisfies BoardMessage);
  return 'damaged file';
}

/** Resolves when the process at the other end of the channel ends; never where there is none. */
function starterGone(): Promise<string> {
  return new Promise((resolve) => {
    if (process.channel) process.once('disconnect', () => resolve('disconnect'));
  });
}

/** A fault without the path or the server, which a caller has no business to know. */
function sayable(fault: string, store: string): string {
  return fault.replaceAll(placeOf(store), isServer(store) ? 'the database' : 'the board file');
}

async function main(): Promise<void> {
  try {
    const config = loadConfig(environment(), dirname(dirname(fileURLToPath(import.meta.url))));
    await runBoardServer(config).catch((error: unknown) => {
      if (error instanceof StoreFault) {
        process.send?.({ fault: sayable(error.message, config.boardStore) } satisfies BoardMessage);
      }
      throw error;
    });
  } catch (error) {
    process.stderr.write(`The board cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? EXIT_USAGE : 1;
  }
  if (process.connected) process.disconnect();
}

if (import.meta.main) await main();
