import { Command, CommanderError } from 'commander';
import { ConfigError, settingsHelp } from '../config/config.ts';
import { UsageError } from './cli/context.ts';
import { addRunCommands } from './cli/run-commands.ts';
import { addSnapshotCommands } from './cli/snapshot-commands.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

const program = new Command('pipeline')
  .description(
    'Makes versioned snapshots of deduplicated trials from registry records. Each stage can run alone and be killed at any point.',
  )
  .exitOverride()
  .showHelpAfterError('(--help lists commands and options)')
  .addHelpText('after', `\nSettings (environment):\n${settingsHelp()}\n\nExit codes: 0 done, 1 failed, 2 wrong usage.`);

addRunCommands(program);
addSnapshotCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): number {
  // Commander has already written the error or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof UsageError || error instanceof ConfigError) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_USAGE;
  }
  process.stderr.write(`failed: ${messageOf(error)}\n`);
  return EXIT_FAILURE;
}

/** Faults of our own kinds explain themselves; any other error is a defect and is shown with its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  const expected =
    error.constructor !== TypeError && error.constructor !== RangeError && error.constructor !== ReferenceError;
  return `${expected ? error.message : (error.stack ?? error.message)}${cause}`;
}
