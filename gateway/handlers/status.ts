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

/** Who asks for the status learns soon that a part does not answer. */
const STATUS_SILENCE_MS = 2_000;

export interface StatusServices {
  index: IndexServices | Upstream;
  board: Upstream;
  health: HealthRecorder;
}

type Component = z.output<typeof componentSchema>;
type Dated = Reading & { since: Date };

/** Joins what the gateway knows of itself with what the index and the board say; a part that is silent is down. */
export const statusHandlers: Handlers<typeof STATUS_OPERATIONS, StatusServices> = {
  status: async (_input, { now }, { index, board, health }) => {
    const [own, ofBoard] = await Promise.all([indexReading(index), boardReadings(board)]);
    const dated = (reading: Reading): Dated => ({ ...reading, since: health.since(reading, now) });
    const components = [
      dated({ component: 'gateway', state: 'up', detail: 'answers' }),
      dated(own),
      // When it was first out of reach is known here alone.
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

/** What the board says of its parts, or that it says nothing. */
async function boardReadings(board: Upstream): Promise<Dated[] | Reading> {
  const component = 'board-server';
  try {
    const options = { method: 'GET', path: '/internal/status', headers: {}, body: null, signal: null };
    const answer = await board.send({ ...options, silenceMs: STATUS_SILENCE_MS, lane: 'own' });
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

/** A part that was out of reach is up since it is within reach again, however long its process has run. */
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

/** A clock that was set back since would make it negative. */
function secondsBetween(start: Date, end: Date): number {
  return Math.max(0, Math.floor((end.getTime() - start.getTime()) / 1000));
}
