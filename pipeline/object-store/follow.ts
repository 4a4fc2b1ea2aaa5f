import { mkdir } from 'node:fs/promises';
import { setTimeout as delayed } from 'node:timers/promises';
import { type ReplicaStatus, readGeneration } from '../../snapshot/format/versions/replica-status.ts';
import type { Effects } from '../effects.ts';
import { PipelineLocked } from '../lock.ts';
import { keepStatus, Replica, type ReplicaOptions } from './replica.ts';

export interface FollowOptions extends ReplicaOptions {
  /** Ends the following after the look that is under way. */
  signal: AbortSignal;
}

const ALIVE_MS = 10_000;
/** A random pause, so that many replicas do not ask at once. */
const PAUSE_LEAST_MS = 5_000;
const PAUSE_SPREAD_MS = 5_000;

type State = Omit<ReplicaStatus, 'writtenAt'>;

/** Looks at the store again and again and brings what is new. A store that is away, or damaged, changes nothing of what is served. */
export async function follow(options: FollowOptions, effects: Effects): Promise<void> {
  const { signal, snapshotsDir, client } = options;
  const replica = new Replica(options, effects);
  await mkdir(snapshotsDir, { recursive: true });
  let state: State = {
    store: client.name,
    generation: (await readGeneration(snapshotsDir).catch(() => null))?.generation ?? 0,
    storeGeneration: 0,
    missingVersions: 0,
    answeredAt: null,
    fault: null,
  };
  const keep = (): Promise<void> => keepStatus(snapshotsDir, { ...state, writtenAt: effects.now().toISOString() });
  // Also while a step brings gigabytes.
  const alive = setInterval(() => void keep().catch(() => undefined), ALIVE_MS);
  try {
    while (!signal.aborted) {
      state = await looked(replica, state, effects);
      await keep().catch(() => undefined);
      await delayed(PAUSE_LEAST_MS + Math.random() * PAUSE_SPREAD_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(alive);
  }
}

/** The state after one look. */
async function looked(replica: Replica, before: State, effects: Effects): Promise<State> {
  try {
    const { generation, swapped, pointer, missing } = await replica.step();
    if (swapped !== null)
      effects.notice?.(`${swapped} is served from now on, as generation ${generation} of the store`);
    if (before.fault !== null) effects.notice?.('the store is followed again');
    const storeGeneration = pointer?.generation ?? 0;
    const answeredAt = effects.now().toISOString();
    return { store: before.store, generation, storeGeneration, missingVersions: missing, answeredAt, fault: null };
  } catch (error) {
    // Another command works here, such as a publication: the next look comes when it has ended.
    if (error instanceof PipelineLocked) return before;
    const message = error instanceof Error ? error.message : String(error);
    if (before.fault?.message !== message)
      effects.notice?.(`the store is not followed now, and what is served stays: ${message}`);
    const since = before.fault?.since ?? effects.now().toISOString();
    return { ...before, fault: { since, message } };
  }
}
