import { type Command, InvalidArgumentError, Option } from 'commander';
import { readManifest, SnapshotFault, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { readSignerKeys } from '../../snapshot/format/versions/key-files.ts';
import { LOG_DIR } from '../../snapshot/format/versions/publication-log.ts';
import { readHold } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import { diff, diffJson } from '../diff/diff.ts';
import { renderDiffHtml } from '../diff/render-html.ts';
import { renderDiffText } from '../diff/render-text.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import { asPublisher } from '../object-store/publisher.ts';
import { endHold, setCurrent, updateState } from '../publish/commit.ts';
import { completeLog } from '../publish/identity/log.ts';
import { type GcReport, gc, setPin } from '../publish/retention/gc.ts';
import { DEFAULT_RETENTION, type Retention } from '../publish/retention/retention.ts';
import { list, show } from '../publish/retention/version-list.ts';
import { newestOtherSound } from '../publish/verify/damage.ts';
import { type VerifyOptions, verify } from '../publish/verify/verify.ts';
import { runsHere } from '../run/run-record.ts';
import { heldVersionOf, versionOf, withContext } from './context.ts';
import { trustedKeys } from './log-commands.ts';
import { outcome } from './outcome.ts';
import { recorded } from './recorded-run.ts';
import { renderGc, renderList, renderManifest, renderRuns, renderVerification } from './render.ts';

interface Flags {
  json?: boolean;
  html?: boolean;
  limit?: number;
  remove?: boolean;
  withoutRebuild?: boolean;
  tablesOnly?: boolean;
}

interface GcFlags extends Flags, Retention {
  dryRun?: boolean;
}

const jsonOption = () => new Option('--json', 'one JSON object on standard output, nothing else');

function positive(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 1.');
  return Number(text);
}

function fromZero(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0.');
  return Number(text);
}

/** The commands that show, check and remove snapshots. */
export function addSnapshotCommands(program: Command): void {
  program
    .command('list')
    .description(
      'list all snapshots, newest first, with those that are held, pinned, degraded or of another size than published; * marks the one that is served, - one that gc removed',
    )
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const versions = await list(config.snapshotsDir);
        result(versions, renderList(versions));
      }),
    );
  program
    .command('runs')
    .description('list the runs, newest first: outcome, stages and message of each')
    .addOption(new Option('--limit <number>', 'how many').argParser(positive).default(20))
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const runs = (await runsHere(config.snapshotsDir)).slice(0, flags.limit);
        result({ runs }, renderRuns(runs));
      }),
    );
  program
    .command('show')
    .description('show what a snapshot holds and where it came from')
    .argument('[version]', 'a version of `list`, or current', 'current')
    .addOption(jsonOption())
    .action((version: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config, result }) => {
        const manifest = await show(config.snapshotsDir, await versionOf(config.snapshotsDir, version));
        result(manifest, renderManifest(manifest));
      }),
    );
  program
    .command('verify')
    .description(
      'recompute every hash of a snapshot, build its serving image again, and check the log of publications with its signatures',
    )
    .argument('[version]', 'a version of `list`, or current', 'current')
    .addOption(new Option('--without-rebuild', 'only sum the files of the serving image, which takes minutes less'))
    .addOption(new Option('--tables-only', 'leave the serving image out, which a pull may have left out too'))
    .addOption(jsonOption())
    .action((version: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const held = await heldVersionOf(config.snapshotsDir, version);
        const found = await verify(config.snapshotsDir, held, effects, {
          trusted: await trustedKeys(config),
          image: imageCheckOf(flags),
        });
        result(found, renderVerification(found));
        if (found.problems.length > 0) process.exitCode = 1;
      }),
    );
  addDiffCommand(program);
  addGcCommand(program);
  addPointerCommands(program);
}

function imageCheckOf({ tablesOnly, withoutRebuild }: Flags): NonNullable<VerifyOptions['image']> {
  if (tablesOnly === true) return 'left-out';
  return withoutRebuild === true ? 'summed' : 'rebuilt';
}

function addGcCommand(program: Command): void {
  const { keep, daily, weekly, monthly } = DEFAULT_RETENTION;
  program
    .command('gc')
    .description(
      'remove old snapshots and keep their manifests; never the one that is served nor a pinned one. Counts versions that differ in content',
    )
    .addOption(
      new Option('--keep <n>', 'the newest, and the served one with its parents').argParser(positive).default(keep),
    )
    .addOption(new Option('--daily <n>', 'the newest of each of so many days').argParser(fromZero).default(daily))
    .addOption(new Option('--weekly <n>', 'the newest of each of so many weeks').argParser(fromZero).default(weekly))
    .addOption(new Option('--monthly <n>', 'the newest of each of so many months').argParser(fromZero).default(monthly))
    .addOption(new Option('--dry-run', 'only say what would be removed, and why the rest is kept'))
    .addOption(jsonOption())
    .action((flags: GcFlags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const { snapshotsDir } = config;
        const dryRun = flags.dryRun === true;
        const work = () => gc(snapshotsDir, flags, effects, { dryRun });
        const asked = { command: 'gc', words: process.argv.slice(3) } as const;
        const recordedWork = () => recorded(asked, config, effects, work, endOfGc);
        const report = await withPipelineLock({ snapshotsDir }, dryRun ? work : recordedWork, effects);
        result({ ...outcome('DONE'), dryRun, ...report }, renderGc(report, dryRun));
      }),
    );
}

function endOfGc({ removed }: GcReport): ReturnType<typeof outcome> & { message: string } {
  const message = removed.length === 0 ? 'nothing was removed' : `removed ${removed.join(', ')}`;
  return { ...outcome('DONE'), message };
}

/** What says which snapshot is served, and which stay. */
function addPointerCommands(program: Command): void {
  program
    .command('current')
    .description('show which snapshot is served, or serve another one after every hash of it was recomputed')
    .argument('[version]', 'a version of `list`')
    .addOption(jsonOption())
    .action((version: string | undefined, flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const { snapshotsDir } = config;
        const named = await heldVersionOf(snapshotsDir, version ?? 'current');
        if (version !== undefined) {
          const asked = { command: 'current', words: process.argv.slice(3) } as const;
          const work = () =>
            asPublisher(config, effects, async ({ push }) => {
              const served = await serve(snapshotsDir, named, effects, await readSignerKeys(config.signingKeyFile));
              await push?.();
              return served;
            });
          const ended = (newer: string | null) => ({ ...outcome('DONE'), message: servedWords(named, newer) });
          const change = () => recorded(asked, config, effects, work, ended);
          const newer = await withPipelineLock({ snapshotsDir }, change, effects);
          if (newer !== null && flags.json !== true) effects.notice?.(servedWords(named, newer));
        }
        const held = await readHold(snapshotsDir, named);
        result({ current: named, heldSince: held?.since ?? null }, named);
      }),
    );
  program
    .command('pin')
    .description('keep a snapshot: gc never removes it')
    .argument('<version>', 'a version of `list`, or current')
    .addOption(new Option('--remove', 'gc may remove it again'))
    .addOption(jsonOption())
    .action((version: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const { snapshotsDir } = config;
        const remove = flags.remove === true;
        const named = await (remove ? versionOf : heldVersionOf)(snapshotsDir, version);
        const asked = { command: 'pin', words: process.argv.slice(3) } as const;
        const work = () => setPin(snapshotsDir, named, !remove, effects);
        const ended = () => ({
          ...outcome('DONE'),
          message: `${named} is ${remove ? 'not pinned any more' : 'pinned'}`,
        });
        const change = () => recorded(asked, config, effects, work, ended);
        const pins = await withPipelineLock({ snapshotsDir }, change, effects);
        result({ pins }, pins.length === 0 ? 'nothing is pinned' : `pinned: ${pins.join(', ')}`);
      }),
    );
}

/**
 * Points CURRENT to a version that is as it was published, and holds it there where a newer one is sound, which it
 * returns. Throws SnapshotFault, with CURRENT as it was, for another.
 */
export async function serve(
  snapshotsDir: string,
  version: string,
  effects: Effects,
  signers: readonly SignerKey[] = [],
): Promise<string | null> {
  const verification = await verify(snapshotsDir, version, effects);
  if (verification.problems.some(({ file }) => !file.startsWith(LOG_DIR))) {
    throw new SnapshotFault('malformed', `CURRENT stays as it was: ${renderVerification(verification)}`);
  }
  // A version whose publication was killed before the log held it is added now, before it is served.
  const { identity = null } = await readManifest(snapshotPath(snapshotsDir, version));
  await completeLog(snapshotsDir, identity, signers, effects);
  const newest = (await newestOtherSound(snapshotsDir, version))?.version ?? '';
  const newer = newest > version ? newest : null;
  // The hold goes before CURRENT, so that a kill between leaves no older version served without it.
  const hold = { version, since: effects.now().toISOString() };
  if (newer !== null) await updateState(snapshotsDir, { hold }, effects);
  await setCurrent(snapshotsDir, version, effects);
  if (newer === null) await endHold(snapshotsDir, effects);
  return newer;
}

function servedWords(version: string, newer: string | null): string {
  if (newer === null) return `${version} is served`;
  return `${version} is served and held, since ${newer} is newer: runs are refused until \`pipeline current ${newer}\`, or \`--accept held\``;
}

function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description(
      'show each trial added, removed, changed, merged or split between two snapshots, and links gained and lost',
    )
    .argument('<from>', 'a version of `list`')
    .argument('[to]', 'a version of `list`, or current', 'current')
    .addOption(new Option('--html', 'a page instead of text').conflicts('json'))
    .addOption(new Option('--limit <n>', 'entries of each list in text and page').argParser(positive).default(100))
    .addOption(new Option('--json', 'one JSON object with complete lists'))
    .action((from: string, to: string, flags: Flags) =>
      withContext(flags.json === true, async ({ config }) => {
        const { snapshotsDir } = config;
        const [a, b] = [await versionOf(snapshotsDir, from), await versionOf(snapshotsDir, to)];
        const write = (text: string): void => void process.stdout.write(text);
        if (flags.json) return diffJson(snapshotsDir, a, b, write);
        const found = await diff(snapshotsDir, a, b, flags.limit ?? 100);
        write(flags.html ? renderDiffHtml(found) : renderDiffText(found));
      }),
    );
}
