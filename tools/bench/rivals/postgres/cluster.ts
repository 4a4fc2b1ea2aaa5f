import { execFile, execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A private PostgreSQL in a temporary directory: reached through a Unix socket only, gone when it is disposed of. */

const run = promisify(execFile);

/** Where Debian puts each version. */
const DEBIAN_ROOT = '/usr/lib/postgresql';
/** Names the socket, as drivers expect it by default; nothing listens on a port. */
const SOCKET_NUMBER = 5432;
const START_SECONDS = 60;
/** The share of the machine's memory that PostgreSQL's manual recommends for a dedicated server. */
const BUFFERS_SHARE = 0.25;
/** Users that may own a cluster when this runs as root, which PostgreSQL refuses. */
const OWNERS = ['postgres', 'nobody'];
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export interface Cluster extends AsyncDisposable {
  /** Folder of its Unix socket. */
  socketFolder: string;
}

/** The newest installed version's programs, or null. */
export function postgresPrograms(root = DEBIAN_ROOT): string | null {
  if (!existsSync(root)) return null;
  const versions = readdirSync(root).filter((name) => existsSync(join(root, name, 'bin', 'initdb')));
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join(root, newest, 'bin');
}

interface Owner {
  uid?: number;
  gid?: number;
}

/** User that the server runs as: the caller, or a user without rights when the caller is root; null when there is none. */
function clusterOwner(): Owner | null {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const owner of OWNERS) {
    const fields = users.find((line) => line.startsWith(`${owner}:`))?.split(':');
    if (fields) return { uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  return null;
}

/**
 * Makes and starts a cluster under `parent`, in which every user may enter its own directories.
 * @returns a text with the reason when PostgreSQL is not available
 */
export async function startCluster(parent: string): Promise<Cluster | string> {
  const programs = postgresPrograms();
  if (programs === null) return `no PostgreSQL under ${DEBIAN_ROOT}`;
  const owner = clusterOwner();
  if (owner === null) return `PostgreSQL does not run as root, and there is no user ${OWNERS.join(' or ')}`;
  const dir = mkdtempSync(join(parent, 'rival-pg-'));
  if (owner.uid !== undefined) chownSync(dir, owner.uid, owner.gid as number);
  const data = join(dir, 'data');
  const options = { cwd: dir, env: { PATH: programs, LC_ALL: 'C' }, ...owner };
  const control = join(programs, 'pg_ctl');
  const remove = (): void => rmSync(dir, { recursive: true, force: true });
  try {
    const initial = ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
    await run(join(programs, 'initdb'), initial, options);
    const start = [
      'start',
      '-D',
      data,
      '-w',
      '-t',
      String(START_SECONDS),
      '-l',
      join(dir, 'log'),
      '-o',
      serverFlags(dir),
    ];
    // Run without pipes: the server inherits them, and a pipe would stay open as long as it lives.
    execFileSync(control, start, { ...options, stdio: 'ignore' });
  } catch (error) {
    const reason = startFault(dir, error);
    remove();
    return reason;
  }
  let stopped = false;
  const stop = (mode: 'fast' | 'immediate'): void => {
    if (stopped) return;
    stopped = true;
    execFileSync(control, ['stop', '-D', data, '-m', mode, '-w'], { ...options, stdio: 'ignore' });
    remove();
  };
  // At a signal only the server is ended here; whoever runs the benchmark decides what becomes of the process.
  const interrupted = (): void => stop('immediate');
  for (const signal of SIGNALS) process.once(signal, interrupted);
  return {
    socketFolder: dir,
    async [Symbol.asyncDispose]() {
      for (const signal of SIGNALS) process.off(signal, interrupted);
      stop('fast');
    },
  };
}

/** The last lines of the server's own log, if there are any. */
function startFault(dir: string, error: unknown): string {
  const log = join(dir, 'log');
  const last = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : undefined;
  return `PostgreSQL did not start: ${last || String(error)}`;
}

/** Tuned for reading on a dedicated machine; no data need to survive a crash. */
function serverFlags(dir: string): string {
  const buffersMb = Math.floor((totalmem() * BUFFERS_SHARE) / 2 ** 20);
  const settings = {
    listen_addresses: "''",
    unix_socket_directories: `'${dir}'`,
    port: SOCKET_NUMBER,
    shared_buffers: `${buffersMb}MB`,
    effective_cache_size: `${2 * buffersMb}MB`,
    work_mem: '128MB',
    maintenance_work_mem: '512MB',
    max_wal_size: '8GB',
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    // Compiling a plan takes longer than any of these queries.
    jit: 'off',
    random_page_cost: '1.1',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}
