import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { withPipelineLock } from '../lock.ts';
import { type Pulled, pull } from '../pull/pull.ts';
import { withContext } from './context.ts';
import { trustedKeys } from './log-commands.ts';
import { outcome } from './outcome.ts';
import { recorded } from './recorded-run.ts';
import { renderPulled } from './render.ts';

interface Flags {
  json?: boolean;
  version: string;
  into?: string;
  tablesOnly?: boolean;
}

/** The command that downloads a version from a running service. */
export function addPullCommand(program: Command): void {
  program
    .command('pull')
    .description(
      'download a version from a running service, check every hash, root and signature, and put it in place; after an interruption the same command goes on',
    )
    .argument('<url>', 'address of the service, such as https://trials.example.org', serviceUrl)
    .addOption(new Option('--version <version>', 'the version').argParser(versionName).default('current'))
    .addOption(new Option('--into <directory>', 'directory of snapshots; by default SNAPSHOTS_DIR'))
    .addOption(new Option('--tables-only', 'without the serving image: to read the tables, not to serve them'))
    .addOption(new Option('--json', 'one JSON object on standard output, nothing else'))
    .action((url: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const into = flags.into === undefined ? config.snapshotsDir : resolve(flags.into);
        const options = {
          ...{ url, version: flags.version, into, tablesOnly: flags.tablesOnly === true },
          trusted: await trustedKeys(config),
          ...(config.contactEmail !== null && { contact: config.contactEmail }),
        };
        const asked = { command: 'pull', words: process.argv.slice(3) } as const;
        const work = () => pull(options, effects);
        const change = () => recorded(asked, { ...config, snapshotsDir: into }, effects, work, endOfPull);
        const pulled = await withPipelineLock({ snapshotsDir: into }, change, effects);
        result({ ...outcome('DONE'), into, ...pulled }, renderPulled(pulled, into));
      }),
    );
}

function endOfPull({ version, notServed }: Pulled): ReturnType<typeof outcome> & { message: string } {
  const message = `pulled ${version}${notServed === null ? ', which is served' : `; it is not served: ${notServed}`}`;
  return { ...outcome('DONE'), message };
}

/** The address without a trailing slash. */
function serviceUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('expected an http or https address without a password, a query and a fragment.');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function versionName(text: string): string {
  if (text === 'current' || VERSION_PATTERN.test(text)) return text;
  throw new InvalidArgumentError('expected current, or a version such as 20261121T031500Z-0a1b2c3d.');
}
