import { type Command, Option } from 'commander';
import type { Config, SnapshotStoreConfig } from '../../server-kit/config/config.ts';
import { readReplicaStatus } from '../../snapshot/format/versions/state.ts';
import type { Effects } from '../effects.ts';
import { withPipelineLock } from '../lock.ts';
import type { Store } from '../object-store/store.ts';
import { StoreFault } from '../pull/downloader.ts';
import { type CommandContext, UsageError, withContext } from './context.ts';
import { trustedKeys } from './log-commands.ts';
import { outcome } from './outcome.ts';
import { renderPushed, renderStoreGc, renderStoreStatus } from './render.ts';

interface Flags {
  json?: boolean;
  all?: boolean;
  dryRun?: boolean;
}

const jsonOption = () => new Option('--json', 'one JSON object on standard output, nothing else');

/** The store that the settings name. Throws UsageError where they name none. */
function storeOf({ snapshotStore }: Config): SnapshotStoreConfig {
  if (snapshotStore !== null) return snapshotStore;
  throw new UsageError(
    'no store is set: SNAPSHOT_STORE=s3://bucket/prefix names one, with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  );
}

async function opened(config: Config, effects: Effects): Promise<Store> {
  const { Store } = await import('../object-store/store.ts');
  return Store.of(storeOf(config), effects);
}

/** The commands for snapshots that several machines share. */
export function addStoreCommands(program: Command): void {
  const store = program.command('store').description('share snapshots between machines by SNAPSHOT_STORE');
  store
    .command('push')
    .description('send the served version and make the store name it; publish and run do the same at their end')
    .addOption(new Option('--all', 'also the older versions here that the store lacks'))
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const store = await opened(config, effects);
        const { push } = await import('../object-store/push.ts');
        const { snapshotsDir } = config;
        const options = { store, snapshotsDir, all: flags.all === true };
        const pushed = await withPipelineLock({ snapshotsDir }, () => push(options, effects), effects);
        result({ ...outcome('DONE'), ...pushed }, renderPushed(pushed));
      }),
    );
  store
    .command('pull')
    .description('bring the version that the store names into SNAPSHOTS_DIR, once')
    .addOption(jsonOption())
    .action((flags: Flags) => withContext(flags.json === true, pullOnce));
  store
    .command('follow')
    .description('bring what the store names again and again, until SIGTERM or SIGINT; `npm start` does this by itself')
    .action(() => withContext(false, followOn, { interrupt: false }));
  store
    .command('gc')
    .description('remove from the store what no version needs that it names, once it is a day old')
    .addOption(new Option('--dry-run', 'only say how much would be removed'))
    .addOption(jsonOption())
    .action((flags: Flags) =>
      withContext(flags.json === true, async ({ config, effects, result }) => {
        const dryRun = flags.dryRun === true;
        const report = await (await opened(config, effects)).gc({ dryRun }, effects);
        result({ ...outcome('DONE'), dryRun, ...report }, renderStoreGc(report, dryRun));
      }),
    );
  store
    .command('status')
    .description('show what the store names, and how this machine follows')
    .addOption(jsonOption())
    .action((flags: Flags) => withContext(flags.json === true, showStatus));
}

async function pullOnce({ config, effects, result }: CommandContext): Promise<void> {
  const store = await opened(config, effects);
  const { Replica } = await import('../object-store/replica.ts');
  const { snapshotsDir } = config;
  const step = await new Replica({ store, snapshotsDir, trusted: await trustedKeys(config) }, effects).step();
  const { generation, swapped, pointer } = step;
  if (pointer === null)
    throw new StoreFault(
      `nothing was published to ${store.name} yet: run \`pipeline store push\` where there is a snapshot`,
    );
  const { version } = pointer;
  const words = swapped === null ? 'is served already' : 'is served from now on';
  result(
    { ...outcome('DONE'), generation, version, swapped },
    `${version} ${words}, as generation ${generation} of ${store.name}`,
  );
}

async function followOn({ config, effects }: CommandContext): Promise<void> {
  const store = await opened(config, effects);
  const { follow } = await import('../object-store/replica.ts');
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  // `npm start` is gone, however it ended.
  process.once('disconnect', () => stop.abort());
  const trusted = await trustedKeys(config);
  await follow({ store, snapshotsDir: config.snapshotsDir, trusted, signal: stop.signal }, effects);
}

async function showStatus({ config, effects, result }: CommandContext): Promise<void> {
  const store = await opened(config, effects);
  const status = {
    store: store.name,
    pointerIn: store.pointerIn,
    pointer: await store.pointer(),
    here: await readReplicaStatus(config.snapshotsDir),
  };
  result(status, renderStoreStatus(status));
}
