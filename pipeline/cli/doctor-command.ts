import { type Command, Option } from 'commander';
import { type Checkup, checkup } from '../doctor/doctor.ts';
import { withContext } from './context.ts';
import { renderCheckup } from './render.ts';

/** The exit code that a live run would have. */
const EXIT: Readonly<Record<Checkup['run'], number>> = { whole: 0, degraded: 3, fails: 1 };

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('send each live source one small request, and tell whether a run would succeed and what to mend')
    .addOption(new Option('--json', 'one JSON object on standard output, nothing else'))
    .action((flags: { json?: boolean }) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const found = await checkup(config, effects);
        process.exitCode = EXIT[found.run];
        result({ exitCode: EXIT[found.run], ...found }, renderCheckup(found));
      }),
    );
}
