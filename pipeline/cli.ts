import { Command, CommanderError } from 'commander';
import { settingsHelp } from '../server-kit/config/config.ts';
import { addDoctorCommand } from './cli/doctor-command.ts';
import { addLogCommands } from './cli/log-commands.ts';
import { endWithFailure } from './cli/outcome.ts';
import { addProofCommand } from './cli/proof-command.ts';
import { addPullCommand } from './cli/pull-command.ts';
import { addRunCommands } from './cli/run-commands.ts';
import { addSnapshotCommands } from './cli/snapshot-commands.ts';
import { addStoreCommands } from './cli/store-commands.ts';
import { addTermsCommand } from './cli/terms-command.ts';
import { recordTurnedAway } from './cli/turned-away.ts';

/** Asked of the words themselves, because Commander may fail before it has read the option. */
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

addRunCommands(program);
addSnapshotCommands(program);
addPullCommand(program);
addStoreCommands(program);
addLogCommands(program);
addProofCommand(program);
addTermsCommand(program);
addDoctorCommand(program);

try {
  await program.parseAsync();
} catch (error) {
  // Help that was asked for is no failure.
  if (!(error instanceof CommanderError && error.exitCode === 0)) {
    endWithFailure(error, json);
    await recordTurnedAway(error);
  }
}
