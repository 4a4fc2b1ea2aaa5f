import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import type { SnapshotStoreConfig } from '../../../server-kit/config/config.ts';
import { freePorts } from '../../../tools/cluster/ports.ts';

/** A real S3 store for tests: Ceph's object gateway over one monitor and one disk in memory, thrown away with the process that started it. */

const PROGRAMS = ['ceph', 'ceph-authtool', 'ceph-mon', 'ceph-osd', 'monmaptool', 'radosgw', 'radosgw-admin'];
const run = promisify(execFile);

/** Why there is no Ceph for tests on this machine; null where there is one. */
export const NO_CEPH: string | null = reasonWithout();

function reasonWithout(): string | null {
  const missing = PROGRAMS.filter((name) => !existsSync(join('/usr/bin', name)));
  if (missing.length === 0) return null;
  return `no ${missing.join(', ')} here: \`apt-get install --no-install-recommends ceph-mon ceph-osd radosgw\` brings them`;
}

/** Ends the program when the pipe to this process closes, whatever ended it. Nothing that it holds is kept. */
const KEEPER =
  'exec 3<&0; "$@" & program=$!; { read -r _ <&3; kill -KILL "$program"; } & watcher=$!; wait "$program"; kill "$watcher"';

export interface Ceph extends AsyncDisposable {
  /** How a client reaches an empty bucket. */
  config: SnapshotStoreConfig;
}

const BUCKET = 'snapshots';
const REGION = 'us-east-1';
const DISK = '99999999-2222-4333-8444-555555555555';

/** Takes about ten seconds. Throws where NO_CEPH says why there is none. */
export async function startCeph(): Promise<Ceph> {
  if (NO_CEPH !== null) throw new Error(NO_CEPH);
  const folder = await mkdtemp(join(tmpdir(), 'ceph-'));
  const [monPort, s3Port] = (await freePorts(2)) as [number, number];
  const file = join(folder, 'ceph.conf');
  const keyring = join(folder, 'keyring');
  const keepers: ChildProcess[] = [];
  const kept = (...words: string[]): void => {
    const options = { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] as const, detached: true };
    const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', ...words], { ...options, stdio: [...options.stdio] });
    keeper.unref();
    (keeper.stdin as unknown as { unref(): void }).unref();
    keepers.push(keeper);
  };
  const end = async (): Promise<void> => {
    for (const keeper of keepers.toReversed()) {
      keeper.ref();
      const ended = once(keeper, 'exit');
      keeper.stdin!.end();
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  const ask = (program: string, ...words: string[]) => run(program, ['-c', file, ...words], { cwd: folder });
  try {
    await prepare({ folder, file, keyring, monPort });
    kept('ceph-mon', '-c', file, '-i', 'a', '-f');
    await ask('ceph', 'osd', 'new', DISK);
    await ask('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', DISK);
    kept('ceph-osd', '-c', file, '-i', '0', '-f');
    const gate = `--rgw_frontends=beast endpoint=127.0.0.1:${s3Port}`;
    kept('radosgw', '-c', file, '-n', 'client.rgw.a', '-f', gate);
    const endpoint = `http://127.0.0.1:${s3Port}`;
    while (!(await fetch(endpoint).catch(() => null))?.ok) await pause(100);
    const made = await ask('radosgw-admin', 'user', 'create', '--uid=test', '--display-name=test');
    const [{ access_key: accessKeyId, secret_key: secretAccessKey }] = JSON.parse(made.stdout).keys;
    const config = { bucket: BUCKET, prefix: 'boards', endpoint, region: REGION, accessKeyId, secretAccessKey };
    await makeBucket(config);
    return { config, [Symbol.asyncDispose]: end };
  } catch (error) {
    const said = await readFile(join(folder, 'client.rgw.a.log'), 'utf8').catch(() => 'no log');
    await end();
    throw new Error(`Ceph did not start: ${said.slice(-500)}`, { cause: error });
  }
}

async function prepare(places: { folder: string; file: string; keyring: string; monPort: number }): Promise<void> {
  const { folder, file, keyring, monPort } = places;
  const address = `[v2:127.0.0.1:${monPort}]`;
  const fsid = '11111111-2222-4333-8444-555555555555';
  const lines = [
    ...['[global]', `fsid = ${fsid}`, `mon_host = ${address}`, 'public_addr = 127.0.0.1', 'cluster_addr = 127.0.0.1'],
    ...[
      `keyring = ${keyring}`,
      `run_dir = ${folder}`,
      `log_file = ${folder}/$name.log`,
      `pid_file = ${folder}/$name.pid`,
    ],
    ...[
      `admin_socket = ${folder}/$name.asok`,
      `mon_data = ${folder}/mon`,
      `osd_data = ${folder}/osd`,
      `rgw_data = ${folder}/rgw`,
    ],
    ...['osd_objectstore = memstore', 'memstore_device_bytes = 1073741824', 'osd_pool_default_size = 1'],
    ...['osd_pool_default_min_size = 1', 'osd_pool_default_pg_num = 1', 'osd_pool_default_pgp_num = 1'],
    ...['osd_crush_chooseleaf_type = 0', 'mon_allow_pool_size_one = true', 'mon_max_pg_per_osd = 2000'],
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(folder, name));
  const options = { cwd: folder };
  await run('ceph-authtool', ['-C', keyring, '--gen-key', '-n', 'mon.', '--cap', 'mon', 'allow *'], options);
  for (const name of ['client.admin', 'client.rgw.a', 'osd.0']) {
    const caps = ['--cap', 'mon', name === 'osd.0' ? 'allow profile osd' : 'allow *', '--cap', 'osd', 'allow *'];
    await run('ceph-authtool', [keyring, '--gen-key', '-n', name, ...caps], options);
  }
  await run('monmaptool', ['--create', '--fsid', fsid, '--addv', 'a', address, 'monmap'], options);
  await run('ceph-mon', ['-c', file, '--mkfs', '-i', 'a', '--monmap', 'monmap', '--keyring', keyring], options);
}

async function makeBucket({ endpoint, bucket, region, accessKeyId, secretAccessKey }: SnapshotStoreConfig) {
  const credentials = { accessKeyId, secretAccessKey };
  const client = new S3Client({ endpoint: endpoint!, region, forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
}
