import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OutcomeCode } from '../../contract/run-outcomes.ts';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import { environment } from '../../server-kit/config/env.ts';
import { readCurrentManifest, SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { assertHeld } from '../../snapshot/format/versions/removed.ts';
import type { Effects, Stop } from '../effects.ts';
import { withSpace } from '../space.ts';
import { progressReporter } from './progress.ts';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Invalid command line; exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

export interface CommandContext {
  config: Config;
  effects: Effects;
  json: boolean;
  /** Writes the result: JSON for machines, else the rendered text. */
  result(value: unknown, text: string): void;
}

/** What a shell expects of a program that Ctrl-C or SIGTERM ended. */
const EXIT_STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const STOPPED: OutcomeCode = 'STOPPED';

interface Ends {
  /** False where the command has its own way to end by a signal. */
  interrupt?: boolean;
  /** What `--json` states of a stopped run, beside its outcome. */
  told?: object;
  /** What a stopped run tells people of its stages, on standard output. */
  reports?: () => string;
}

/**
 * Runs one command and ends its progress display in every case. Ctrl-C and SIGTERM end the process at once, as a kill would:
 * every stage may be killed anywhere.
 */
export async function withContext(
  json: boolean,
  work: (context: CommandContext) => Promise<void>,
  { interrupt = true, told = {}, reports = () => '' }: Ends = {},
): Promise<void> {
  const kind = json ? 'none' : process.stderr.isTTY ? 'bars' : 'lines';
  const progress = progressReporter(kind, () => Date.now());
  let tell = ({ signal, goOn }: Stop): string =>
    `stopped by ${signal}; what was stored is kept, what is served is unchanged. To go on: ${goOn}`;
  const context: CommandContext = {
    config: loadConfig(environment(), ROOT),
    effects: {
      now: () => new Date(),
      progress: (event) => progress.event(event),
      notice: (text) => void process.stderr.write(`${text}\n`),
      onStop: (telling) => {
        tell = telling;
      },
      checkpoint: () => {},
    },
    json,
    result(value, text) {
      progress.stop();
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text.trimEnd()}\n`);
    },
  };
  const { dataDir, snapshotsDir } = context.config;
  const interrupted = (signal: keyof typeof EXIT_STOPPED): void => {
    progress.stop();
    const exitCode = EXIT_STOPPED[signal];
    const goOn = `npm run pipeline -- ${process.argv.slice(2).map(quoted).join(' ')}`;
    const message = tell({ signal, exitCode, goOn });
    if (json) process.stdout.write(`${JSON.stringify({ code: STOPPED, exitCode, message, signal, ...told })}\n`);
    else {
      const text = reports();
      if (text !== '') process.stdout.write(`${text}\n`);
      process.stderr.write(`${message}\n`);
    }
    process.exit(exitCode);
  };
  if (interrupt) for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    await work(context);
  } catch (error) {
    throw await withSpace(error, [dataDir, snapshotsDir]);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    progress.stop();
  }
}

/** The word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The named version, whose files are there. Throws SnapshotFault for one that is not, or that gc removed. */
export async function heldVersionOf(snapshotsDir: string, name: string): Promise<string> {
  const version = await versionOf(snapshotsDir, name);
  await assertHeld(snapshotsDir, version);
  return version;
}

/** The named version; for `current`, the one that is served. */
export async function versionOf(snapshotsDir: string, name: string): Promise<string> {
  if (name !== 'current') {
    if (VERSION_PATTERN.test(name)) return name;
    throw new UsageError(
      `${JSON.stringify(name)} is not a version; \`pipeline list\` shows them, and \`current\` is the one served`,
    );
  }
  const current = await readCurrentManifest(snapshotsDir);
  if (current === null)
    throw new SnapshotFault('missing', `there is no snapshot in ${snapshotsDir} yet; make one with \`pipeline run\``);
  return current.version;
}
