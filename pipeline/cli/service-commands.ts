import { resolve } from 'node:path';
import { keyWords } from '../../snapshot/format/versions/publication-log.ts';
import { readReplicaStatus } from '../../snapshot/format/versions/state.ts';
import { readTerminology } from '../../snapshot/terminology/terminology.ts';
import { type Checkup, checkup } from '../doctor/doctor.ts';
import { withPipelineLock } from '../lock.ts';
import type { Store } from '../object-store/store.ts';
import { checkLog } from '../publish/checks/check-log.ts';
import { makeFirstKey, retireKey, rotateKey } from '../publish/identity/signing-keys.ts';
import { StoreFault } from '../pull/downloader.ts';
import { outcome, UsageError } from '../run/outcome.ts';
import { importMeshFile, termsInUse } from '../terms/terms.ts';
import { type CommandContext, type CommandSpec, option, type Report } from './command.ts';
import { renderCheckup, renderRun } from './reports.ts';
import { trustedKeys } from './snapshot-commands.ts';
import { textOf } from './text.ts';

/** The exit code that a live run would have. */
const DOCTOR_EXIT: Readonly<Record<Checkup['run'], number>> = { whole: 0, degraded: 3, fails: 1 };

/** The commands of what snapshots are made with and shared by: the store, the log and its keys, terms, sources. */
export const SERVICE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'store push',
    summary: 'send the served version and make the store name it; publish and run do the same at their end',
    options: [option('--all', 'also the older versions here that the store lacks')],
    run: async (context, { all = false }: { all?: boolean }) => {
      const store = await opened(context);
      const { push } = await import('../object-store/push.ts');
      const { snapshotsDir } = context.config;
      const work = () => push({ store, snapshotsDir, all }, context.effects);
      const pushed = await withPipelineLock({ snapshotsDir }, work, context.effects);
      return { stated: { ...outcome('DONE'), ...pushed }, text: renderRun({ pushed }) };
    },
  },
  {
    name: 'store pull',
    summary: 'bring the version that the store names into SNAPSHOTS_DIR, once',
    run: pullOnce,
  },
  {
    name: 'store follow',
    summary: 'bring what the store names again and again, until SIGTERM or SIGINT; `npm start` does this by itself',
    json: false,
    endsBySignal: true,
    run: followOn,
  },
  {
    name: 'store gc',
    summary: 'remove from the store what no version needs that it names, once it is a day old',
    options: [option('--dry-run', 'only say how much would be removed')],
    run: async (context, { dryRun = false }: { dryRun?: boolean }) => {
      const report = await (await opened(context)).gc({ dryRun }, context.effects);
      const { removed, bytes, leftovers, kept } = report;
      const gone = `${removed} objects of ${bytes} bytes and ${leftovers} leftovers; ${kept} objects stay`;
      return {
        stated: { ...outcome('DONE'), dryRun, ...report },
        text: textOf({ [dryRun ? 'to remove' : 'removed']: gone }),
      };
    },
  },
  {
    name: 'store status',
    summary: 'show what the store names, and how this machine follows',
    run: async (context) => {
      const store = await opened(context);
      const { name, pointerIn } = store;
      const [pointer, here] = [await store.pointer(), await readReplicaStatus(context.config.snapshotsDir)];
      const text = textOf({
        store: name,
        names: pointer
          ? `${pointer.version} as generation ${pointer.generation}, since ${pointer.flippedAt} (pointer: ${pointerIn})`
          : 'no version yet',
        here: here && `generation ${here.generation}, last answer ${here.answeredAt ?? 'never'}`,
        fault: here?.fault && `not followed since ${here.fault.since}: ${here.fault.message}`,
      });
      return { stated: { store: name, pointerIn, pointer, here }, text };
    },
  },
  {
    name: 'log',
    summary: 'show the log of publications, and check it: every checkpoint, signature and snapshot',
    run: showLog,
  },
  {
    name: 'keygen',
    summary: 'make the key that signs the log of publications and the heads of the board (SIGNING_KEY_FILE)',
    options: [
      option('--name <name>', 'name of the log and its keys, such as example.org/trials'),
      option('--rotate', 'add a new key of the same name, which signs together with the old ones'),
      option(
        '--retire <id>',
        'remove the private key of this id; the log goes on listing its public key',
        (text) => text.split('+').at(-1) ?? text,
      ).conflicts(['rotate', 'name']),
    ],
    run: changeKeys,
  },
  {
    name: 'terms',
    summary: 'show the terminology that the next publish uses: sources, years, concepts and names',
    options: [option('--mesh <file>', "import NLM's yearly file of MeSH descriptors, plain or gzipped")],
    run: async (context, { mesh }: { mesh?: string }) => {
      const { dataDir } = context.config;
      if (mesh !== undefined)
        await withPipelineLock({ dataDir }, () => importMeshFile(resolve(mesh), dataDir), context.effects);
      const { file, terminology } = await termsInUse(dataDir);
      const { identity, concepts, sources } = readTerminology(terminology);
      const from = file === null ? 'bundled (data/terminology)' : `imported (${file})`;
      const text = textOf({
        terms: `${from}, ${concepts.length} concepts, ${identity.slice(0, 12)}`,
        sources: sources.map(({ name, year, terms, licence }) => ({ year, names: terms, source: name, licence })),
      });
      return { stated: { file, identity, concepts: concepts.length, sources }, text };
    },
  },
  {
    name: 'doctor',
    summary: 'send each live source one small request, and tell whether a run would succeed and what to mend',
    run: async ({ config, effects }) => {
      const found = await checkup(config, effects);
      const exitCode = DOCTOR_EXIT[found.run];
      return { stated: { exitCode, ...found }, text: renderCheckup(found), exitCode };
    },
  },
];

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

async function pullOnce(context: CommandContext): Promise<Report> {
  const store = await opened(context);
  const { Replica } = await import('../object-store/replica.ts');
  const { config, effects } = context;
  const { snapshotsDir } = config;
  const replica = new Replica({ store, snapshotsDir, trusted: await trustedKeys(config) }, effects);
  const { generation, swapped, pointer } = await replica.step();
  if (pointer === null)
    throw new StoreFault(
      `nothing was published to ${store.name} yet: run \`pipeline store push\` where there is a snapshot`,
    );
  const { version } = pointer;
  const words = swapped === null ? 'is served already' : 'is served from now on';
  return {
    stated: { ...outcome('DONE'), generation, version, swapped },
    text: `${version} ${words}, as generation ${generation} of ${store.name}`,
  };
}

async function followOn(context: CommandContext): Promise<null> {
  const store = await opened(context);
  const { follow } = await import('../object-store/replica.ts');
  const { config, effects } = context;
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  // `npm start` is gone, however it ended.
  process.once('disconnect', () => stop.abort());
  const trusted = await trustedKeys(config);
  await follow({ store, snapshotsDir: config.snapshotsDir, trusted, signal: stop.signal }, effects);
  return null;
}

async function showLog({ config }: CommandContext): Promise<Report> {
  const checked = await checkLog(config.snapshotsDir, await trustedKeys(config));
  const { entries, checkpoint, signedBy, keys, problems, notes } = checked;
  const text = textOf({
    log: checkpoint === null ? null : `${checkpoint.origin}: ${checkpoint.size} identities, root ${checkpoint.root}`,
    empty: checkpoint === null ? 'nothing was published yet' : null,
    signed:
      signedBy.length === 0 ? 'by nobody: `pipeline keygen --name NAME` makes a key' : `by ${signedBy.join(', ')}`,
    entries: entries.map(({ index, identity, version, state }) => ({
      entry: index,
      identity,
      version: version === null ? 'not held here' : `${version}${state === 'removed' ? ' (removed)' : ''}`,
    })),
    key: keys,
    note: notes,
    PROBLEM: problems.map(({ file, message }) => `${file}: ${message}`),
  });
  return { stated: { signed: signedBy.length > 0, ...checked }, text, exitCode: problems.length > 0 ? 1 : 0 };
}

interface KeyFlags {
  name?: string;
  rotate?: true;
  retire?: string;
}

async function changeKeys({ config }: CommandContext, { name, rotate, retire }: KeyFlags): Promise<Report> {
  const { signingKeyFile: path, snapshotsDir } = config;
  const place = { path, snapshotsDir };
  if (retire === undefined && rotate === undefined && name === undefined)
    throw new UsageError('--name is missing: name the log, such as example.org/trials');
  const keys = await (retire !== undefined
    ? retireKey(place, retire)
    : rotate
      ? rotateKey(place, name)
      : makeFirstKey(place, name!));
  const newKey = keyWords(keys[0]!.verifier);
  const text = textOf({
    retired: retire,
    [rotate ? 'added' : 'made']: retire === undefined ? newKey : null,
    file: path,
    keys: keys.map(({ verifier }) => verifier.vkey),
    next: [
      'From the next publication on, these keys sign; give their public keys to those who verify (TRUSTED_KEYS_FILE).',
      retire === undefined &&
        !rotate &&
        'A log takes the name of its first key; checkpoints that were kept before it had one are of another log (docs/log.md).',
      retire === undefined &&
        'Keep the file to its owner, and a copy off this machine. A running board reads it when it starts.',
    ].filter((line) => line !== false),
  });
  const stated = keys.map(({ verifier }) => ({ key: keyWords(verifier), publicKey: verifier.vkey }));
  return { stated: { file: path, keys: stated }, text };
}
