import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { keyWords } from '../../snapshot/format/versions/publication-log.ts';
import { readReplicaStatus } from '../../snapshot/format/versions/state.ts';
import type { SignerKey } from '../../snapshot/proof/note.ts';
import { readTerminology, type Terminology } from '../../snapshot/terminology/terminology.ts';
import { type Checkup, checkup } from '../doctor/doctor.ts';
import { withPipelineLock } from '../lock.ts';
import type { Store } from '../object-store/store.ts';
import { checkLog } from '../publish/checks/check-log.ts';
import { makeFirstKey, retireKey, rotateKey } from '../publish/identity/signing-keys.ts';
import { StoreFault } from '../pull/downloader.ts';
import { importMeshFile, termsInUse } from '../terms/terms.ts';
import { act, type CommandContext, type Report, trustedKeys, UsageError } from './context.ts';
import { outcome } from './outcome.ts';
import { renderCheckup, renderLog, renderPushed, renderStoreGc, renderStoreStatus } from './render.ts';

interface Flags {
  json?: boolean;
}

/** The commands of what snapshots are made with and shared by: the store, the log and its keys, terms, sources. */
export function addServiceCommands(program: Command): void {
  addStoreCommands(program);
  addLogCommands(program);
  addTermsCommand(program);
  const doctor = program
    .command('doctor')
    .description('send each live source one small request, and tell whether a run would succeed and what to mend');
  act(doctor, async ({ config, effects }) => {
    const found = await checkup(config, effects);
    const exitCode = DOCTOR_EXIT[found.run];
    return { stated: { exitCode, ...found }, text: renderCheckup(found), exitCode };
  });
}

/** The exit code that a live run would have. */
const DOCTOR_EXIT: Readonly<Record<Checkup['run'], number>> = { whole: 0, degraded: 3, fails: 1 };

/** The store that the settings name. Throws UsageError where they name none. */
async function opened({ config, effects }: CommandContext): Promise<Store> {
  const { snapshotStore } = config;
  if (snapshotStore === null)
    throw new UsageError(
      'no store is set: SNAPSHOT_STORE=s3://bucket/prefix names one, with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    );
  const { Store } = await import('../object-store/store.ts');
  return Store.of(snapshotStore, effects);
}

/** The commands for snapshots that several machines share. */
function addStoreCommands(program: Command): void {
  const store = program.command('store').description('share snapshots between machines by SNAPSHOT_STORE');
  const pushing = store
    .command('push')
    .description('send the served version and make the store name it; publish and run do the same at their end')
    .option('--all', 'also the older versions here that the store lacks');
  act(pushing, async (context, { all = false }: Flags & { all?: boolean }) => {
    const open = await opened(context);
    const { push } = await import('../object-store/push.ts');
    const { effects, config } = context;
    const { snapshotsDir } = config;
    const work = () => push({ store: open, snapshotsDir, all }, effects);
    const pushed = await withPipelineLock({ snapshotsDir }, work, effects);
    return { stated: { ...outcome('DONE'), ...pushed }, text: renderPushed(pushed) };
  });
  const pulling = store.command('pull').description('bring the version that the store names into SNAPSHOTS_DIR, once');
  act(pulling, pullOnce);
  const following = store
    .command('follow')
    .description(
      'bring what the store names again and again, until SIGTERM or SIGINT; `npm start` does this by itself',
    );
  act(following, followOn, { json: false, interrupt: false });
  const removing = store
    .command('gc')
    .description('remove from the store what no version needs that it names, once it is a day old')
    .option('--dry-run', 'only say how much would be removed');
  act(removing, async (context, { dryRun = false }: Flags & { dryRun?: boolean }) => {
    const open = await opened(context);
    const report = await open.gc({ dryRun }, context.effects);
    return { stated: { ...outcome('DONE'), dryRun, ...report }, text: renderStoreGc(report, dryRun) };
  });
  const status = store.command('status').description('show what the store names, and how this machine follows');
  act(status, async (context) => {
    const open = await opened(context);
    const found = {
      store: open.name,
      pointerIn: open.pointerIn,
      pointer: await open.pointer(),
      here: await readReplicaStatus(context.config.snapshotsDir),
    };
    return { stated: found, text: renderStoreStatus(found) };
  });
}

async function pullOnce(context: CommandContext): Promise<Report> {
  const open = await opened(context);
  const { Replica } = await import('../object-store/replica.ts');
  const { config, effects } = context;
  const { snapshotsDir } = config;
  const replica = new Replica({ store: open, snapshotsDir, trusted: await trustedKeys(config) }, effects);
  const { generation, swapped, pointer } = await replica.step();
  if (pointer === null)
    throw new StoreFault(
      `nothing was published to ${open.name} yet: run \`pipeline store push\` where there is a snapshot`,
    );
  const { version } = pointer;
  const words = swapped === null ? 'is served already' : 'is served from now on';
  return {
    stated: { ...outcome('DONE'), generation, version, swapped },
    text: `${version} ${words}, as generation ${generation} of ${open.name}`,
  };
}

async function followOn(context: CommandContext): Promise<null> {
  const open = await opened(context);
  const { follow } = await import('../object-store/replica.ts');
  const { config, effects } = context;
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  // `npm start` is gone, however it ended.
  process.once('disconnect', () => stop.abort());
  const trusted = await trustedKeys(config);
  await follow({ store: open, snapshotsDir: config.snapshotsDir, trusted, signal: stop.signal }, effects);
  return null;
}

interface KeyFlags extends Flags {
  name?: string;
  rotate?: boolean;
  retire?: string;
}

/** The commands of the log of publications and of the keys that sign it. */
function addLogCommands(program: Command): void {
  const log = program
    .command('log')
    .description('show the log of publications, and check it: every checkpoint, signature and snapshot');
  act(log, async ({ config }) => {
    const checked = await checkLog(config.snapshotsDir, await trustedKeys(config));
    const exitCode = checked.problems.length > 0 ? 1 : 0;
    return { stated: { signed: checked.signedBy.length > 0, ...checked }, text: renderLog(checked), exitCode };
  });
  const keygen = program
    .command('keygen')
    .description('make the key that signs the log of publications and the heads of the board (SIGNING_KEY_FILE)')
    .option('--name <name>', 'name of the log and its keys, such as example.org/trials')
    .option('--rotate', 'add a new key of the same name, which signs together with the old ones')
    .addOption(
      new Option('--retire <id>', 'remove the private key of this id; the log goes on listing its public key')
        .argParser((text) => text.split('+').at(-1) ?? text)
        .conflicts(['rotate', 'name']),
    );
  act(keygen, async ({ config }, flags: KeyFlags) => {
    const { signingKeyFile: path, snapshotsDir } = config;
    const keys = await changedKeys(flags, { path, snapshotsDir });
    const stated = keys.map(({ verifier }) => ({ key: keyWords(verifier), publicKey: verifier.vkey }));
    return { stated: { file: path, keys: stated }, text: renderKeys(path, keys, flags) };
  });
}

function changedKeys(
  { name, rotate, retire }: KeyFlags,
  place: { path: string; snapshotsDir: string },
): Promise<SignerKey[]> {
  if (retire !== undefined) return retireKey(place, retire);
  if (rotate === true) return rotateKey(place, name);
  if (name === undefined) throw new UsageError('--name is missing: name the log, such as example.org/trials');
  return makeFirstKey(place, name);
}

function renderKeys(path: string, keys: readonly SignerKey[], { retire, rotate }: KeyFlags): string {
  const done =
    retire === undefined ? `${rotate ? 'added' : 'made'} ${keyWords(keys[0]!.verifier)}` : `retired ${retire}`;
  const isFirst = retire === undefined && rotate !== true;
  return [
    `${done} in ${path}`,
    'From the next publication on, these keys sign; give their public keys to those who verify (TRUSTED_KEYS_FILE):',
    ...keys.map(({ verifier }) => verifier.vkey),
    isFirst &&
      'A log takes the name of its first key; checkpoints that were kept before it had one are of another log (docs/log.md).',
    retire === undefined &&
      'Keep the file to its owner, and a copy off this machine. A running board reads it when it starts.',
  ]
    .filter((line) => line !== false)
    .join('\n');
}

type TermsFlags = Flags & { mesh?: string };

function addTermsCommand(program: Command): void {
  const command = program
    .command('terms')
    .description('show the terminology that the next publish uses: sources, years, concepts and names')
    .option('--mesh <file>', "import NLM's yearly file of MeSH descriptors, plain or gzipped");
  act(command, async (context, { mesh }: TermsFlags) => {
    const { dataDir } = context.config;
    if (mesh !== undefined)
      await withPipelineLock({ dataDir }, () => importMeshFile(resolve(mesh), dataDir), context.effects);
    const { file, terminology } = await termsInUse(dataDir);
    const terms = readTerminology(terminology);
    const { identity, concepts, sources } = terms;
    return { stated: { file, identity, concepts: concepts.length, sources }, text: renderTerms(file, terms) };
  });
}

function renderTerms(file: string | null, { concepts, identity, sources }: Terminology): string {
  return [
    `terms     ${file === null ? 'bundled (data/terminology)' : `imported (${file})`}, ${concepts.length} concepts, ${identity.slice(0, 12)}`,
    ...sources.map(({ name, year, terms, licence }) => `          ${year}  ${terms} names of ${name}; ${licence}`),
  ].join('\n');
}
