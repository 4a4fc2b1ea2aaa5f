import type { z } from 'zod';
import type { componentSchema, STATUS_OPERATIONS } from '../../contract/operations/status.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import type { HealthRecorder } from '../health.ts';
import type { BoardServices } from '../services.ts';
import type { Board } from '../store/board.ts';
import { headTime } from '../store/count-store.ts';
import { schemaNumber } from '../store/dialect.ts';
import { toIso } from '../store/instants.ts';

type Component = z.output<typeof componentSchema>;
type Reading = Pick<Component, 'component' | 'state' | 'detail'>;

export const statusHandlers: Handlers<typeof STATUS_OPERATIONS, BoardServices & { health: HealthRecorder }> = {
  status: async (_input, { now }, { board, health }) => {
    const readings: Reading[] = [
      { component: 'board-server', state: 'up', detail: 'answers' },
      await readingOf('board-file', async () => `readable, schema ${await schemaNumber(board.read)}`),
      await readingOf('change-feed', () => feedDetail(board)),
    ];
    const components = readings.map((reading) => ({
      ...reading,
      since: health.since(reading.component, reading.state, now).toISOString(),
    }));
    const { startedAt, failures, lastFailure } = health;
    return {
      data: {
        state: components.every(({ state }) => state === 'up') ? 'up' : 'degraded',
        startedAt: startedAt.toISOString(),
        // A clock that was set back since the start would make it negative.
        uptimeSeconds: Math.max(0, Math.floor((now.getTime() - startedAt.getTime()) / 1000)),
        components,
        failures,
        lastFailure: lastFailure === null ? null : { ...lastFailure, at: lastFailure.at.toISOString() },
      },
    };
  },
};

async function feedDetail(board: Board): Promise<string> {
  const head = await headTime(board.read);
  return head === null ? 'no event yet' : `newest event at ${toIso(head)}`;
}

/** What a component says of itself; one that fails is down, and why is for the operator, not for the answer. */
async function readingOf(component: string, read: () => Promise<string>): Promise<Reading> {
  try {
    return { component, state: 'up', detail: await read() };
  } catch {
    return { component, state: 'down', detail: 'could not be read' };
  }
}
