import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { etcd } from './etcd.ts';
import { gatewaysInUse, haproxy, type ProxyPorts } from './haproxy.ts';
import type { Member } from './member.ts';
import { newCredentials, PostgresNode } from './patroni.ts';
import { freePorts } from './ports.ts';
import { redis } from './redis.ts';
import { s3, s3Settings } from './s3.ts';
import { boardProcess, gatewayProcess, newShared, publishSample, type Shared } from './servers.ts';

export interface ClusterOptions {
  boards?: number;
  gateways?: number;
  /** Settings that every board and gateway gets beside those of the cluster. */
  settings?: Record<string, string>;
  /**
   * Seconds after which a silent primary is replaced; default 10. A long one is for what has nothing to do with that: a
   * busy machine alone then replaces nobody.
   */
  lease?: number;
  onStep?: (what: string) => void;
}

const NODES = 3;
const LEASE_S = 10;
const LOOK_EVERY_MS = 200;
/** Seconds on a machine of its own; minutes beside other work. */
const AGREED_WITHIN_MS = 300_000;

/** The small cluster on one machine: every program on 127.0.0.1, everything it writes in one folder that goes with it. */
export class Cluster implements AsyncDisposable {
  readonly folder: string;
  readonly etcd: Member;
  readonly redis: Member;
  readonly s3: Member;
  readonly nodes: readonly PostgresNode[];
  readonly proxy: Member;
  readonly boards: Member[];
  readonly gateways: Member[];
  /** The one address in front of the gateways. */
  readonly url: string;
  readonly boardUrls: readonly string[];
  readonly gatewayUrls: readonly string[];
  /** Of whichever node leads. */
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly #superuserUrl: string;
  readonly #password: string;
  readonly #proxyPorts: ProxyPorts;
  readonly #shared: Shared;

  private constructor(folder: string, ports: number[], options: ClusterOptions) {
    const { boards = 2, gateways = 2, settings = {}, lease = LEASE_S } = options;
    const next = (): number => ports.shift()!;
    this.folder = folder;
    const credentials = newCredentials();
    const etcdPorts = { client: next(), peer: next() };
    this.etcd = etcd(folder, etcdPorts);
    const redisPort = next();
    this.redis = redis(folder, redisPort);
    this.redisUrl = `redis://127.0.0.1:${redisPort}`;
    const s3Port = next();
    this.s3 = s3(folder, s3Port);
    this.nodes = Array.from({ length: NODES }, (_, at) => {
      const name = `pg${at + 1}`;
      return new PostgresNode({
        folder,
        name,
        ports: { postgres: next(), agent: next() },
        etcdPort: etcdPorts.client,
        credentials,
        lease,
      });
    });
    const proxyPorts = { primary: next(), public: next(), state: next() };
    const boardPorts = Array.from({ length: boards }, next);
    const gatewayPorts = Array.from({ length: gateways }, next);
    this.proxy = haproxy(folder, proxyPorts, {
      nodes: this.nodes.map(({ ports: of }) => of),
      gateways: gatewayPorts,
      lease,
    });
    this.#proxyPorts = proxyPorts;
    this.url = local(proxyPorts.public);
    this.boardUrls = boardPorts.map(local);
    this.gatewayUrls = gatewayPorts.map(local);
    this.#password = credentials.superuser;
    this.#superuserUrl = `postgres://postgres:${credentials.superuser}@127.0.0.1:${proxyPorts.primary}/postgres`;
    this.postgresUrl = `postgres://board:${credentials.superuser}@127.0.0.1:${proxyPorts.primary}/board`;
    this.#shared = newShared(folder, {
      ...{ BOARD_STORE: this.postgresUrl, RATE_STORE: this.redisUrl, BOARD_URL: this.boardUrls.join(',') },
      ...s3Settings(s3Port),
      ...settings,
    });
    this.boards = boardPorts.map((port, at) => boardProcess(folder, at, port, this.#shared));
    this.gateways = gatewayPorts.map((port, at) => gatewayProcess(folder, at, port, this.#shared));
  }

  /** Starts everything in order and resolves when every gateway takes requests. What had begun is ended if anything fails. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'trial-board-cluster-'));
    // PostgreSQL runs as another user and must pass through.
    chmodSync(folder, 0o711);
    const servers = (options.boards ?? 2) + (options.gateways ?? 2);
    const cluster = new Cluster(folder, await freePorts(4 + 2 * NODES + 3 + servers), options);
    try {
      await cluster.#startAll(options.onStep ?? (() => undefined));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  async #startAll(onStep: (what: string) => void): Promise<void> {
    const [first, ...others] = this.nodes as [PostgresNode, ...PostgresNode[]];
    await Promise.all([this.etcd.start(), this.redis.start(), this.s3.start()]);
    onStep('etcd, Redis and the store of snapshots answer');
    await first.start();
    await Promise.all([...others.map((node) => node.start()), this.proxy.start()]);
    await this.synchronous();
    onStep('PostgreSQL has a primary, a synchronous standby and another one');
    await this.#createDatabase();
    await Promise.all([
      publishSample(this.folder, this.#shared),
      ...this.boards.map((board) => board.startUntilReady()),
    ]);
    onStep('the boards answer, and a snapshot of the synthetic sample is published');
    await Promise.all(this.gateways.map((gateway) => gateway.start()));
    onStep('the gateways answer');
  }

  /** The node that leads, as its own agent says, once exactly one does. */
  async primary(): Promise<PostgresNode> {
    for (const until = performance.now() + AGREED_WITHIN_MS; performance.now() < until; await pause(LOOK_EVERY_MS)) {
      const roles = await Promise.all(this.nodes.map((node) => node.role()));
      const leaders = this.nodes.filter((_, at) => roles[at] === 'primary');
      if (leaders.length === 1) return leaders[0]!;
    }
    throw new Error(`no single node of PostgreSQL led within ${AGREED_WITHIN_MS / 1000} s`);
  }

  /** The standby that holds every commit before it is answered, once there is one. */
  async synchronous(): Promise<PostgresNode> {
    for (const until = performance.now() + AGREED_WITHIN_MS; performance.now() < until; await pause(LOOK_EVERY_MS)) {
      for (const node of this.nodes) if (await node.isSynchronous()) return node;
    }
    throw new Error(`PostgreSQL had no synchronous standby within ${AGREED_WITHIN_MS / 1000} s`);
  }

  async #createDatabase(): Promise<void> {
    const client = new pg.Client(this.#superuserUrl);
    await client.connect();
    try {
      await client.query(`CREATE ROLE board LOGIN PASSWORD ${client.escapeLiteral(this.#password)}`);
      await client.query("CREATE DATABASE board OWNER board TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'");
    } finally {
      await client.end();
    }
  }

  /** Drains a board and starts one in its place, on the same port, with further settings. */
  async replaceBoard(at: number, settings: Record<string, string> = {}): Promise<void> {
    await this.boards[at]!.stop();
    const shared = { ...this.#shared, ...settings };
    this.boards[at] = await boardProcess(this.folder, at, portOf(this.boardUrls[at]!), shared).startUntilReady();
  }

  /** Drains a gateway and starts one in its place, with further settings; resolves when the proxy has seen it. */
  async replaceGateway(at: number, settings: Record<string, string> = {}): Promise<void> {
    await this.gateways[at]!.stop();
    const shared = { ...this.#shared, ...settings };
    this.gateways[at] = await gatewayProcess(this.folder, at, portOf(this.gatewayUrls[at]!), shared).start();
    while ((await gatewaysInUse(this.#proxyPorts)) < this.gateways.length) await pause(LOOK_EVERY_MS);
  }

  /** What these have logged, so that a failure can be looked into when the folder is gone. */
  logOf(members: readonly { name: string }[]): string {
    const names = members.map(({ name }) => name);
    return names.map((name) => `${name}:\n${readFileSync(join(this.folder, `${name}.log`), 'utf8')}`).join('\n');
  }

  /** Ends everything in reverse order, each by its process id, and removes the folder. */
  async stop(): Promise<void> {
    await Promise.all(this.gateways.map((gateway) => gateway.stop()));
    await Promise.all(this.boards.map((board) => board.stop()));
    await this.proxy.stop();
    await Promise.all(this.nodes.map((node) => node.stop()));
    await Promise.all([this.s3.stop(), this.redis.stop(), this.etcd.stop()]);
    rmSync(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
