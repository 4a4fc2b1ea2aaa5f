import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Argument, type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { nextOf, type OutcomeCode, type RecordedCommand } from '../../contract/run-outcomes.ts';
import { type Config, loadConfig } from '../../server-kit/config/config.ts';
import { environment } from '../../server-kit/config/env.ts';
import type { Effects, Stop } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import { PublicationRefused } from '../publish/checks/gate.ts';
import { outcome, outcomeOfFailure } from '../run/outcome.ts';
import type { RunReport } from '../run/run.ts';
import { recorded } from '../run/run-record.ts';
import { withSpace } from '../space.ts';
import { progressReporter } from './progress.ts';
import { renderRun } from './reports.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface CommandContext {
  config: Config;
  effects: Effects;
  json: boolean;
  /** Reports of the stages of a run, which are printed also after a fault or a stop. */
  told: Partial<RunReport>;
}

/** The end of a command. */
export interface Report {
  /** For machines: printed by `--json`. */
  stated: unknown;
  /** For people. */
  text: string;
  /** 0 by default. */
  exitCode?: number;
}

/** A command of the command line. */
export interface CommandSpec {
  /** Name, after that of its group where it has one. */
  name: string;
  summary: string;
  arguments?: readonly Argument[];
  options?: readonly Option[];
  /** False for a command whose output is text alone. */
  json?: false;
  /** True for a command that ends by a signal in its own way. */
  endsBySignal?: true;
  /** Gets the options and then the arguments of the command line; null where it has printed everything itself. */
  run(context: CommandContext, flags: object, ...words: (string | undefined)[]): Promise<Report | null>;
}

/** Adds commands to the program; those of a group, such as `store push`, to the command of its name. */
export function addCommands(program: Command, specs: readonly CommandSpec[]): void {
  for (const { name, summary, arguments: given = [], options = [], json = true, endsBySignal, run } of specs) {
    const [group, rest = group] = name.split(' ') as [string, string?];
    const parent = rest === group ? program : program.commands.find((one) => one.name() === group)!;
    const command = parent.command(rest).description(summary);
    for (const argument of given) command.addArgument(argument);
    for (const one of options) command.addOption(one);
    if (json) command.option('--json', 'one JSON object on standard output, nothing else');
    command.action(async (...words: unknown[]) => {
      const flags = words.at(-2) as { json?: boolean };
      const work = (context: CommandContext) => run(context, flags, ...(words.slice(0, -2) as string[]));
      await perform(flags.json === true, work, endsBySignal);
    });
  }
}

/** An option of a command; without `value`, it has no default. */
export function option<T>(flags: string, description: string, parse?: (text: string) => T, value?: T): Option {
  const made = new Option(flags, description);
  if (parse !== undefined) made.argParser(parse);
  return value === undefined ? made : made.default(value);
}

/** Reads a whole number of an option. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
    throw new InvalidArgumentError(`expected a whole number from ${least}.`);
  };
}

/** Exit codes that a shell expects of a program that Ctrl-C or SIGTERM ended. */
const EXIT_STOPPED = { SIGINT: 130, SIGTERM: 143 } as const;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const STOPPED: OutcomeCode = 'STOPPED';

/**
 * Runs the work of a command, prints its report or its failure, and sets the exit code. Ctrl-C and SIGTERM end the process at
 * once, as a kill would, since every stage may be killed anywhere; not so with `endsBySignal`.
 */
export async function perform(
  json: boolean,
  work: (context: CommandContext) => Promise<Report | null>,
  endsBySignal = false,
): Promise<void> {
  const progress = progressReporter(json ? 'none' : process.stderr.isTTY ? 'bars' : 'lines');
  const told: Partial<RunReport> = {};
  let stopMessage = ({ signal, goOn }: Stop): string =>
    `stopped by ${signal}; what was stored is kept, what is served is unchanged. To go on: ${goOn}`;
  const effects: Effects = {
    now: () => new Date(),
    progress: (event) => progress.event(event),
    notice: (text) => void process.stderr.write(`${text}\n`),
    onStop: (message) => {
      stopMessage = message;
    },
    checkpoint: () => {},
  };
  const interrupted = (signal: keyof typeof EXIT_STOPPED): void => {
    const exitCode = EXIT_STOPPED[signal];
    const goOn = `npm run pipeline -- ${process.argv.slice(2).map(quoted).join(' ')}`;
    const message = stopMessage({ signal, exitCode, goOn });
    progress.stop();
    print(json, { code: STOPPED, exitCode, message, signal, ...told }, renderRun(told));
    if (!json) process.stderr.write(`${message}\n`);
    process.exit(exitCode);
  };
  if (!endsBySignal) for (const signal of SIGNALS) process.once(signal, interrupted);
  try {
    const config = settings();
    const report = await work({ config, effects, json, told }).catch(async (error: unknown) => {
      throw await withSpace(error, [config.dataDir, config.snapshotsDir]);
    });
    progress.stop();
    if (report?.exitCode !== undefined) process.exitCode = report.exitCode;
    if (report !== null) print(json, report.stated, report.text);
  } catch (error) {
    progress.stop();
    endWithFailure(error, json, told);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupted);
  }
}

function settings(): Config {
  return loadConfig(environment(), ROOT);
}

/** A word as a shell reads it. */
function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function print(json: boolean, stated: unknown, text: string): void {
  if (json) process.stdout.write(`${JSON.stringify(stated)}\n`);
  else if (text !== '') process.stdout.write(`${text.trimEnd()}\n`);
}

/** The operator's next step after the command of this process, as a last line for a terminal; nothing where all is well. */
export function nextLine(code: OutcomeCode): string {
  const next = nextOf(code, process.argv);
  return next === null ? '' : `next: ${next}\n`;
}

/** Words before a message for people, where they are not `failed: `. */
const PREFIXES: Partial<Record<OutcomeCode, string>> = { WRONG_USAGE: '', WRONG_SETTINGS: '', REFUSED: 'refused: ' };

/**
 * Sets the exit code of a failure and prints it, with the reports of the stages until then: as one JSON object, or for people the
 * reports on standard output and the failure on standard error.
 */
export function endWithFailure(error: unknown, json: boolean, told: Partial<RunReport> = {}): void {
  const { code, exitCode, message } = outcomeOfFailure(error);
  process.exitCode = exitCode;
  const gate = error instanceof PublicationRefused ? { breaches: error.breaches, checks: error.checks } : {};
  print(json, { code, exitCode, message, ...gate, ...told }, renderRun(told));
  // Commander has written its message already.
  if (!json && !(error instanceof CommanderError))
    process.stderr.write(`${PREFIXES[code] ?? 'failed: '}${message}\n${nextLine(code)}`);
}

/** Changes the snapshots directory under its lock, and keeps a row of the command with a message of what it did. */
export function recordedChange<Result>(
  command: RecordedCommand,
  { config, effects }: Pick<CommandContext, 'config' | 'effects'>,
  work: () => Promise<Result>,
  message: (result: Result) => string,
): Promise<Result> {
  const asked = { command, words: process.argv.slice(3) };
  const endOf = (result: Result) => ({ ...outcome('DONE'), message: message(result) });
  const { snapshotsDir } = config;
  return withPipelineLock({ snapshotsDir }, () => recorded(asked, config, effects, work, endOf), effects);
}
