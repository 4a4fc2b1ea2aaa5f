import { type Command, Option } from 'commander';
import { type Checkup, checkup } from '../doctor/checkup.ts';
import { withContext } from './context.ts';
import { renderCheckup } from './render-checkup.ts';

/** The exit code that a live run would come to. */
const EXIT: Readonly<Record<Checkup['run'], number>> = { whole: 0, degraded: 3, fails: 1 };

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description(
      'ask each live source one small question and tell whether a run would succeed, what it needs, and what to mend; stores nothing',
    )
    .addOption(new Option('--json', 'one JSON object on standard output, nothing else'))
    .action((flags: { json?: boolean }) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const found = await checkup(config, effects);
        result({ exitCode: EXIT[found.run], ...found }, renderCheckup(found));
        process.exitCode = EXIT[found.run];
      }),
    );
}
