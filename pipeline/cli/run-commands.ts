import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Cron } from 'croner';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { type WrittenDirectories, withPipelineLock } from '../lock.ts';
import { asPublisher } from '../object-store/publisher.ts';
import { ACCEPT_NAMES, acceptName } from '../publish/checks/check-rules.ts';
import type { Published } from '../publish/publish.ts';
import { type FetchOptions, fetchStage } from '../run/fetch-stage.ts';
import type { RunOptions, RunReport, TimeStage } from '../run/run.ts';
import type { SampleOptions } from '../run/sample.ts';
import { type SignalsOptions, signalsStage } from '../run/signals-stage.ts';
import { dedupStage, normaliseStage, publishStage } from '../run/stages.ts';
import { SOURCES, type Source, workspaceOf } from '../run/workspace.ts';
import { type CommandContext, UsageError, withContext } from './context.ts';
import { endWithFailure, nextLine, outcomeOfPublished } from './outcome.ts';
import { type Asked, endOfPublish, recorded, recordedRun } from './recorded-run.ts';
import {
  renderDedup,
  renderFetch,
  renderNormalise,
  renderPublished,
  renderPushed,
  renderRun,
  renderSignals,
  statedPublished,
} from './render.ts';
import { recordTurnedAway } from './turned-away.ts';

interface Flags {
  source: Source;
  json?: boolean;
  mode?: FetchOptions['mode'];
  registry?: RegistryId[];
  ctgov?: string;
  isrctn?: string;
  feeds?: string;
  sample?: string;
  day?: '0' | '1';
  asOf?: string;
  accept?: string[];
  reason?: string;
  cron?: string;
}

function day(text: string): string {
  if (!isRealDate(text) || text.length !== 10) throw new InvalidArgumentError('expected a day as YYYY-MM-DD.');
  return text;
}

const sourceOption = () =>
  new Option('--source <source>', 'where records come from').choices([...SOURCES]).default('live');
const jsonOption = () => new Option('--json', 'one JSON object on standard output, nothing else');
const asOfOption = () =>
  new Option(
    '--as-of <day>',
    'day for which ISRCTN statuses are derived, and the day of a dump (default: the newest day in the inputs)',
  ).argParser(day);
const dumpDayOption = () =>
  new Option('--as-of <day>', 'dump: day it was made (default: the newest day that its records state)').argParser(day);
const feedsOption = () => new Option('--feeds <directory>', 'dump: feed files, named <feed id>.xml or .json');
const sampleOption = () =>
  new Option('--sample <directory>', 'sample: directory written by node tools/sample.ts (default: data/sample)');
function addGateOptions(command: Command): Command {
  return command
    .addOption(new Option('--accept <breach...>', 'let the named breaches of the publication gate pass'))
    .addOption(new Option('--reason <text>', 'with --accept: who accepts them and why; it stands in the manifest'));
}

/** The breaches that may pass. Throws UsageError for a name that no check has, and without a reason. */
function acceptedOf({ accept = [], reason }: Flags): { accept: string[]; reason?: string } {
  for (const name of accept) {
    if (ACCEPT_NAMES.includes(name)) continue;
    throw new UsageError(
      `--accept ${name}: no check has this name; the nearest are ${nearestNames(name, ACCEPT_NAMES).join(', ')}`,
    );
  }
  const given = reason?.trim() ?? '';
  if (accept.length > 0 && given === '')
    throw new UsageError('--accept needs --reason "<who accepts it and why>", which stands in the manifest');
  if (accept.length === 0 && reason !== undefined) throw new UsageError('--reason goes with --accept');
  return accept.length === 0 ? { accept } : { accept, reason: given };
}

function addFetchOptions(command: Command): Command {
  return command
    .addOption(sourceOption())
    .addOption(
      new Option('--mode <mode>', 'live: auto is incremental while there is a full set younger than a week, else full')
        .choices(['auto', 'full', 'incremental'])
        .default('auto'),
    )
    .addOption(new Option('--registry <id...>', 'live: only these registries').choices([...REGISTRY_IDS]))
    .addOption(new Option('--ctgov <path>', 'dump: file or directory of ClinicalTrials.gov records'))
    .addOption(new Option('--isrctn <path>', 'dump: file or directory of ISRCTN records'))
    .addOption(sampleOption())
    .addOption(
      new Option('--day <day>', 'sample: its first or second day, to see a diff').choices(['0', '1']).default('0'),
    )
    .addOption(jsonOption());
}

function fetchOptions(flags: Flags): FetchOptions {
  const dumps = {
    ...(flags.ctgov === undefined ? {} : { clinicaltrials_gov: resolve(flags.ctgov) }),
    ...(flags.isrctn === undefined ? {} : { isrctn: resolve(flags.isrctn) }),
  };
  const named = Object.keys(dumps).length > 0;
  if (flags.source === 'dump' && !named)
    throw new UsageError('--source dump needs --ctgov <path>, --isrctn <path>, or both');
  if (flags.source !== 'dump' && named) throw new UsageError('--ctgov and --isrctn go with --source dump');
  if (flags.source !== 'live' && flags.registry) throw new UsageError('--registry goes with --source live');
  return {
    source: flags.source,
    mode: flags.mode ?? 'auto',
    dumps,
    ...(flags.registry === undefined ? {} : { registries: flags.registry }),
    sample: { ...sampleOf(flags), day: flags.day === '1' ? 1 : 0 },
    ...(flags.asOf === undefined ? {} : { asOf: flags.asOf }),
  };
}

function sampleOf({ source, sample }: Flags): SampleOptions {
  if (sample === undefined) return {};
  if (source !== 'sample') throw new UsageError('--sample goes with --source sample');
  return { directory: resolve(sample) };
}

function feedsOf({ source, feeds }: Flags): Pick<SignalsOptions, 'feeds'> {
  if (feeds === undefined) return {};
  if (source !== 'dump') throw new UsageError('--feeds goes with --source dump');
  return { feeds: resolve(feeds) };
}

function signalsOptions(flags: Flags): SignalsOptions {
  return { source: flags.source, ...feedsOf(flags), sample: sampleOf(flags) };
}

function runOptions(flags: Flags): RunOptions {
  return {
    ...feedsOf(flags),
    ...fetchOptions(flags),
    ...acceptedOf(flags),
  };
}

/** The command that this process was started with. */
function askedOf(command: Asked['command'], { reason }: { reason?: string }): Asked {
  return { command, words: process.argv.slice(3), ...(reason === undefined ? {} : { reason }) };
}

/** Runs all stages, states the outcome and what the stages reported, and sets the exit code; a failure too. */
async function runWhole(flags: Flags, options: RunOptions, interrupt = true): Promise<void> {
  const asked = askedOf(interrupt ? 'run' : 'schedule', options);
  const json = flags.json === true;
  const told: Partial<RunReport> = {};
  const work = async ({ config, effects, result }: CommandContext): Promise<void> => {
    const report = await recordedRun(options, asked, config, effects, told);
    const outcome = outcomeOfPublished(report.published);
    process.exitCode = outcome.exitCode;
    const stated = { ...report, published: statedPublished(report.published) };
    result({ ...outcome, ...stated }, `${renderRun(report)}\n${nextLine(outcome.code)}`);
  };
  try {
    await withContext(json, work, { interrupt, told, reports: () => renderRun(told) });
  } catch (error) {
    endWithFailure(error, json, told);
    await recordTurnedAway(error);
  }
}

/** Runs one stage under the locks that keep two runs apart which would write to one directory. */
async function stage<T>(
  flags: Flags,
  writes: (keyof WrittenDirectories)[],
  work: (context: CommandContext) => Promise<T>,
  render: (report: T) => string,
  stated: (report: T) => unknown = (report) => report,
): Promise<void> {
  await withContext(flags.json === true, async (context) => {
    const directories = Object.fromEntries(writes.map((name) => [name, context.config[name]]));
    const report = await withPipelineLock(directories, () => work(context), context.effects);
    context.result(stated(report), render(report));
  });
}

/** The commands that make snapshots. */
export function addRunCommands(program: Command): void {
  addGateOptions(addFetchOptions(program.command('run')))
    .description('fetch, normalise, dedup, signals and publish')
    .addOption(feedsOption())
    .addOption(asOfOption())
    .action((flags: Flags) => runWhole(flags, runOptions(flags)));
  addFetchOptions(program.command('fetch'))
    .description('store raw sets from the registries (resumable), a dump, or the synthetic sample')
    .addOption(dumpDayOption())
    .action(async (flags: Flags) => {
      const options = fetchOptions(flags);
      if (flags.asOf !== undefined && flags.source !== 'dump') throw new UsageError('--as-of goes with --source dump');
      const work = ({ config, effects }: CommandContext) =>
        fetchStage(options, config, workspaceOf(config, flags.source), effects);
      await stage(flags, ['dataDir'], work, renderFetch);
    });
  addNormaliseCommand(program);
  program
    .command('dedup')
    .description('find which registrations are one trial, by identifiers only')
    .addOption(sourceOption())
    .addOption(jsonOption())
    .action((flags: Flags) =>
      stage(
        flags,
        ['dataDir'],
        ({ config, effects }) => dedupStage(workspaceOf(config, flags.source), effects),
        renderDedup,
      ),
    );
  addSignalsCommand(program);
  addPublishCommand(program);
  addScheduleCommand(program);
}

/** The breaches that normalise itself lets pass; publish is told of them again, since it writes the manifest. */
const NORMALISE_ACCEPTS = [acceptName('no-parent'), ...REGISTRY_IDS.map((registry) => acceptName('older', registry))];

function addNormaliseCommand(program: Command): void {
  addGateOptions(program.command('normalise'))
    .description('read the raw sets into tables; unchanged records are reused')
    .addOption(sourceOption())
    .addOption(asOfOption())
    .addOption(jsonOption())
    .action((flags: Flags) => {
      const { accept, reason } = acceptedOf(flags);
      const other = accept.find((name) => !NORMALISE_ACCEPTS.includes(name));
      if (other !== undefined) {
        throw new UsageError(
          `--accept ${other}: normalise lets only ${NORMALISE_ACCEPTS.join(', ')} pass; give this one to \`publish\` or \`run\``,
        );
      }
      const again = `          \`publish\` asks for the same: --accept ${accept.join(' ')} --reason ${JSON.stringify(reason)}`;
      return stage(
        flags,
        ['dataDir'],
        ({ config, effects }) => {
          const options = { accept, ...(flags.asOf === undefined ? {} : { asOf: flags.asOf }) };
          return normaliseStage(workspaceOf(config, flags.source), options, effects);
        },
        (report) => [renderNormalise(report), ...(accept.length === 0 ? [] : [again])].join('\n'),
      );
    });
}

function addSignalsCommand(program: Command): void {
  program
    .command('signals')
    .description('read the feeds and classify their items by the lexicons; only what changed is fetched again')
    .addOption(sourceOption())
    .addOption(feedsOption())
    .addOption(sampleOption())
    .addOption(jsonOption())
    .action(async (flags: Flags) => {
      const options = signalsOptions(flags);
      const work = ({ config, effects }: CommandContext) =>
        signalsStage(options, config, workspaceOf(config, flags.source), effects);
      await stage(flags, ['dataDir'], work, renderSignals);
    });
}

function addPublishCommand(program: Command): void {
  addGateOptions(program.command('publish'))
    .description('publish the tables as a snapshot')
    .addOption(sourceOption())
    .addOption(jsonOption())
    .action((flags: Flags) => {
      const accepted = acceptedOf(flags);
      return stage(
        flags,
        ['dataDir', 'snapshotsDir'],
        async ({ config, effects }) => {
          const asked = askedOf('publish', accepted);
          const publishNow = () => publishStage(workspaceOf(config, flags.source), accepted, effects);
          const work = (timed: TimeStage) =>
            asPublisher(config, effects, async ({ push }): Promise<PublishedAlone> => {
              const published = await timed('publish', publishNow);
              return push === null ? published : { ...published, pushed: await timed('push', push) };
            });
          const published = await recorded(asked, config, effects, work, (result) => endOfPublish(asked, result));
          const outcome = outcomeOfPublished(published);
          process.exitCode = outcome.exitCode;
          return { ...outcome, ...published };
        },
        renderPublishedAlone,
        statedPublished,
      );
    });
}

type PublishedAlone = Published & Pick<RunReport, 'pushed'>;

function renderPublishedAlone({ pushed, ...published }: PublishedAlone): string {
  return [renderPublished(published), ...(pushed === undefined ? [] : [renderPushed(pushed)])].join('\n');
}

/** A run that fails does not end the schedule, which ends with the exit code of its last run. */
function addScheduleCommand(program: Command): void {
  addGateOptions(addFetchOptions(program.command('schedule')))
    .description('run in the foreground on a schedule, never two runs at once; SIGTERM ends it after the current run')
    .addOption(feedsOption())
    .requiredOption('--cron <pattern>', 'when, in UTC, as five or six cron fields', '0 3 * * *')
    .action(async (flags: Flags) => {
      const options = runOptions(flags);
      const pattern = flags.cron ?? '';
      const job = scheduled(pattern, () => runWhole(flags, options, false));
      // Signals are handled before this line is written, because its reader may send one at once.
      const ended = stopped(job);
      process.stderr.write(`next run ${job.nextRun()?.toISOString() ?? 'never'}\n`);
      await ended;
    });
}

function scheduled(pattern: string, work: () => Promise<void>): Cron {
  try {
    return new Cron(pattern, { timezone: 'UTC', protect: true }, work);
  } catch (error) {
    throw new UsageError(`--cron: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const STOP_POLL_MS = 200;

async function stopped(job: Cron): Promise<void> {
  await new Promise<void>((done) => {
    const stop = () => {
      job.stop();
      const poll = setInterval(() => {
        if (job.isBusy()) return;
        clearInterval(poll);
        done();
      }, STOP_POLL_MS);
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
  });
}
