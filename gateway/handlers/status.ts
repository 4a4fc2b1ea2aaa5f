import { json } from 'node:stream/consumers';
import type { z } from 'zod';
import type { componentSchema, STATUS_OPERATIONS } from '../../contract/operations/status.ts';
import type { IndexServices } from '../../index-server/services.ts';
import {
  contractFingerprint,
  type Failure,
  type HealthRecorder,
  type Reading,
  type ServerStatus,
} from '../../server-kit/health.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { Upstream } from '../upstream/upstream.ts';
import { readinessOf } from './readiness.ts';

/** Short, so that the caller soon learns that a part does not answer. */
const STATUS_SILENCE_MS = 2_000;

interface StatusServices {
  index: IndexServices | Upstream;
  board: Upstream;
  health: HealthRecorder;
}

type Component = z.output<typeof componentSchema>;
type Dated = Reading & { since: Date };

/** Combines the status of gateway, index and board; a part that does not answer is down. */
export const statusHandlers: Handlers<typeof STATUS_OPERATIONS, StatusServices> = {
  status: async (_input, { now }, { index, board, health }) => {
    const [own, ofBoard] = await Promise.all([indexReading(index), boardReadings(board)]);
    const dated = (reading: Reading): Dated => ({ ...reading, since: health.since(reading, now) });
    const components = [
      dated({ component: 'gateway', state: 'up', detail: 'answers' }),
      dated(own),
      // Only this process knows when the board could not be reached.
      ...(Array.isArray(ofBoard) ? reached(ofBoard, health, now) : [dated(ofBoard)]),
    ].map((component) => described(component, health, now));
    return {
      data: {
        state: components.every(({ state }) => state === 'up') ? 'up' : 'degraded',
        startedAt: health.startedAt.toISOString(),
        uptimeSeconds: secondsBetween(health.startedAt, now),
        components,
        failures: health.failures,
        lastFailure: shown(health.lastFailure),
      },
    };
  },
};

async function indexReading(index: IndexServices | Upstream): Promise<Reading> {
  const component = 'index';
  if (!(index instanceof Upstream)) {
    const { version, fault } = index.holder;
    if (version === null) return { component, state: 'down', detail: 'no snapshot is served' };
    const detail = `serves snapshot ${version}${fault === null ? '' : ', and cannot open a newer one'}`;
    return { component, state: 'up', detail };
  }
  try {
    const { snapshot } = await readinessOf(index);
    return snapshot === null
      ? { component, state: 'down', detail: 'no snapshot is served' }
      : { component, state: 'up', detail: `serves snapshot ${snapshot}` };
  } catch {
    return { component, state: 'down', detail: 'does not answer' };
  }
}

/** The status of the board's parts, or one reading that the board is down. */
async function boardReadings(board: Upstream): Promise<Dated[] | Reading> {
  const component = 'board-server';
  try {
    const answer = await board.ask('/internal/status', STATUS_SILENCE_MS);
    if (answer.statusCode !== 200) {
      answer.resume();
      return { component, state: 'down', detail: 'answers, but does not tell its status' };
    }
    const { components, contract } = (await json(answer)) as ServerStatus;
    const other = contract === contractFingerprint() ? '' : ', under another contract than the gateway';
    return components.map((reading) => ({
      ...reading,
      detail: reading.component === component ? `${reading.detail}${other}` : reading.detail,
      since: new Date(reading.since),
    }));
  } catch {
    return { component, state: 'down', detail: 'does not answer' };
  }
}

/** A part that could not be reached counts as up from when it could be reached again, however long its process has run. */
function reached(readings: Dated[], health: HealthRecorder, now: Date): Dated[] {
  return readings.map((reading) => {
    const seen = health.since(reading, now).getTime();
    return { ...reading, since: new Date(Math.max(seen, reading.since.getTime())) };
  });
}

function described(reading: Dated, health: HealthRecorder, now: Date): Component {
  const { component, state, detail, since } = reading;
  return {
    component,
    state,
    detail,
    since: since.toISOString(),
    uptimeSeconds: state === 'up' ? secondsBetween(since, now) : 0,
    lastFailure: shown(health.lastFailureOf(component)),
  };
}

function shown(failure: Failure | null): Component['lastFailure'] {
  return failure === null ? null : { ...failure, at: failure.at.toISOString() };
}

/** At least 0: the clock may have been set back. */
function secondsBetween(start: Date, end: Date): number {
  return Math.max(0, Math.floor((end.getTime() - start.getTime()) / 1000));
}
