import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { Cron } from 'croner';
import { REGISTRY_IDS, type RegistryId } from '../../contract/ids.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { isRealDate } from '../../snapshot/format/words/dates.ts';
import { withPipelineLock } from '../lock.ts';
import { asPublisher } from '../object-store/publisher.ts';
import { ACCEPT_NAMES, acceptName } from '../publish/checks/check-rules.ts';
import { type FetchOptions, fetchStage } from '../run/fetch-stage.ts';
import { outcomeOfPublished, UsageError } from '../run/outcome.ts';
import { endOfPublish, type RunOptions, run } from '../run/run.ts';
import { recorded, type TimeStage } from '../run/run-record.ts';
import { type SignalsOptions, signalsStage } from '../run/signals-stage.ts';
import { dedupStage, normaliseStage, publishStage } from '../run/stages.ts';
import { SOURCES, type Source, type Workspace, workspaceOf } from '../run/workspace.ts';
import { type CommandContext, type CommandSpec, nextLine, option, perform, type Report } from './command.ts';
import { renderRun, statedPublished } from './reports.ts';

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

const SOURCE = option('--source <source>', 'where records come from')
  .choices([...SOURCES])
  .default('live');
const FEEDS = option('--feeds <directory>', 'dump: feed files, named <feed id>.xml or .json');
const SAMPLE = option(
  '--sample <directory>',
  'sample: directory written by node tools/sample.ts (default: data/sample)',
);
const FETCH = [
  SOURCE,
  option('--mode <mode>', 'live: auto is incremental while there is a full set younger than a week, else full')
    .choices(['auto', 'full', 'incremental'])
    .default('auto'),
  option('--registry <id...>', 'live: only these registries').choices([...REGISTRY_IDS]),
  option('--ctgov <path>', 'dump: file or directory of ClinicalTrials.gov records'),
  option('--isrctn <path>', 'dump: file or directory of ISRCTN records'),
  SAMPLE,
  option('--day <day>', 'sample: its first or second day, to see a diff').choices(['0', '1']).default('0'),
];
const GATE = [
  option('--accept <breach...>', 'let the named breaches of the publication gate pass'),
  option('--reason <text>', 'with --accept: who accepts them and why; it stands in the manifest'),
];
const AS_OF = option(
  '--as-of <day>',
  'day for which ISRCTN statuses are derived, and the day of a dump (default: the newest day in the inputs)',
  day,
);

/** The commands that make snapshots. */
export const RUN_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'run',
    summary: 'fetch, normalise, dedup, signals and publish',
    options: [...FETCH, ...GATE, FEEDS, AS_OF],
    run: (context, flags: Flags) => runWhole('run', runOptions(flags), context),
  },
  {
    name: 'fetch',
    summary: 'store raw sets from the registries (resumable), a dump, or the synthetic sample',
    options: [
      ...FETCH,
      option('--as-of <day>', 'dump: day it was made (default: the newest day that its records state)', day),
    ],
    run: (context, flags: Flags) => {
      const options = fetchOptions(flags);
      if (flags.asOf !== undefined && flags.source !== 'dump') throw new UsageError('--as-of goes with --source dump');
      const { config, effects } = context;
      return stageAlone('fetch', context, flags, (workspace) => fetchStage(options, config, workspace, effects));
    },
  },
  {
    name: 'normalise',
    summary: 'read the raw sets into tables; unchanged records are reused',
    options: [SOURCE, ...GATE, AS_OF],
    run: normaliseAlone,
  },
  {
    name: 'dedup',
    summary: 'find which registrations are one trial, by identifiers only',
    options: [SOURCE],
    run: (context, flags: Flags) =>
      stageAlone('dedup', context, flags, (workspace) => dedupStage(workspace, context.effects)),
  },
  {
    name: 'signals',
    summary: 'read the feeds and classify their items by the lexicons; only what changed is fetched again',
    options: [SOURCE, FEEDS, SAMPLE],
    run: (context, flags: Flags) => {
      const options = signalsOptions(flags);
      const { config, effects } = context;
      return stageAlone('signals', context, flags, (workspace) => signalsStage(options, config, workspace, effects));
    },
  },
  {
    name: 'publish',
    summary: 'publish the tables as a snapshot',
    options: [SOURCE, ...GATE],
    run: publishAlone,
  },
  {
    name: 'schedule',
    summary: 'run in the foreground on a schedule, never two runs at once; SIGTERM ends it after the current run',
    options: [
      ...FETCH,
      ...GATE,
      FEEDS,
      option('--cron <pattern>', 'when, in UTC, as five or six cron fields').default('0 3 * * *'),
    ],
    endsBySignal: true,
    run: runOnSchedule,
  },
];

function day(text: string): string {
  if (!isRealDate(text) || text.length !== 10) throw new InvalidArgumentError('expected a day as YYYY-MM-DD.');
  return text;
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
  const { source, mode = 'auto', registry: registries, ctgov, isrctn, asOf } = flags;
  const named = ctgov !== undefined || isrctn !== undefined;
  if (source === 'dump' && !named) throw new UsageError('--source dump needs --ctgov <path>, --isrctn <path>, or both');
  if (source !== 'dump' && named) throw new UsageError('--ctgov and --isrctn go with --source dump');
  if (source !== 'live' && registries) throw new UsageError('--registry goes with --source live');
  return {
    source,
    mode,
    dumps: {
      ...(ctgov !== undefined && { clinicaltrials_gov: resolve(ctgov) }),
      ...(isrctn !== undefined && { isrctn: resolve(isrctn) }),
    },
    ...(registries !== undefined && { registries }),
    sample: { ...sampleOf(flags), day: flags.day === '1' ? 1 : 0 },
    ...(asOf !== undefined && { asOf }),
  };
}

function sampleOf({ source, sample }: Flags): { directory?: string } {
  if (sample !== undefined && source !== 'sample') throw new UsageError('--sample goes with --source sample');
  return sample === undefined ? {} : { directory: resolve(sample) };
}

function signalsOptions(flags: Flags): SignalsOptions {
  const { source, feeds } = flags;
  if (feeds !== undefined && source !== 'dump') throw new UsageError('--feeds goes with --source dump');
  return { source, ...(feeds !== undefined && { feeds: resolve(feeds) }), sample: sampleOf(flags) };
}

function runOptions(flags: Flags): RunOptions {
  return { ...signalsOptions(flags), ...fetchOptions(flags), ...acceptedOf(flags) };
}

async function runWhole(
  command: 'run' | 'schedule',
  options: RunOptions,
  { config, effects, told }: CommandContext,
): Promise<Report> {
  const { reason } = options;
  const asked = { command, words: process.argv.slice(3), ...(reason !== undefined && { reason }) };
  const report = await run(options, config, effects, asked, told);
  const ended = outcomeOfPublished(report.published);
  const stated = { ...ended, ...report, published: statedPublished(report.published) };
  return { stated, text: `${renderRun(report)}\n${nextLine(ended.code)}`, exitCode: ended.exitCode };
}

/** Runs a stage under the lock of the data directory, which keeps two runs apart that would write to it. */
async function stageAlone<Found>(
  stage: 'fetch' | 'normalise' | 'dedup' | 'signals',
  { config, effects }: CommandContext,
  { source }: Pick<Flags, 'source'>,
  work: (workspace: Workspace) => Promise<Found>,
): Promise<Report> {
  const { dataDir } = config;
  const found = await withPipelineLock({ dataDir }, () => work(workspaceOf(config, source)), effects);
  return { stated: found, text: renderRun({ [stage]: found }) };
}

/** The breaches that normalise itself lets pass; publish asks for them again, since it writes the manifest. */
const NORMALISE_ACCEPTS = [acceptName('no-parent'), ...REGISTRY_IDS.map((registry) => acceptName('older', registry))];

async function normaliseAlone(context: CommandContext, flags: Flags): Promise<Report> {
  const { accept, reason } = acceptedOf(flags);
  const other = accept.find((name) => !NORMALISE_ACCEPTS.includes(name));
  if (other !== undefined)
    throw new UsageError(
      `--accept ${other}: normalise lets only ${NORMALISE_ACCEPTS.join(', ')} pass; give this one to \`publish\` or \`run\``,
    );
  const options = { accept, ...(flags.asOf !== undefined && { asOf: flags.asOf }) };
  const { stated, text } = await stageAlone('normalise', context, flags, (workspace) =>
    normaliseStage(workspace, options, context.effects),
  );
  const again = `next      \`publish\` needs the same: --accept ${accept.join(' ')} --reason ${JSON.stringify(reason)}`;
  return { stated, text: accept.length === 0 ? text : `${text}\n${again}` };
}

async function publishAlone({ config, effects }: CommandContext, flags: Flags): Promise<Report> {
  const accepted = acceptedOf(flags);
  const { dataDir, snapshotsDir } = config;
  const workspace = workspaceOf(config, flags.source);
  const asked = { command: 'publish', words: process.argv.slice(3), ...accepted } as const;
  const work = (timed: TimeStage) =>
    asPublisher(config, effects, async ({ push }) => {
      const published = await timed('publish', () => publishStage(workspace, accepted, effects));
      return { published, ...(push !== null && { pushed: await timed('push', push) }) };
    });
  const record = () => recorded(asked, config, effects, work, (report) => endOfPublish(asked, report));
  const { published, ...sent } = await withPipelineLock({ dataDir, snapshotsDir }, record, effects);
  const ended = outcomeOfPublished(published);
  return {
    stated: statedPublished({ ...ended, ...published, ...sent }),
    text: renderRun({ published, ...sent }),
    exitCode: ended.exitCode,
  };
}

const STOP_POLL_MS = 200;

/** A run that fails does not end the schedule, which ends with the exit code of its last run. */
async function runOnSchedule({ json }: CommandContext, flags: Flags): Promise<null> {
  const options = runOptions(flags);
  const job = scheduled(flags.cron, () => perform(json, (context) => runWhole('schedule', options, context), true));
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
  return null;
}

function scheduled(pattern: string, work: () => Promise<void>): Cron {
  try {
    return new Cron(pattern, { timezone: 'UTC', protect: true }, work);
  } catch (error) {
    throw new UsageError(`--cron: ${error instanceof Error ? error.message : String(error)}`);
  }
}
