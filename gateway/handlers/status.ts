import type { z } from 'zod';
import type { OperationOutput } from '../../contract/operation.ts';
import type { componentSchema, getStatus, STATUS_OPERATIONS } from '../../contract/operations/service/status.ts';
import type { IndexServices } from '../../index-server/entry.ts';
import { contractFingerprint, type Reading, type ServerStatus } from '../../server-kit/health.ts';
import type { CountStore } from '../../server-kit/limits/count-store.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { readReplicaStatus } from '../../snapshot/format/versions/state.ts';
import type { CommonState, HealthReport } from '../common/common.ts';
import { jsonOf } from '../upstream/answer-body.ts';
import { Upstream } from '../upstream/upstream.ts';
import { readinessOf } from './readiness.ts';

/** Short, so that the caller soon learns that a part does not answer. */
const STATUS_SILENCE_MS = 2_000;

interface StatusServices {
  index: IndexServices | Upstream;
  board: Upstream;
  /** Why the board does not run, where this process knows; else null. */
  boardFault: () => string | null;
  common: Pick<CommonState, 'health'>;
  /** Directory of snapshots into which versions come from a store that machines share; absent without one. */
  followedIn: string | undefined;
  /** Where gateways count together; absent where this one counts in memory. */
  countStore: Pick<CountStore, 'kind' | 'away'> | undefined;
}

type Status = OperationOutput<typeof getStatus>;
type Component = z.output<typeof componentSchema>;
/** `since`: when a part began its state, as it told itself. */
type Told = Reading & { since?: Date };

/** Combines the status of gateway, index and board; a part that does not answer is down. */
export const statusHandlers: Handlers<typeof STATUS_OPERATIONS, StatusServices> = {
  status: async (_input, { now }, { index, board, boardFault, common, followedIn, countStore }) => {
    const [snapshot, { readings, writeProvenAt }, store] = await Promise.all([
      servedSnapshot(index),
      boardReadings(board, boardFault),
      followedIn === undefined ? null : storeReading(followedIn, now),
    ]);
    const told: Told[] = [
      { component: 'gateway', state: 'up', detail: 'answers' },
      ...(countStore === undefined ? [] : [countReading(countStore)]),
      indexReading(snapshot),
      ...(store === null ? [] : [store]),
      ...readings,
    ];
    const health = await common.health(told.map(({ component, state, detail }) => ({ component, state, detail })));
    const components = told.map((reading, place) => described(reading, health, place, now));
    const startedAt = new Date(health.startedAt);
    return {
      data: {
        state: components.every(({ state }) => state === 'up') && snapshot?.refused == null ? 'up' : 'degraded',
        startedAt: health.startedAt,
        uptimeSeconds: secondsBetween(startedAt, now),
        components,
        snapshot: snapshot ?? { version: null, checkedAt: null, refused: null },
        board: { writeProvenAt },
        failures: health.failures,
        lastFailure: health.lastFailure,
      },
    };
  },
};

/** The snapshot that is served, here or by another process; null if that does not answer. */
async function servedSnapshot(index: IndexServices | Upstream): Promise<Status['snapshot'] | null> {
  if (!(index instanceof Upstream)) {
    const { version, checkedAt, refused } = index.holder;
    return { version, checkedAt: checkedAt?.toISOString() ?? null, refused };
  }
  try {
    const { snapshot: version, checkedAt, refused } = await readinessOf(index);
    return { version, checkedAt, refused };
  } catch {
    return null;
  }
}

function countReading({ kind, away }: Pick<CountStore, 'kind' | 'away'>): Reading {
  const component = 'rate-store';
  if (away === null) return { component, state: 'up', detail: `${kind} counts requests for all gateways` };
  return { component, state: 'down', detail: `${kind} does not answer: this gateway counts requests by itself` };
}

function indexReading(snapshot: Status['snapshot'] | null): Reading {
  const component = 'index';
  if (snapshot === null) return { component, state: 'down', detail: 'does not answer' };
  const { version, refused } = snapshot;
  const why = refused === null ? '' : `: ${refused}`;
  if (version === null) return { component, state: 'down', detail: `no snapshot is served${why}` };
  return { component, state: 'up', detail: `serves snapshot ${version}${why}` };
}

/** A program that follows the store writes how it stands every 10 s. */
const STORE_SILENCE_MS = 60_000;

async function storeReading(snapshotsDir: string, now: Date): Promise<Reading> {
  const component = 'snapshot-store';
  const status = await readReplicaStatus(snapshotsDir);
  if (status === null || now.getTime() - Date.parse(status.writtenAt) > STORE_SILENCE_MS)
    return { component, state: 'down', detail: 'no program follows it: versions on disk are served' };
  const { generation, storeGeneration, missingVersions, answeredAt, fault } = status;
  if (fault !== null) {
    const last = answeredAt === null ? '' : `, it answered last at ${answeredAt}`;
    return {
      component,
      state: 'down',
      detail: `not followed since ${fault.since}${last}: versions on disk are served`,
    };
  }
  const parts = [
    `generation ${generation} is here`,
    ...(storeGeneration > generation ? [`${storeGeneration} is being brought`] : []),
    ...(missingVersions === 0 ? [] : [`${missingVersions} older versions are to be brought`]),
  ];
  return { component, state: 'up', detail: parts.join(', ') };
}

interface BoardReadings {
  /** The status of the board's parts, or one reading that the board is down. */
  readings: Told[];
  writeProvenAt: string | null;
}

async function boardReadings(board: Upstream, boardFault: () => string | null): Promise<BoardReadings> {
  const component = 'board-server';
  const down = (detail: string): BoardReadings => ({
    readings: [{ component, state: 'down', detail }],
    writeProvenAt: null,
  });
  try {
    const answer = await board.ask('/internal/status', STATUS_SILENCE_MS);
    if (answer.statusCode !== 200) {
      answer.resume();
      return down('answers, but does not tell its status');
    }
    const { components, contract, writeProvenAt } = (await jsonOf(answer)) as ServerStatus;
    const other = contract === contractFingerprint() ? '' : ', under another contract than the gateway';
    const readings = components.map((reading) => ({
      ...reading,
      detail: reading.component === component ? `${reading.detail}${other}` : reading.detail,
      since: new Date(reading.since),
    }));
    return { readings, writeProvenAt: writeProvenAt ?? null };
  } catch {
    return down(boardFault() ?? 'does not answer');
  }
}

/** A part that could not be reached counts as up from when it could be reached again, however long its process has run. */
function described(reading: Told, { parts }: HealthReport, place: number, now: Date): Component {
  const { component, state, detail } = reading;
  const seen = parts[place]!;
  const since = new Date(Math.max(Date.parse(seen.since), reading.since?.getTime() ?? 0));
  return {
    component,
    state,
    detail,
    since: since.toISOString(),
    uptimeSeconds: state === 'up' ? secondsBetween(since, now) : 0,
    lastFailure: seen.lastFailure,
  };
}

/** At least 0: the clock may have been set back. */
function secondsBetween(start: Date, end: Date): number {
  return Math.max(0, Math.floor((end.getTime() - start.getTime()) / 1000));
}
