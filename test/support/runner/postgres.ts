import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePorts } from '../../../tools/cluster/ports.ts';

/** A real PostgreSQL for tests, thrown away with the process that started it. */

/** Debian keeps each major version in a folder of its own, none of them on PATH. */
const DEBIAN = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; Debian's package makes this account. */
const ACCOUNT = 'postgres';

/**
 * Nothing here outlives a test, so no write waits for a disk. Texts are ordered as people read them, which is not how the
 * board orders them: a comparison that forgot to say COLLATE "C" shows.
 */
const INIT = ['--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C'];
const PEOPLE_ORDER = ['--locale-provider=icu', '--icu-locale=en'];
const SETTINGS = [
  ...['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'wal_level=minimal', 'max_wal_senders=0'],
  ...['shared_buffers=32MB', 'max_connections=200', 'timezone=UTC', 'lc_messages=C'],
];

/** Ends the server when the pipe to this process closes, whatever ended it, and then removes the server's folder. */
const KEEPER = `
exec 3<&0
folder="$1"; shift
"$@" & server=$!
{ read -r _ <&3; : > "$folder/over"; kill -QUIT "$server"; } & watcher=$!
wait "$server"
kill "$watcher"
if [ -e "$folder/over" ]; then rm -rf "$folder"; fi
`;

const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 2 ** 31;

/** After a killed server, the last of its processes hold its memory for a moment. */
const START_TRIES = 100;
const START_PAUSE_MS = 50;

interface Programs {
  folder: string;
  /** Account to run them as; null: the one of this process. */
  account: { uid: number; gid: number } | null;
}

const found = findPrograms();

/** Why there is no PostgreSQL for tests on this machine; null where there is one. */
export const NO_POSTGRES: string | null = typeof found === 'string' ? found : null;

/** Folder and account of its programs, where there are any. */
export function postgresPrograms(): Programs {
  if (typeof found === 'string') throw new Error(found);
  return found;
}

function findPrograms(): Programs | string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Boolean) : [];
  const folders = [
    ...versions.toSorted((a, b) => b - a).map((version) => join(DEBIAN, `${version}`, 'bin')),
    '/usr/local/bin',
    '/usr/bin',
  ];
  const folder = folders.find((path) => ['initdb', 'postgres'].every((name) => existsSync(join(path, name))));
  if (folder === undefined) return 'no initdb and postgres here: `apt-get install postgresql` brings them';
  if (process.getuid?.() !== 0) return { folder, account: null };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${ACCOUNT}:`));
  if (line === undefined) return `PostgreSQL does not run as root, and there is no account ${ACCOUNT}`;
  const [, , uid, gid] = line.split(':').map(Number) as [number, number, number, number];
  return { folder, account: { uid, gid } };
}

/** A server of its own: for tests that end one. All others share `sharedPostgres`. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #programs: Programs;
  readonly #folder: string;
  readonly #more: readonly string[];
  #keeper: ChildProcess | null = null;

  private constructor(programs: Programs, folder: string, port: number, more: readonly string[]) {
    this.#more = more;
    this.#programs = programs;
    this.#folder = folder;
    this.port = port;
  }

  /** Throws where NO_POSTGRES says why there is none. `more` are further settings, the last of one name counts. */
  static async create(more: readonly string[] = []): Promise<PostgresServer> {
    if (typeof found === 'string') throw new Error(found);
    const folder = await mkdtemp(join(roomiest(), 'trial-board-postgres-'));
    const { account } = found;
    if (account !== null) await chown(folder, account.uid, account.gid);
    const words = [...INIT, ...PEOPLE_ORDER, '-D', join(folder, 'data')];
    await promisify(execFile)(join(found.folder, 'initdb'), words, { cwd: folder, env: {}, ...account });
    const [port] = (await freePorts(1)) as [number];
    const server = new PostgresServer(found, folder, port, more);
    await server.start();
    return server;
  }

  /** Address of one of its databases. */
  url(database = 'postgres'): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs statements of the test's own, each outside of any transaction. */
  async run(statements: readonly string[], database = 'postgres'): Promise<void> {
    const client = new Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }

  /** Starts it, again after `kill`, on the same port and with what was committed. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const keeper = this.#spawn();
      if (await this.#answers(keeper)) return;
      if (tries === START_TRIES) throw new Error(`PostgreSQL did not start:\n${await this.#log()}`);
      await pause(START_PAUSE_MS);
    }
  }

  /** Ends it as a power cut does, and waits until it is gone. */
  async kill(signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT' = 'SIGKILL'): Promise<void> {
    const keeper = this.#keeper;
    if (keeper === null) throw new Error('PostgreSQL is not running');
    const ended = once(keeper, 'exit');
    const file = await readFile(join(this.#folder, 'data', 'postmaster.pid'), 'utf8');
    process.kill(Number(file.split('\n')[0]), signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const keeper = this.#keeper;
    if (keeper !== null) {
      keeper.ref();
      const ended = once(keeper, 'exit');
      keeper.stdin!.end();
      await ended;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const { folder, account } = this.#programs;
    const settings = [
      ...SETTINGS,
      ...this.#more,
      'listen_addresses=127.0.0.1',
      `port=${this.port}`,
      `unix_socket_directories=${this.#folder}`,
    ];
    const server = [
      join(folder, 'postgres'),
      '-D',
      join(this.#folder, 'data'),
      ...settings.flatMap((one) => ['-c', one]),
    ];
    const logged = ['-c', 'logging_collector=on', '-c', `log_directory=${this.#folder}`, '-c', 'log_filename=log'];
    const keeper = spawn('/bin/sh', ['-c', KEEPER, 'keeper', this.#folder, ...server, ...logged], {
      ...account,
      cwd: this.#folder,
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      // A signal to the group of this process (Ctrl-C) ends this process; the keeper then ends the server.
      detached: true,
    });
    keeper.once('exit', () => {
      if (this.#keeper === keeper) this.#keeper = null;
    });
    // This process may end while its server runs.
    keeper.unref();
    (keeper.stdin as unknown as { unref(): void }).unref();
    this.#keeper = keeper;
    return keeper;
  }

  /** True once it takes connections, false when it has ended instead. */
  async #answers(keeper: ChildProcess): Promise<boolean> {
    for (;;) {
      try {
        await this.run(['SELECT 1']);
        return true;
      } catch {
        if (keeper.exitCode !== null || keeper.signalCode !== null) return false;
        await pause(START_PAUSE_MS);
      }
    }
  }

  async #log(): Promise<string> {
    return readFile(join(this.#folder, 'log'), 'utf8').catch(() => '(no log)');
  }
}

/** Memory, where there is enough: a database a test makes many files, which a busy disk writes slowly. */
function roomiest(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > MEMORY_NEEDED_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

let shared: Promise<PostgresServer> | null = null;

/** The server of this process, started when a test first asks for it; its end is the end of this process. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= PostgresServer.create();
  return shared;
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Fills an empty database and closes every connection to it. */
type Prepare = (url: string) => Promise<void>;

const templates = new Map<Prepare | null, Promise<string>>();
let made = 0;

/** Without waits for a disk, a copy of the files takes half as long as one through the log. */
const COPIED = 'STRATEGY FILE_COPY';

/** A new database of the shared server, empty or as `prepare` leaves one; `prepare` runs once a process. */
export async function openDatabase(prepare: Prepare | null = null): Promise<TestDatabase> {
  const server = await sharedPostgres();
  const known = templates.get(prepare);
  const template = known ?? templateOf(server, prepare);
  if (known === undefined) templates.set(prepare, template);
  const name = nextName();
  await server.run([`CREATE DATABASE ${name} TEMPLATE ${await template} ${COPIED}`]);
  return {
    url: server.url(name),
    [Symbol.asyncDispose]: () => server.run([`DROP DATABASE ${name} WITH (FORCE)`]),
  };
}

async function templateOf(server: PostgresServer, prepare: Prepare | null): Promise<string> {
  if (prepare === null) return 'template0';
  const name = nextName();
  await server.run([`CREATE DATABASE ${name} TEMPLATE template0`]);
  await prepare(server.url(name));
  return name;
}

function nextName(): string {
  made += 1;
  return `test_${made}`;
}
