import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, InvalidArgumentError } from 'commander';
import type { OutcomeCode } from '../../contract/run-outcomes.ts';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import { environment } from '../../server-kit/config/env.ts';
import { readCurrentManifest, SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { readTrustedKeys } from '../../snapshot/format/versions/key-files.ts';
import { assertHeld } from '../../snapshot/format/versions/removed.ts';
import type { VerifierKey } from '../../snapshot/proof/note.ts';
import type { Effects, Stop } from '../effects.ts';
import { withSpace } from '../space.ts';
import { progressReporter } from './progress.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

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
}

/** What a command says at its end. */
export interface Report {
  /** For machines: printed by `--json`. */
  stated: unknown;
  /** For people. */
  text: string;
  /** 0 by default. */
  exitCode?: number;
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

/** Settings of the environment. */
export function settings(): Config {
  return loadConfig(environment(), ROOT);
}

/** Gives a command `--json` and the work that it does, with the flags and then the arguments of the command line. */
export function act<Flags extends { json?: boolean }, Words extends unknown[]>(
  command: Command,
  work: (context: CommandContext, flags: Flags, ...words: Words) => Promise<Report | null>,
  { json = true, ...ends }: Ends & { json?: boolean } = {},
): void {
  if (json) command.option('--json', 'one JSON object on standard output, nothing else');
  command.action((...given: unknown[]) => {
    const flags = given.at(-2) as Flags;
    return withContext(flags.json === true, (context) => work(context, flags, ...(given.slice(0, -2) as Words)), ends);
  });
}

/**
 * Runs one command, prints its report and ends its progress display in every case. Ctrl-C and SIGTERM end the process at once, as a
 * kill would: every stage may be killed anywhere.
 */
export async function withContext(
  json: boolean,
  work: (context: CommandContext) => Promise<Report | null>,
  { interrupt = true, told = {}, reports = () => '' }: Ends = {},
): Promise<void> {
  const kind = json ? 'none' : process.stderr.isTTY ? 'bars' : 'lines';
  const progress = progressReporter(kind, () => Date.now());
  let tell = ({ signal, goOn }: Stop): string =>
    `stopped by ${signal}; what was stored is kept, what is served is unchanged. To go on: ${goOn}`;
  const effects: Effects = {
    now: () => new Date(),
    progress: (event) => progress.event(event),
    notice: (text) => void process.stderr.write(`${text}\n`),
    onStop: (telling) => {
      tell = telling;
    },
    checkpoint: () => {},
  };
  const print = (stated: unknown, text: string): void => {
    progress.stop();
    if (json) process.stdout.write(`${JSON.stringify(stated)}\n`);
    else if (text !== '') process.stdout.write(`${text.trimEnd()}\n`);
  };
  const interrupted = (signal: keyof typeof EXIT_STOPPED): void => {
    const exitCode = EXIT_STOPPED[signal];
    const goOn = `npm run pipeline -- ${process.argv.slice(2).map(quoted).join(' ')}`;
    const message = tell({ signal, exitCode, goOn });
    print({ code: STOPPED, exitCode, message, signal, ...told }, reports());
    if (!json) process.stderr.write(`${message}\n`);
    process.exit(exitCode);
  };
  const config = settings();
  if (interrupt) for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const report = await work({ config, effects, json });
    if (report === null) return;
    if (report.exitCode !== undefined) process.exitCode = report.exitCode;
    print(report.stated, report.text);
  } catch (error) {
    throw await withSpace(error, [config.dataDir, config.snapshotsDir]);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
    progress.stop();
  }
}

/** The word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Reads a whole number of an option. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`expected a whole number from ${least}.`);
  };
}

/** The keys that a verification insists on; null where the setting names none. */
export async function trustedKeys({ trustedKeysFile }: Config): Promise<VerifierKey[] | null> {
  return trustedKeysFile === null ? null : readTrustedKeys(trustedKeysFile);
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
