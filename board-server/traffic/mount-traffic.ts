import type { H3 } from 'h3';
import { z } from 'zod';
import { TRAFFIC_HOURS, TRAFFIC_SLOT_MINUTES } from '../../contract/limits/limits.ts';
import { besideFeed } from '../kit/beside.ts';
import { internalAnswer, internalBody } from '../kit/internal-answer.ts';
import type { Board } from '../store/board.ts';
import { addTraffic, trafficSince } from './traffic-store.ts';

const SLOT_MS = TRAFFIC_SLOT_MINUTES * 60_000;
const SLOTS = (TRAFFIC_HOURS * 60) / TRAFFIC_SLOT_MINUTES;

const name = z.string().min(1).max(20);
const countedSchema = z
  .array(z.object({ slot: z.int().nonnegative(), door: name, status: name, requests: z.int().positive() }))
  .max(10_000);

/** Mounts what gateways tell and ask of the requests of their clients. */
export function mountTraffic(app: H3, { board, now }: { board: Board; now: () => Date }): void {
  const oldest = (): number => Math.floor(now().getTime() / SLOT_MS) - SLOTS + 1;
  app.post('/internal/traffic', async (event) => {
    const counted = await internalBody(event, countedSchema);
    if (counted === null) return internalAnswer(400, {});
    await besideFeed(board, (db) => addTraffic(db, counted, oldest()));
    return internalAnswer(200, {});
  });
  app.get('/internal/traffic', async () => {
    const from = oldest();
    const rows = await trafficSince(board.read, from);
    const first = Math.max(from, Math.min(...rows.map((row) => row.first), Math.floor(now().getTime() / SLOT_MS)));
    const counted = rows.map(({ door, status, requests }) => ({ door, status, requests }));
    return internalAnswer(200, { since: new Date(first * SLOT_MS).toISOString(), counted });
  });
}
