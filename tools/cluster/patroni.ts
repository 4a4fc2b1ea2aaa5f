import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environment } from '../../server-kit/config/env.ts';
import { Member } from './member.ts';
import { pathOf, postgresUser } from './programs.ts';

export interface PostgresPorts {
  postgres: number;
  /** Of the agent's HTTP interface. */
  agent: number;
}

/** Names and passwords of one cluster, made anew for each. */
export interface Credentials {
  superuser: string;
  replication: string;
  rewind: string;
}

export function newCredentials(): Credentials {
  const password = (): string => randomBytes(18).toString('base64url');
  return { superuser: password(), replication: password(), rewind: password() };
}

const LOOK_EVERY_S = 2;

const LOOK_AGAIN_MS = 50;

interface PostgresNodeOptions {
  /** Of the whole cluster; the node's own lies in it. */
  folder: string;
  name: string;
  ports: PostgresPorts;
  etcdPort: number;
  credentials: Credentials;
  /** After which a silent leader is replaced, in seconds. */
  lease: number;
}

/**
 * One of the nodes of PostgreSQL, under its agent, Patroni. A commit is answered when one standby has it on its disk too, and
 * not at all while there is none (`synchronous_mode_strict`).
 */
export class PostgresNode implements AsyncDisposable {
  /** Starts and ends the server, and holds the lease of the leader. */
  readonly agent: Member;
  readonly ports: PostgresPorts;
  readonly #own: string;

  constructor(options: PostgresNodeOptions) {
    const { folder, name, ports } = options;
    const user = postgresUser();
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const configuration = join(own, 'patroni.yml');
    // YAML takes JSON as it is.
    writeFileSync(configuration, JSON.stringify(settingsOf(own, options), null, 1), { mode: 0o600 });
    for (const path of user ? [own, configuration] : []) chownSync(path, user!.uid, user!.gid);
    this.#own = own;
    this.ports = ports;
    this.agent = new Member({
      name,
      command: [pathOf('patroni'), configuration],
      logFile: join(folder, `${name}.log`),
      cwd: own,
      env: { PATH: environment().PATH, HOME: own, LANG: 'C.UTF-8' },
      user,
      isReady: async () => (await this.#ask('/health')).ok,
    });
  }

  get name(): string {
    return this.agent.name;
  }

  async start(): Promise<this> {
    await this.agent.start();
    return this;
  }

  /** What its agent takes it for: `primary`, `replica`, or null where it does not answer. */
  async role(): Promise<string | null> {
    try {
      return ((await (await this.#ask('/patroni')).json()) as { role: string }).role.replace('master', 'primary');
    } catch {
      return null;
    }
  }

  /** Whether it holds each commit before it is answered. */
  async isSynchronous(): Promise<boolean> {
    return (await this.#ask('/synchronous').catch(() => null))?.ok ?? false;
  }

  /** Ends the server alone, as the system does when memory is short; its agent starts it again or lets another one lead. */
  async killServer(): Promise<void> {
    await endServer(this.serverPid(), 'SIGKILL');
  }

  /** Ends agent and server, as a power cut does. */
  async kill(): Promise<void> {
    const pid = this.serverPid();
    await this.agent.kill();
    await endServer(pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.agent.stop();
    // Left behind where the agent was killed alone.
    await endServer(this.serverPid(), 'SIGQUIT');
  }

  #ask(path: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${this.ports.agent}${path}`, { signal: AbortSignal.timeout(2000) });
  }

  /** The file stays behind when the server is killed, so the process itself is asked for its name. */
  serverPid(): number | null {
    const file = join(this.#own, 'data', 'postmaster.pid');
    if (!existsSync(file)) return null;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    return runsPostgres(pid) ? pid : null;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function runsPostgres(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
  } catch {
    return false;
  }
}

async function endServer(pid: number | null, signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
  if (pid === null) return;
  process.kill(pid, signal);
  while (runsPostgres(pid)) await pause(LOOK_AGAIN_MS);
}

function settingsOf(own: string, { name, ports, etcdPort, credentials, lease }: PostgresNodeOptions): object {
  const { postgres, agent } = ports;
  const [postgresAddress, agentAddress] = [`127.0.0.1:${postgres}`, `127.0.0.1:${agent}`];
  return {
    scope: 'board',
    name,
    restapi: { listen: agentAddress, connect_address: agentAddress },
    // Version 2 of etcd's interface: by version 3, Patroni 3.0.2 takes the lead back unasked when its agent was frozen and thaws
    // (docs/decisions/0010-board-on-postgresql.md).
    etcd: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ttl: lease,
        loop_wait: LOOK_EVERY_S,
        // The most that Patroni allows.
        retry_timeout: Math.floor((lease - LOOK_EVERY_S) / 2),
        maximum_lag_on_failover: 0,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100, wal_keep_size: '256MB' } },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication replicator 127.0.0.1/32 scram-sha-256'],
    },
    postgresql: {
      listen: postgresAddress,
      connect_address: postgresAddress,
      data_dir: join(own, 'data'),
      bin_dir: dirname(pathOf('postgres')),
      pgpass: join(own, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: credentials.superuser },
        replication: { username: 'replicator', password: credentials.replication },
        rewind: { username: 'rewinder', password: credentials.rewind },
      },
      parameters: { unix_socket_directories: own, shared_buffers: '64MB' },
    },
    watchdog: { mode: 'off' },
  };
}
