import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '../../config/config.ts';
import { environment } from '../../config/env.ts';
import { readCurrentManifest, SnapshotFault } from '../../snapshot-format/current.ts';
import { VERSION_PATTERN } from '../../snapshot-format/current-file.ts';
import type { Effects } from '../effects.ts';
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

/** What a shell expects of a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/**
 * Runs one command and ends its progress display in every case. Ctrl-C ends the process at once, as a kill would: every
 * stage may be killed anywhere. `interrupt` is false where the command has its own way to end.
 */
export async function withContext(
  json: boolean,
  work: (context: CommandContext) => Promise<void>,
  interrupt = true,
): Promise<void> {
  const kind = json ? 'none' : process.stderr.isTTY ? 'bars' : 'lines';
  const progress = progressReporter(kind, () => Date.now());
  const context: CommandContext = {
    config: loadConfig(environment(), ROOT),
    effects: {
      now: () => new Date(),
      progress: (event) => progress.event(event),
      notice: (text) => void process.stderr.write(`${text}\n`),
      checkpoint: () => {},
    },
    json,
    result(value, text) {
      progress.stop();
      process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${text.trimEnd()}\n`);
    },
  };
  const { dataDir, snapshotsDir } = context.config;
  const interrupted = (): void => {
    progress.stop();
    const again = `npm run pipeline -- ${process.argv.slice(2).join(' ')}`;
    process.stderr.write(`stopped; what was stored is kept, what is served is unchanged. To go on: ${again}\n`);
    process.exit(EXIT_INTERRUPTED);
  };
  if (interrupt) process.once('SIGINT', interrupted);
  try {
    await work(context);
  } catch (error) {
    throw await withSpace(error, [dataDir, snapshotsDir]);
  } finally {
    process.off('SIGINT', interrupted);
    progress.stop();
  }
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
