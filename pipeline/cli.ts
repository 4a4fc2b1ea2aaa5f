import { Command, CommanderError } from 'commander';
import { settingsHelp } from '../server-kit/config/config.ts';
import { addCommands, endWithFailure } from './cli/command.ts';
import { RUN_COMMANDS } from './cli/run-commands.ts';
import { SERVICE_COMMANDS } from './cli/service-commands.ts';
import { SNAPSHOT_COMMANDS } from './cli/snapshot-commands.ts';

/** Read from the words themselves, because Commander may fail before it has read the option. */
const json = process.argv.includes('--json');

const program = new Command('pipeline')
  .description(
    'Makes versioned snapshots of deduplicated trials from registry records. Each stage can run alone and be killed at any point.',
  )
  .exitOverride()
  .showHelpAfterError('(--help lists commands and options)')
  .addHelpText(
    'after',
    `\nSettings (environment):\n${settingsHelp()}\n\nExit codes: 0 done, or published whole; 3 published, but a registry is missing or kept from before;\n4 refused by a gate; 1 failed; 2 wrong usage; 130 stopped by Ctrl-C, 143 by SIGTERM.`,
  );
if (json) program.configureOutput({ writeErr: () => {} });

// A reader that has enough, for instance head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

addCommands(program, [...RUN_COMMANDS, ...SNAPSHOT_COMMANDS]);
program.command('store').description('share snapshots between machines by SNAPSHOT_STORE');
addCommands(program, SERVICE_COMMANDS);

try {
  await program.parseAsync();
} catch (error) {
  // Help that was asked for is no failure.
  if (!(error instanceof CommanderError && error.exitCode === 0)) endWithFailure(error, json);
}
