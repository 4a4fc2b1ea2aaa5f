import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, loadConfig, settingsHelp } from '../server-kit/config/config.ts';
import { environment } from '../server-kit/config/env.ts';
import { wasPublished } from '../snapshot/format/versions/current-file.ts';
import type { BoardStanding } from './gateway-process.ts';
import { publicChild, sayHowToBegin } from './public-child.ts';
import { SupervisedChild } from './supervised-child.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const EXIT_USAGE = 2;
const SECRET_BYTES = 32;

const HELP = `Usage: npm start [-- index]

Serves the board and the trial index. If no snapshot has been published yet, it first makes one from a synthetic sample corpus.
With the word index it is an index server alone, for gateways whose INDEX_URL names it: it serves SNAPSHOTS_DIR on PORT and makes no sample.
Both follow SNAPSHOT_STORE where it names a store.

Settings (environment):
${settingsHelp()}
`;

function settings(): Config {
  try {
    return loadConfig(environment(), ROOT);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\nnpm start -- --help lists every setting.\n`);
    process.exit(EXIT_USAGE);
  }
}

/** Runs the pipeline in a process of its own, so that its memory is free before the service starts. */
async function publishSample(): Promise<void> {
  const from = Date.now();
  process.stderr.write('Making a snapshot, 25 MB, of 2,300 synthetic records, about 10 s; none is a real trial … ');
  const child = spawn(process.execPath, ['pipeline/cli.ts', 'run', '--source', 'sample'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`the sample snapshot could not be made (exit ${code}):\n${errors}`);
  process.stderr.write(
    `${Math.round((Date.now() - from) / 1000)} s\nTo read the real registries: npm run pipeline -- run --source live\n`,
  );
}

const argument = process.argv[2];
if (argument === '--help' || argument === '-h') {
  process.stdout.write(HELP);
} else if (process.argv.length > 3 || ![undefined, 'index'].includes(argument)) {
  process.stderr.write(`npm start takes index, --help or no argument; settings come from the environment.\n`);
  process.exitCode = EXIT_USAGE;
} else {
  const run = argument === 'index' ? serveIndex : serve;
  process.exitCode = await run(settings()).catch((error: unknown) => {
    process.stderr.write(`failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  });
}

/**
 * Runs gateway and board as two child processes until a signal, or until the gateway is given up; then drains both, the
 * gateway first. Imports little, because it only waits. Returns the exit code.
 */
async function serve(config: Config): Promise<number> {
  const follows = config.indexUrls === null && config.snapshotStore !== null;
  if (config.indexUrls === null && !follows && !wasPublished(config.snapshotsDir)) await publishSample();
  process.stderr.write('Starting the board and the gateway, which holds the index …\n');
  const program = join(ROOT, 'tools', 'gateway-process.ts');
  // With the flags of this process, which bound its memory.
  const { server: gateway, givenUp } = publicChild('gateway', [...process.execArgv, program], {
    drainNoticeMs: config.drainNoticeMs,
    onFirstAddress: sayHowToBegin,
  });
  // Both children inherit it: the board answers nobody but its gateway.
  if (config.boardUrls === null) environment().BOARD_SECRET ||= randomBytes(SECRET_BYTES).toString('base64url');
  const board = config.boardUrls === null ? boardChild(config, (standing) => gateway.tell(standing)) : null;
  const stopped = stopSignal();
  const replica = follows ? replicaChild() : null;
  board?.start();
  gateway.start();
  replica?.start();
  const failed = await Promise.race([stopped, givenUp]);
  board?.keepDown();
  const [drained] = await Promise.all([gateway.stop(), replica?.stop()]);
  await board?.stop();
  return failed ?? drained ?? 1;
}

/** Runs an index server, and what follows the store, until a signal or until the server is given up. Returns the exit code. */
async function serveIndex(config: Config): Promise<number> {
  const stopped = stopSignal();
  const { drainNoticeMs } = config;
  const program = [...process.execArgv, join(ROOT, 'index-server', 'main.ts')];
  const { server: index, givenUp } = publicChild('index', program, {
    drainNoticeMs,
    onFirstAddress: (url) =>
      void process.stderr.write(`Serving the index on ${url}. Name it in INDEX_URL of the gateways.\n`),
  });
  const replica = config.snapshotStore === null ? null : replicaChild();
  index.start();
  replica?.start();
  const failed = await Promise.race([stopped, givenUp]);
  const [drained] = await Promise.all([index.stop(), replica?.stop()]);
  return failed ?? drained ?? 1;
}

function stopSignal(): Promise<null> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve(null));
  });
}

/** The board server: reachable from this machine only, and by its secret from the gateway only. It is never given up. */
function boardChild(config: Config, tellGateway: (standing: BoardStanding) => void): SupervisedChild {
  return new SupervisedChild({
    name: 'board',
    entry: [...process.execArgv, join(ROOT, 'board-server', 'main.ts')],
    cwd: ROOT,
    env: () => ({ ...environment(), HOST: '127.0.0.1', TRUST_PROXY: '1', INDEPENDENCE: config.independence }),
    isInner: true,
    onAddress: (url) => {
      process.stdout.write(`${JSON.stringify({ event: 'board', url })}\n`);
      tellGateway({ url, fault: null });
    },
    onEnd: ({ fault, reason, quickEnds }) => {
      const times = quickEnds === 1 ? 'once' : `${quickEnds} times in a row`;
      tellGateway({ url: null, fault: `does not run and is started again: ${fault ?? reason} (${times})` });
      return true;
    },
  });
}

/** Brings new versions from SNAPSHOT_STORE into SNAPSHOTS_DIR, away from the process that serves requests. It is never given up. */
function replicaChild(): SupervisedChild {
  return new SupervisedChild({
    name: 'replica',
    entry: [...process.execArgv, join(ROOT, 'pipeline', 'cli.ts'), 'store', 'follow'],
    cwd: ROOT,
    env: () => environment(),
    isInner: true,
    onAddress: () => {},
    onEnd: () => true,
  });
}
