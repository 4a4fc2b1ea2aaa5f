import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Cron } from 'croner';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { withPipelineLock } from '../lock.ts';
import { asPublisher } from '../object-store/publisher.ts';
import { ACCEPT_NAMES, acceptName } from '../publish/checks/check-rules.ts';
import type { Published } from '../publish/publish.ts';
import { type FetchOptions, fetchStage } from '../run/fetch-stage.ts';
import type { RunOptions, RunReport, TimeStage } from '../run/run.ts';
import { type SignalsOptions, signalsStage } from '../run/signals-stage.ts';
import { dedupStage, normaliseStage, publishStage } from '../run/stages.ts';
import { SOURCES, type Source, workspaceOf } from '../run/workspace.ts';
import { act, type CommandContext, UsageError, withContext } from './context.ts';
import { outcomeOfPublished } from './outcome.ts';
import { endOfPublish, endWithFailure, nextLine, recorded, recordedRun } from './recorded-run.ts';
import { renderDedup, renderFetch, renderNormalise, renderRun, renderSignals, statedPublished } from './render.ts';

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
  cron: string;
}

/** The commands that make snapshots. */
export function addRunCommands(program: Command): void {
  const run = addGate(addFetch(program.command('run')))
    .description('fetch, normalise, dedup, signals and publish')
    .option('--feeds <directory>', FEEDS)
    .option('--as-of <day>', AS_OF, day)
    .option('--json', JSON_OPTION);
  run.action((flags: Flags) => runWhole(flags, runOptions(flags)));
  const fetching = addFetch(program.command('fetch'))
    .description('store raw sets from the registries (resumable), a dump, or the synthetic sample')
    .option('--as-of <day>', 'dump: day it was made (default: the newest day that its records state)', day);
  act(fetching, async (context, flags: Flags) => {
    const options = fetchOptions(flags);
    if (flags.asOf !== undefined && flags.source !== 'dump') throw new UsageError('--as-of goes with --source dump');
    const { config, effects } = context;
    const found = await inData(context, () => fetchStage(options, config, workspaceOf(config, flags.source), effects));
    return { stated: found, text: renderFetch(found) };
  });
  addStages(program);
  addPublishCommand(program);
  const schedule = addGate(addFetch(program.command('schedule')))
    .description('run in the foreground on a schedule, never two runs at once; SIGTERM ends it after the current run')
    .option('--feeds <directory>', FEEDS)
    .option('--cron <pattern>', 'when, in UTC, as five or six cron fields', '0 3 * * *')
    .option('--json', JSON_OPTION);
  schedule.action(runOnSchedule);
}

const JSON_OPTION = 'one JSON object on standard output, nothing else';
const FEEDS = 'dump: feed files, named <feed id>.xml or .json';
const SAMPLE = 'sample: directory written by node tools/sample.ts (default: data/sample)';
const AS_OF =
  'day for which ISRCTN statuses are derived, and the day of a dump (default: the newest day in the inputs)';

function day(text: string): string {
  if (!isRealDate(text) || text.length !== 10) throw new InvalidArgumentError('expected a day as YYYY-MM-DD.');
  return text;
}

function addSource(command: Command): Command {
  const source = new Option('--source <source>', 'where records come from').choices([...SOURCES]).default('live');
  return command.addOption(source);
}

function addFetch(command: Command): Command {
  const mode = 'live: auto is incremental while there is a full set younger than a week, else full';
  return addSource(command)
    .addOption(new Option('--mode <mode>', mode).choices(['auto', 'full', 'incremental']).default('auto'))
    .addOption(new Option('--registry <id...>', 'live: only these registries').choices([...REGISTRY_IDS]))
    .option('--ctgov <path>', 'dump: file or directory of ClinicalTrials.gov records')
    .option('--isrctn <path>', 'dump: file or directory of ISRCTN records')
    .option('--sample <directory>', SAMPLE)
    .addOption(
      new Option('--day <day>', 'sample: its first or second day, to see a diff').choices(['0', '1']).default('0'),
    );
}

function addGate(command: Command): Command {
  return command
    .option('--accept <breach...>', 'let the named breaches of the publication gate pass')
    .option('--reason <text>', 'with --accept: who accepts them and why; it stands in the manifest');
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
    sample: { ...signalsOptions({ ...flags, feeds: undefined }).sample, day: flags.day === '1' ? 1 : 0 },
    ...(flags.asOf === undefined ? {} : { asOf: flags.asOf }),
  };
}

function signalsOptions({
  source,
  feeds,
  sample,
}: Pick<Flags, 'source' | 'sample'> & { feeds?: string | undefined }): SignalsOptions {
  if (feeds !== undefined && source !== 'dump') throw new UsageError('--feeds goes with --source dump');
  if (sample !== undefined && source !== 'sample') throw new UsageError('--sample goes with --source sample');
  return {
    source,
    ...(feeds === undefined ? {} : { feeds: resolve(feeds) }),
    sample: sample === undefined ? {} : { directory: resolve(sample) },
  };
}

function runOptions(flags: Flags): RunOptions {
  const { feeds } = signalsOptions(flags);
  return { ...(feeds === undefined ? {} : { feeds }), ...fetchOptions(flags), ...acceptedOf(flags) };
}

/** Runs all stages, states the outcome and what the stages reported, and sets the exit code; a failure too. */
async function runWhole(flags: Flags, options: RunOptions, interrupt = true): Promise<void> {
  const { reason } = options;
  const words = process.argv.slice(3);
  const asked = {
    command: interrupt ? 'run' : 'schedule',
    words,
    ...(reason === undefined ? {} : { reason }),
  } as const;
  const json = flags.json === true;
  const told: Partial<RunReport> = {};
  try {
    await withContext(
      json,
      async ({ config, effects }) => {
        const report = await recordedRun(options, asked, config, effects, told);
        const ended = outcomeOfPublished(report.published);
        const stated = { ...ended, ...report, published: statedPublished(report.published) };
        return { stated, text: `${renderRun(report)}\n${nextLine(ended.code)}`, exitCode: ended.exitCode };
      },
      { interrupt, told, reports: () => renderRun(told) },
    );
  } catch (error) {
    await endWithFailure(error, json, told);
  }
}

/** Runs work under the lock of the data directory, which keeps two runs apart that would write to it. */
function inData<T>({ config, effects }: CommandContext, work: () => Promise<T>): Promise<T> {
  return withPipelineLock({ dataDir: config.dataDir }, work, effects);
}

/** The breaches that normalise itself lets pass; publish asks for them again, since it writes the manifest. */
const NORMALISE_ACCEPTS = [acceptName('no-parent'), ...REGISTRY_IDS.map((registry) => acceptName('older', registry))];

function addStages(program: Command): void {
  const normalise = addGate(addSource(program.command('normalise')))
    .description('read the raw sets into tables; unchanged records are reused')
    .option('--as-of <day>', AS_OF, day);
  act(normalise, async (context, flags: Flags) => {
    const { accept, reason } = acceptedOf(flags);
    const other = accept.find((name) => !NORMALISE_ACCEPTS.includes(name));
    if (other !== undefined) {
      throw new UsageError(
        `--accept ${other}: normalise lets only ${NORMALISE_ACCEPTS.join(', ')} pass; give this one to \`publish\` or \`run\``,
      );
    }
    const options = { accept, ...(flags.asOf === undefined ? {} : { asOf: flags.asOf }) };
    const workspace = workspaceOf(context.config, flags.source);
    const report = await inData(context, () => normaliseStage(workspace, options, context.effects));
    const again = `          \`publish\` asks for the same: --accept ${accept.join(' ')} --reason ${JSON.stringify(reason)}`;
    return { stated: report, text: [renderNormalise(report), ...(accept.length === 0 ? [] : [again])].join('\n') };
  });
  const dedup = addSource(program.command('dedup')).description(
    'find which registrations are one trial, by identifiers only',
  );
  act(dedup, async (context, { source }: Flags) => {
    const workspace = workspaceOf(context.config, source);
    const report = await inData(context, () => dedupStage(workspace, context.effects));
    return { stated: report, text: renderDedup(report) };
  });
  const signals = addSource(program.command('signals'))
    .description('read the feeds and classify their items by the lexicons; only what changed is fetched again')
    .option('--feeds <directory>', FEEDS)
    .option('--sample <directory>', SAMPLE);
  act(signals, async (context, flags: Flags) => {
    const options = signalsOptions(flags);
    const { config, effects } = context;
    const workspace = workspaceOf(config, flags.source);
    const report = await inData(context, () => signalsStage(options, config, workspace, effects));
    return { stated: report, text: renderSignals(report) };
  });
}

function addPublishCommand(program: Command): void {
  const command = addGate(addSource(program.command('publish'))).description('publish the tables as a snapshot');
  act(command, async (context, flags: Flags) => {
    const accepted = acceptedOf(flags);
    const { config, effects } = context;
    const { dataDir, snapshotsDir } = config;
    const workspace = workspaceOf(config, flags.source);
    const asked = { command: 'publish', words: process.argv.slice(3), ...accepted } as const;
    const work = (timed: TimeStage) =>
      asPublisher(config, effects, async ({ push }): Promise<PublishedAlone> => {
        const published = await timed('publish', () => publishStage(workspace, accepted, effects));
        return push === null ? published : { ...published, pushed: await timed('push', push) };
      });
    const record = () => recorded(asked, config, effects, work, (result) => endOfPublish(asked, result));
    const { pushed, ...published } = await withPipelineLock({ dataDir, snapshotsDir }, record, effects);
    const ended = outcomeOfPublished(published);
    const sent = pushed === undefined ? {} : { pushed };
    return {
      stated: statedPublished({ ...ended, ...published, ...sent }),
      text: renderRun({ published, ...sent }),
      exitCode: ended.exitCode,
    };
  });
}

type PublishedAlone = Published & Pick<RunReport, 'pushed'>;

const STOP_POLL_MS = 200;

/** A run that fails does not end the schedule, which ends with the exit code of its last run. */
async function runOnSchedule(flags: Flags): Promise<void> {
  const options = runOptions(flags);
  const job = scheduled(flags.cron, () => runWhole(flags, options, false));
  // Signals are handled before this line is written, because its reader may send one at once.
  const ended = new Promise<void>((done) => {
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
  process.stderr.write(`next run ${job.nextRun()?.toISOString() ?? 'never'}\n`);
  await ended;
}

function scheduled(pattern: string, work: () => Promise<void>): Cron {
  try {
    return new Cron(pattern, { timezone: 'UTC', protect: true }, work);
  } catch (error) {
    throw new UsageError(`--cron: ${error instanceof Error ? error.message : String(error)}`);
  }
}
