import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readManifest, SnapshotFault, snapshotPath } from '../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { readSignerKeys } from '../../snapshot/format/versions/key-files.ts';
import { LOG_DIR, readLog } from '../../snapshot/format/versions/publication-log.ts';
import { readHold } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import { earlierCheckpoint, NoProof, proofBundle, provenTrial } from '../../snapshot/sql/proof-bundle.ts';
import { diff, writeDiff } from '../diff/diff.ts';
import { renderDiffHtml } from '../diff/render-html.ts';
import { renderDiffText } from '../diff/render-text.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import { asPublisher } from '../object-store/publisher.ts';
import { endHold, setCurrent, updateState } from '../publish/commit.ts';
import { completeLog } from '../publish/identity/log.ts';
import { gc, setPin } from '../publish/retention/gc.ts';
import { DEFAULT_RETENTION, type Retention } from '../publish/retention/retention.ts';
import { list, show } from '../publish/retention/version-list.ts';
import { newestOtherSound } from '../publish/verify/damage.ts';
import { type VerifyOptions, verify } from '../publish/verify/verify.ts';
import { pull } from '../pull/pull.ts';
import { runsHere } from '../run/run-record.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { act, heldVersionOf, trustedKeys, versionOf, wholeFrom } from './context.ts';
import { outcome } from './outcome.ts';
import { recordedChange } from './recorded-run.ts';
import { renderGc, renderList, renderManifest, renderPulled, renderRuns, renderVerification } from './render.ts';

interface Flags {
  json?: boolean;
}

const A_VERSION = 'a version of `list`, or current';

/** The commands that show, check, compare, serve, keep, remove, prove and pull snapshots. */
export function addSnapshotCommands(program: Command): void {
  const listing = program
    .command('list')
    .description(
      'list all snapshots, newest first, with those that are held, pinned, degraded or of another size than published; * marks the one that is served, - one that gc removed',
    );
  act(listing, async ({ config }) => {
    const versions = await list(config.snapshotsDir);
    return { stated: versions, text: renderList(versions) };
  });
  const runs = program
    .command('runs')
    .description('list the runs, newest first: outcome, stages and message of each')
    .option('--limit <number>', 'how many', wholeFrom(1), 20);
  act(runs, async ({ config }, { limit }: Flags & { limit: number }) => {
    const found = (await runsHere(config.snapshotsDir)).slice(0, limit);
    return { stated: { runs: found }, text: renderRuns(found) };
  });
  const showing = program
    .command('show')
    .description('show what a snapshot holds and where it came from')
    .argument('[version]', A_VERSION, 'current');
  act(showing, async ({ config: { snapshotsDir } }, _flags: Flags, version: string) => {
    const manifest = await show(snapshotsDir, await versionOf(snapshotsDir, version));
    return { stated: manifest, text: renderManifest(manifest) };
  });
  addVerifyCommand(program);
  addDiffCommand(program);
  addGcCommand(program);
  addPointerCommands(program);
  addProofCommand(program);
  addPullCommand(program);
}

function addVerifyCommand(program: Command): void {
  const command = program
    .command('verify')
    .description(
      'recompute every hash of a snapshot, build its serving image again, and check the log of publications with its signatures',
    )
    .argument('[version]', A_VERSION, 'current')
    .option('--without-rebuild', 'only sum the files of the serving image, which takes minutes less')
    .option('--tables-only', 'leave the serving image out, which a pull may have left out too');
  interface VerifyFlags extends Flags {
    withoutRebuild?: boolean;
    tablesOnly?: boolean;
  }
  act(command, async ({ config, effects }, flags: VerifyFlags, version: string) => {
    const held = await heldVersionOf(config.snapshotsDir, version);
    const image: VerifyOptions['image'] = flags.tablesOnly ? 'left-out' : flags.withoutRebuild ? 'summed' : 'rebuilt';
    const found = await verify(config.snapshotsDir, held, effects, { trusted: await trustedKeys(config), image });
    return { stated: found, text: renderVerification(found), exitCode: found.problems.length > 0 ? 1 : 0 };
  });
}

function addDiffCommand(program: Command): void {
  const command = program
    .command('diff')
    .description(
      'show each trial added, removed, changed, merged or split between two snapshots, and links gained and lost; --json has complete lists',
    )
    .argument('<from>', 'a version of `list`')
    .argument('[to]', A_VERSION, 'current')
    .addOption(new Option('--html', 'a page instead of text').conflicts('json'))
    .option('--limit <n>', 'entries of each list in text and page', wholeFrom(1), 100);
  interface DiffFlags extends Flags {
    html?: boolean;
    limit: number;
  }
  act(command, async ({ config: { snapshotsDir }, json }, flags: DiffFlags, from: string, to: string) => {
    const [a, b] = [await versionOf(snapshotsDir, from), await versionOf(snapshotsDir, to)];
    if (json) {
      await writeDiff(snapshotsDir, [a, b], null, (text) => void process.stdout.write(text));
      return null;
    }
    const found = await diff(snapshotsDir, a, b, flags.limit);
    return { stated: found, text: flags.html ? renderDiffHtml(found) : renderDiffText(found) };
  });
}

function addGcCommand(program: Command): void {
  const { keep, daily, weekly, monthly } = DEFAULT_RETENTION;
  const command = program
    .command('gc')
    .description(
      'remove old snapshots and keep their manifests; never the one that is served nor a pinned one. Counts versions that differ in content',
    )
    .option('--keep <n>', 'the newest, and the served one with its parents', wholeFrom(1), keep)
    .option('--daily <n>', 'the newest of each of so many days', wholeFrom(0), daily)
    .option('--weekly <n>', 'the newest of each of so many weeks', wholeFrom(0), weekly)
    .option('--monthly <n>', 'the newest of each of so many months', wholeFrom(0), monthly)
    .option('--dry-run', 'only say what would be removed, and why the rest is kept');
  act(command, async (context, { dryRun = false, ...flags }: Flags & Retention & { dryRun?: boolean }) => {
    const { config, effects } = context;
    const { snapshotsDir } = config;
    const work = () => gc(snapshotsDir, flags, effects, { dryRun });
    const report = await (dryRun
      ? withPipelineLock({ snapshotsDir }, work, effects)
      : recordedChange('gc', context, work, ({ removed }) =>
          removed.length === 0 ? 'nothing was removed' : `removed ${removed.join(', ')}`,
        ));
    return { stated: { ...outcome('DONE'), dryRun, ...report }, text: renderGc(report, dryRun) };
  });
}

/** What says which snapshot is served, and which stay. */
function addPointerCommands(program: Command): void {
  const current = program
    .command('current')
    .description('show which snapshot is served, or serve another one after every hash of it was recomputed')
    .argument('[version]', 'a version of `list`');
  act(current, async (context, _flags: Flags, version: string | undefined) => {
    const { config, effects, json } = context;
    const { snapshotsDir } = config;
    const named = await heldVersionOf(snapshotsDir, version ?? 'current');
    if (version !== undefined) {
      const work = () =>
        asPublisher(config, effects, async ({ push }) => {
          const served = await serve(snapshotsDir, named, effects, await readSignerKeys(config.signingKeyFile));
          await push?.();
          return served;
        });
      const newer = await recordedChange('current', context, work, (found) => servedWords(named, found));
      if (newer !== null && !json) effects.notice?.(servedWords(named, newer));
    }
    const held = await readHold(snapshotsDir, named);
    return { stated: { current: named, heldSince: held?.since ?? null }, text: named };
  });
  const pin = program
    .command('pin')
    .description('keep a snapshot: gc never removes it')
    .argument('<version>', A_VERSION)
    .option('--remove', 'gc may remove it again');
  act(pin, async (context, { remove = false }: Flags & { remove?: boolean }, version: string) => {
    const { snapshotsDir } = context.config;
    const named = await (remove ? versionOf : heldVersionOf)(snapshotsDir, version);
    const work = () => setPin(snapshotsDir, named, !remove, context.effects);
    const message = `${named} is ${remove ? 'not pinned any more' : 'pinned'}`;
    const pins = [...(await recordedChange('pin', context, work, () => message))].sort();
    return { stated: { pins }, text: pins.length === 0 ? 'nothing is pinned' : `pinned: ${pins.join(', ')}` };
  });
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

/** Beside the proof, which is meant for a file. */
const PROOF_NEXT = `next: keep the proof in a file and check it anywhere with \`node verify.mjs FILE\` (snapshot/proof/verify.mjs here, /verify.mjs at a service);
with --keys, --identity or --checkpoint, from another way than the file, it also proves where the file comes from (docs/proofs.md)
`;

/** The command that proves a trial (docs/proofs.md). */
function addProofCommand(program: Command): void {
  const command = program
    .command('prove')
    .description(
      'print the proof that a snapshot held a trial, with its registrations and links; node verify.mjs checks it anywhere',
    )
    .argument('<trial>', 'canonical id of the trial, or number of a registration of it')
    .option('--snapshot <version>', A_VERSION, 'current')
    .option('--since <size>', 'also prove that the log continues its checkpoint over so many identities', wholeFrom(1))
    .option('--changes', 'also prove by which changes the trial followed the parent of the snapshot');
  interface ProofFlags extends Flags {
    snapshot: string;
    since?: number;
    changes?: boolean;
  }
  const prove = async (snapshotsDir: string, trial: string, { snapshot, since, changes }: ProofFlags) => {
    const directory = snapshotPath(snapshotsDir, await heldVersionOf(snapshotsDir, snapshot));
    const proven = { directory, manifest: await readManifest(directory) };
    const log = await readLog(snapshotsDir);
    const parts = {
      log,
      since: since === undefined ? null : await earlierCheckpoint(snapshotsDir, log, since),
      changes: changes === true,
    };
    return withScratchDatabase(async (db) => proofBundle(db, proven, await provenTrial(db, proven, trial), parts));
  };
  act(
    command,
    async ({ config }, flags: ProofFlags, trial: string) => {
      try {
        const bundle = await prove(config.snapshotsDir, trial, flags);
        process.stderr.write(PROOF_NEXT);
        return { stated: bundle, text: JSON.stringify(bundle) };
      } catch (error) {
        if (!(error instanceof NoProof)) throw error;
        process.stderr.write(`no proof: ${error.message}\n`);
        return { stated: null, text: '', exitCode: 1 };
      }
    },
    { json: false },
  );
}

/** The command that downloads a version from a running service. */
function addPullCommand(program: Command): void {
  const command = program
    .command('pull')
    .description(
      'download a version from a running service, check every hash, root and signature, and put it in place; after an interruption the same command goes on',
    )
    .argument('<url>', 'address of the service, such as https://trials.example.org', serviceUrl)
    .option('--version <version>', 'the version', versionName, 'current')
    .option('--into <directory>', 'directory of snapshots; by default SNAPSHOTS_DIR')
    .option('--tables-only', 'without the serving image: to read the tables, not to serve them');
  interface PullFlags extends Flags {
    version: string;
    into?: string;
    tablesOnly?: boolean;
  }
  act(command, async ({ config, effects }, { version, into, tablesOnly = false }: PullFlags, url: string) => {
    const snapshotsDir = into === undefined ? config.snapshotsDir : resolve(into);
    const options = {
      ...{ url, version, into: snapshotsDir, tablesOnly, trusted: await trustedKeys(config) },
      ...(config.contactEmail !== null && { contact: config.contactEmail }),
    };
    const pulled = await recordedChange(
      'pull',
      { config: { ...config, snapshotsDir }, effects },
      () => pull(options, effects),
      ({ version: held, notServed }) =>
        `pulled ${held}${notServed === null ? ', which is served' : `; it is not served: ${notServed}`}`,
    );
    return { stated: { ...outcome('DONE'), into: snapshotsDir, ...pulled }, text: renderPulled(pulled, snapshotsDir) };
  });
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
