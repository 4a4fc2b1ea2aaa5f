import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError, loadConfig, settingsHelp } from '../config/config.ts';
import { environment } from '../config/env.ts';
import { runGateway } from '../gateway/main.ts';
import { Upstream } from '../gateway/upstream/upstream.ts';
import { readCurrent } from '../snapshot-format/current.ts';
import { BoardProcess } from './board-process.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const EXIT_USAGE = 2;

const HELP = `Usage: npm start

Serves the board and the trial index. If no snapshot has been published yet, it first makes one from a synthetic sample corpus.

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
  process.stderr.write(
    'No snapshot has been published yet: making one from the synthetic sample corpus. No record in it is a real trial.\n' +
      'To read the real registries: npm run pipeline -- run --source live\n',
  );
  const child = spawn(process.execPath, ['pipeline/cli.ts', 'run', '--source', 'sample'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the sample snapshot could not be made (exit ${code}); the lines above say why`);
}

const argument = process.argv[2];
if (argument === '--help' || argument === '-h') {
  process.stdout.write(HELP);
} else if (argument !== undefined) {
  process.stderr.write(`npm start takes no arguments but --help; settings come from the environment.\n`);
  process.exitCode = EXIT_USAGE;
} else {
  await serve(settings()).catch((error: unknown) => {
    process.stderr.write(`failed: ${reasonOf(error)}\n`);
    process.exitCode = 1;
  });
}

/** Starts two processes: the board server as a child, the gateway with the index in this one. */
async function serve(config: Config): Promise<void> {
  if (config.indexUrl === null && (await readCurrent(config.snapshotsDir)) === null) await publishSample();
  using board = new Upstream(config.boardUrl);
  const child = config.boardUrl === null ? boardProcess(board) : null;
  await child?.start();
  try {
    await runGateway(config, {
      board,
      onListening: (url) => {
        process.stderr.write(`Serving on ${url}. Begin with: curl -s ${url}/api/v1\n`);
      },
    });
  } finally {
    await child?.stop();
  }
}

/** Settings of the board server: reachable from this machine only, behind one trusted proxy, the gateway. */
function boardProcess(board: Upstream): BoardProcess {
  return new BoardProcess({
    // The same flags as this process, which bound its memory.
    entry: [...process.execArgv, join(ROOT, 'board-server', 'main.ts')],
    cwd: ROOT,
    env: { ...environment(), HOST: '127.0.0.1', TRUST_PROXY: '1' },
    onAddress: (url) => {
      board.url = url;
    },
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${error.message}; set PORT to another port, or to 0 for any free one`;
  return error.message;
}
