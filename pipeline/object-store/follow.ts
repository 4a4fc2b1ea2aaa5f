import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delayed } from 'node:timers/promises';
import { type ReplicaStatus, readGeneration } from '../../snapshot/format/versions/replica-status.ts';
import type { Effects } from '../effects.ts';
import { PipelineLocked } from '../lock.ts';
import type { ReplicaReport } from './layout.ts';
import { keepStatus, Replica, type ReplicaOptions, type Step } from './replica.ts';
import { StoreFault } from './store-fault.ts';

export interface FollowOptions extends ReplicaOptions {
  /** Ends the following after the look that is under way. */
  signal: AbortSignal;
  /** Milliseconds until the next look; by default 5 to 10 s, so that many replicas do not ask at once. */
  pause?: () => number;
}

/** A replica reports at least so often, well within LIVE_MS of its last report. */
const REPORT_MS = 20_000;
const ALIVE_MS = 10_000;
const PAUSE_LEAST_MS = 5_000;
const PAUSE_SPREAD_MS = 5_000;

/** Looks at the store again and again and brings what is new. A store that is away, or damaged, changes nothing of what is served. */
export async function follow(options: FollowOptions, effects: Effects): Promise<void> {
  const { signal, pause = () => PAUSE_LEAST_MS + Math.random() * PAUSE_SPREAD_MS } = options;
  const follower = new Follower(options, effects);
  while (!signal.aborted) {
    await follower.look();
    await delayed(pause(), undefined, { signal }).catch(() => undefined);
  }
}

/** In the snapshots directory: what tells this replica from others, since another machine may have the same host name and paths. */
const REPLICA_ID_FILE = 'REPLICA_ID';

/** Name of the replica in this directory, with the host's for people. It stays through restarts. */
export async function replicaName(snapshotsDir: string): Promise<string> {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 80);
  return `${host}-${await replicaId(join(snapshotsDir, REPLICA_ID_FILE))}`;
}

/** Made at the first look; made again where what is there cannot be one. */
async function replicaId(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (/^[0-9a-f]{16}\n$/.test(kept)) return kept.trim();
  const id = randomBytes(8).toString('hex');
  const temporary = `${path}.${id}`;
  await writeFile(temporary, `${id}\n`);
  await rename(temporary, path);
  return id;
}

type Standing = Omit<ReplicaStatus, 'writtenAt'>;

/** One look after the other, with what is told of them. */
class Follower {
  readonly #options: FollowOptions;
  readonly #effects: Effects;
  readonly #replica: Replica;
  #status: Standing | null = null;
  /** What was reported last, and when. */
  #reported: { report: ReplicaReport; at: number } | null = null;

  constructor(options: FollowOptions, effects: Effects) {
    this.#options = options;
    this.#effects = effects;
    this.#replica = new Replica(options, effects);
  }

  async look(): Promise<void> {
    await mkdir(this.#options.snapshotsDir, { recursive: true });
    const alive = setInterval(() => void this.#keepAlive().catch(() => undefined), ALIVE_MS);
    try {
      const step = await this.#replica.step();
      if (step.swapped !== null)
        this.#effects.notice?.(`${step.swapped} is served from now on, as generation ${step.generation} of the store`);
      if (this.#status?.fault != null) this.#effects.notice?.('the store is followed again');
      const name = await replicaName(this.#options.snapshotsDir);
      await this.#keep({ name, ...statusOf(step, this.#options.client.name, this.#effects.now()) });
      const { generation, staged, state } = step;
      const version = state.pointer?.version ?? null;
      await this.#report({ name, generation, version, staged });
    } catch (error) {
      // Another command works here, such as a publication: the next look comes when it has ended.
      if (error instanceof PipelineLocked) await this.#keepAlive().catch(() => undefined);
      else await this.#keepFault(error);
    } finally {
      clearInterval(alive);
    }
  }

  async #keepFault(error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    const before = this.#status ?? (await this.#statusOfDisk());
    const isSame = before.fault?.message === message;
    if (!isSame) this.#effects.notice?.(`the store is not followed now, and what is served stays: ${message}`);
    const since = before.fault?.since ?? this.#effects.now().toISOString();
    await this.#keep({ ...before, fault: { since, message } });
  }

  async #statusOfDisk(): Promise<Standing> {
    const { client, snapshotsDir } = this.#options;
    const generation = (await readGeneration(snapshotsDir).catch(() => null))?.generation ?? 0;
    const none = {
      name: await replicaName(snapshotsDir),
      storeGeneration: 0,
      stagedVersion: null,
      missingVersions: 0,
      answeredAt: null,
      fault: null,
    };
    return { store: client.name, generation, ...none };
  }

  async #keep(status: Standing): Promise<void> {
    this.#status = status;
    await keepStatus(this.#options.snapshotsDir, { ...status, writtenAt: this.#effects.now().toISOString() });
  }

  /** Says here and to publishers that the program lives, also while a step brings gigabytes. */
  async #keepAlive(): Promise<void> {
    await this.#keep(this.#status ?? (await this.#statusOfDisk()));
    if (this.#reported !== null) await this.#report(this.#reported.report);
  }

  async #report(report: ReplicaReport): Promise<void> {
    const at = this.#effects.now().getTime();
    const isSame = JSON.stringify(report) === JSON.stringify(this.#reported?.report);
    if (isSame && at - this.#reported!.at < REPORT_MS) return;
    await this.#options.pointers.report(report);
    this.#reported = { report, at };
  }
}

function statusOf(
  { generation, stagedVersion, state, missing }: Step,
  store: string,
  now: Date,
): Omit<Standing, 'name'> {
  return {
    ...{ store, generation, stagedVersion, missingVersions: missing, fault: null },
    storeGeneration: state.pointer?.generation ?? 0,
    answeredAt: now.toISOString(),
  };
}

/** Throws StoreFault with what is wrong, for a command that follows once. */
export function assertFollowed(step: Step, store: string): void {
  if (step.state.pointer === null)
    throw new StoreFault(
      `nothing was published to ${store} yet: run \`pipeline store push\` where there is a snapshot`,
    );
}
