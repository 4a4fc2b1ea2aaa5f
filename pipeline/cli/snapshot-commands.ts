import { resolve } from 'node:path';
import { Argument, InvalidArgumentError } from 'commander';
import type { Config } from '../../server-kit/config/config.ts';
import {
  readCurrentManifest,
  readManifest,
  SnapshotFault,
  snapshotPath,
} from '../../snapshot/format/versions/current.ts';
import { VERSION_PATTERN } from '../../snapshot/format/versions/current-file.ts';
import { readSignerKeys, readTrustedKeys } from '../../snapshot/format/versions/key-files.ts';
import { LOG_DIR, readLog } from '../../snapshot/format/versions/publication-log.ts';
import { assertHeld } from '../../snapshot/format/versions/removed.ts';
import { readHold } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import type { PublicKey } from '../../snapshot/proof/verify.mjs';
import { earlierCheckpoint, NoProof, proofBundle, provenTrial } from '../../snapshot/sql/proof-bundle.ts';
import { diff, writeDiff } from '../diff/diff.ts';
import { renderDiffHtml, renderDiffText } from '../diff/render-text.ts';
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
import { outcome, UsageError } from '../run/outcome.ts';
import { runsHere } from '../run/run-record.ts';
import { withScratchDatabase } from '../store/scratch-database.ts';
import { type CommandContext, type CommandSpec, option, type Report, recordedChange, wholeFrom } from './command.ts';
import {
  imageWords,
  logWords,
  renderGc,
  renderList,
  renderManifest,
  renderRuns,
  renderVerification,
} from './reports.ts';
import { textOf } from './text.ts';

const VERSION = new Argument('[version]', 'a version of `list`, or current').default('current');
const OLD_VERSION = (name: string) => new Argument(name, 'a version of `list`');

/** The commands that show, check, compare, serve, keep, remove, prove and pull snapshots. */
export const SNAPSHOT_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'list',
    summary:
      'list all snapshots, newest first, with those that are held, pinned, degraded or of another size than published, and those that gc removed; * marks the one that is served',
    run: async ({ config }) => {
      const versions = await list(config.snapshotsDir);
      return { stated: versions, text: renderList(versions) };
    },
  },
  {
    name: 'runs',
    summary: 'list the runs, newest first: outcome, stages and message of each',
    options: [option('--limit <number>', 'how many', wholeFrom(1), 20)],
    run: async ({ config }, { limit }: { limit: number }) => {
      const runs = (await runsHere(config.snapshotsDir)).slice(0, limit);
      return { stated: { runs }, text: renderRuns(runs) };
    },
  },
  {
    name: 'show',
    summary: 'show what a snapshot holds and where it came from',
    arguments: [VERSION],
    run: async ({ config: { snapshotsDir } }, _flags, version: string) => {
      const manifest = await show(snapshotsDir, await versionOf(snapshotsDir, version));
      return { stated: manifest, text: renderManifest(manifest) };
    },
  },
  {
    name: 'verify',
    summary:
      'recompute every hash of a snapshot, build its serving image again, and check the log of publications with its signatures',
    arguments: [VERSION],
    options: [
      option('--without-rebuild', 'only sum the files of the serving image, which takes minutes less'),
      option('--tables-only', 'leave the serving image out, which a pull may have left out too'),
    ],
    run: async ({ config, effects }, flags: { withoutRebuild?: true; tablesOnly?: true }, version: string) => {
      const held = await heldVersionOf(config.snapshotsDir, version);
      const image: VerifyOptions['image'] = flags.tablesOnly ? 'left-out' : flags.withoutRebuild ? 'summed' : 'rebuilt';
      const found = await verify(config.snapshotsDir, held, effects, { trusted: await trustedKeys(config), image });
      return { stated: found, text: renderVerification(found), exitCode: found.problems.length > 0 ? 1 : 0 };
    },
  },
  {
    name: 'diff',
    summary:
      'show each trial added, removed, changed, merged or split between two snapshots, and links gained and lost; --json has complete lists',
    arguments: [OLD_VERSION('<from>'), new Argument('[to]', VERSION.description).default('current')],
    options: [
      option('--html', 'a page instead of text').conflicts('json'),
      option('--limit <n>', 'entries of each list in text and page', wholeFrom(1), 100),
    ],
    run: async ({ config, json }, flags: { html?: true; limit: number }, from: string, to: string) => {
      const { snapshotsDir } = config;
      const [a, b] = [await versionOf(snapshotsDir, from), await versionOf(snapshotsDir, to)];
      if (json) {
        await writeDiff(snapshotsDir, [a, b], null, (text) => void process.stdout.write(text));
        return null;
      }
      const found = await diff(snapshotsDir, a, b, flags.limit);
      return { stated: found, text: flags.html ? renderDiffHtml(found) : renderDiffText(found) };
    },
  },
  {
    name: 'gc',
    summary:
      'remove old snapshots and keep their manifests; never the one that is served nor a pinned one. Counts versions that differ in content',
    options: [
      option('--keep <n>', 'the newest, and the served one with its parents', wholeFrom(1), DEFAULT_RETENTION.keep),
      option('--daily <n>', 'the newest of each of so many days', wholeFrom(0), DEFAULT_RETENTION.daily),
      option('--weekly <n>', 'the newest of each of so many weeks', wholeFrom(0), DEFAULT_RETENTION.weekly),
      option('--monthly <n>', 'the newest of each of so many months', wholeFrom(0), DEFAULT_RETENTION.monthly),
      option('--dry-run', 'only say what would be removed, and why the rest is kept'),
    ],
    run: async (context, { dryRun = false, ...retention }: Retention & { dryRun?: boolean }) => {
      const { effects } = context;
      const { snapshotsDir } = context.config;
      const work = () => gc(snapshotsDir, retention, effects, { dryRun });
      const report = await (dryRun
        ? withPipelineLock({ snapshotsDir }, work, effects)
        : recordedChange('gc', context, work, ({ removed }) =>
            removed.length === 0 ? 'nothing was removed' : `removed ${removed.join(', ')}`,
          ));
      return { stated: { ...outcome('DONE'), dryRun, ...report }, text: renderGc(report, dryRun) };
    },
  },
  {
    name: 'current',
    summary: 'show which snapshot is served, or serve another one after every hash of it was recomputed',
    arguments: [OLD_VERSION('[version]')],
    run: showOrServe,
  },
  {
    name: 'pin',
    summary: 'keep a snapshot: gc never removes it',
    arguments: [new Argument('<version>', VERSION.description)],
    options: [option('--remove', 'gc may remove it again')],
    run: async (context, { remove = false }: { remove?: boolean }, version: string) => {
      const { snapshotsDir } = context.config;
      const named = await (remove ? versionOf : heldVersionOf)(snapshotsDir, version);
      const work = () => setPin(snapshotsDir, named, !remove, context.effects);
      const message = `${named} is ${remove ? 'not pinned any more' : 'pinned'}`;
      const pins = [...(await recordedChange('pin', context, work, () => message))].sort();
      return { stated: { pins }, text: pins.length === 0 ? 'nothing is pinned' : `pinned: ${pins.join(', ')}` };
    },
  },
  {
    name: 'prove',
    summary:
      'print the proof that a snapshot held a trial, with its registrations and links; node verify.mjs checks it anywhere',
    arguments: [new Argument('<trial>', 'canonical id of the trial, or number of a registration of it')],
    options: [
      option('--snapshot <version>', VERSION.description).default('current'),
      option(
        '--since <size>',
        'also prove that the log continues its checkpoint over so many identities',
        wholeFrom(1),
      ),
      option('--changes', 'also prove by which changes the trial followed the parent of the snapshot'),
    ],
    json: false,
    run: printProof,
  },
  {
    name: 'pull',
    summary:
      'download a version from a running service, check every hash, root and signature, and put it in place; after an interruption the same command goes on',
    arguments: [
      new Argument('<url>', 'address of the service, such as https://trials.example.org').argParser(serviceUrl),
    ],
    options: [
      option('--version <version>', 'the version', versionName, 'current'),
      option('--into <directory>', 'directory of snapshots; by default SNAPSHOTS_DIR'),
      option('--tables-only', 'without the serving image: to read the tables, not to serve them'),
    ],
    run: pullVersion,
  },
];

/** The keys that a verification insists on; null where the setting names none. */
export async function trustedKeys({ trustedKeysFile }: Config): Promise<PublicKey[] | null> {
  return trustedKeysFile === null ? null : readTrustedKeys(trustedKeysFile);
}

/** The named version; for `current`, the one that is served. */
async function versionOf(snapshotsDir: string, name: string): Promise<string> {
  if (VERSION_PATTERN.test(name)) return name;
  if (name !== 'current')
    throw new UsageError(
      `${JSON.stringify(name)} is not a version; \`pipeline list\` shows them, and \`current\` is the one served`,
    );
  const current = await readCurrentManifest(snapshotsDir);
  if (current !== null) return current.version;
  throw new SnapshotFault('missing', `there is no snapshot in ${snapshotsDir} yet; make one with \`pipeline run\``);
}

/** The named version, whose files are there. Throws SnapshotFault for one that is not, or that gc removed. */
async function heldVersionOf(snapshotsDir: string, name: string): Promise<string> {
  const version = await versionOf(snapshotsDir, name);
  await assertHeld(snapshotsDir, version);
  return version;
}

async function showOrServe(context: CommandContext, _flags: object, version: string | undefined): Promise<Report> {
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

/** On standard error, since the proof is meant for a file. */
const PROOF_NEXT = `next: keep the proof in a file and check it anywhere with \`node verify.mjs FILE\` (snapshot/proof/verify.mjs here, /verify.mjs at a service);
with --keys, --identity or --checkpoint, from another way than the file, it also proves where the file comes from (docs/proofs.md)
`;

interface ProofFlags {
  snapshot: string;
  since?: number;
  changes?: boolean;
}

async function printProof({ config }: CommandContext, flags: ProofFlags, trial: string): Promise<Report> {
  try {
    const bundle = await proofOf(config.snapshotsDir, trial, flags);
    process.stderr.write(PROOF_NEXT);
    return { stated: bundle, text: JSON.stringify(bundle) };
  } catch (error) {
    if (!(error instanceof NoProof)) throw error;
    process.stderr.write(`no proof: ${error.message}\n`);
    return { stated: null, text: '', exitCode: 1 };
  }
}

/** The proof of a trial (docs/proofs.md). */
async function proofOf(snapshotsDir: string, trial: string, { snapshot, since, changes }: ProofFlags) {
  const directory = snapshotPath(snapshotsDir, await heldVersionOf(snapshotsDir, snapshot));
  const proven = { directory, manifest: await readManifest(directory) };
  const log = await readLog(snapshotsDir);
  const parts = {
    log,
    since: since === undefined ? null : await earlierCheckpoint(snapshotsDir, log, since),
    changes: changes === true,
  };
  return withScratchDatabase(async (db) => proofBundle(db, proven, await provenTrial(db, proven, trial), parts));
}

interface PullFlags {
  version: string;
  into?: string;
  tablesOnly?: boolean;
}

async function pullVersion({ config, effects }: CommandContext, flags: PullFlags, url: string): Promise<Report> {
  const { version, into, tablesOnly = false } = flags;
  const { contactEmail } = config;
  const snapshotsDir = into === undefined ? config.snapshotsDir : resolve(into);
  const trusted = await trustedKeys(config);
  const contact = contactEmail === null ? {} : { contact: contactEmail };
  const pulled = await recordedChange(
    'pull',
    { config: { ...config, snapshotsDir }, effects },
    () => pull({ url, version, into: snapshotsDir, tablesOnly, trusted, ...contact }, effects),
    ({ version: held, notServed }) =>
      `pulled ${held}${notServed === null ? ', which is served' : `; it is not served: ${notServed}`}`,
  );
  const { verification, notServed } = pulled;
  const { files, rows, log, image } = verification;
  const text = textOf({
    pulled: [
      `${pulled.version} into ${snapshotsDir}: ${files} files, ${pulled.bytes} bytes, ${pulled.fetchedBytes} of them sent now; every hash and root of ${rows} rows is as published`,
      `identity ${pulled.identity}`,
      logWords(log),
      image.state === 'left-out' ? imageWords(image) : null,
      notServed === null ? 'it is the version that is served from there' : `it is not served from there: ${notServed}`,
    ],
    note: log.notes,
  });
  return { stated: { ...outcome('DONE'), into: snapshotsDir, ...pulled }, text };
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
