import { setTimeout as pause } from 'node:timers/promises';
import { A2A_TURN_MAX_SECONDS } from '../../contract/limits/limits.ts';
import type { SharedPlaces } from '../../server-kit/limits/shared-places.ts';
import type { EndTurn } from './task-store.ts';

const TRY_EVERY_MS = 50;

/** Tries until a turn is free, and returns what ends it. Rejects when that takes longer than any turn lasts. */
export async function turnOnceFree(begin: () => Promise<EndTurn | null>): Promise<EndTurn> {
  const until = performance.now() + 2 * A2A_TURN_MAX_SECONDS * 1000;
  for (;;) {
    const end = await begin();
    if (end !== null) return end;
    if (performance.now() > until) throw new Error('other gateways work on this task without an end');
    await pause(TRY_EVERY_MS);
  }
}

/** Turns among the gateways on one port. */
export function turnsAmong(places: SharedPlaces): (key: string) => Promise<EndTurn> {
  const bounds = { places: Number.MAX_SAFE_INTEGER, perSubject: 1 };
  return (key) =>
    turnOnceFree(async () => {
      const leave = await places.enter('a2a turn', { subject: key, group: '' }, bounds);
      return typeof leave === 'function' ? async () => leave() : null;
    });
}
