import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { Board } from '../../../board-server/store/board.ts';
import { Deliverer } from '../../../board-server/webhooks/deliverer.ts';
import type { Dialer } from '../../../board-server/webhooks/http.ts';
import { type Latency, latencyOf } from '../latency.ts';

export interface SubscriptionResults {
  seconds: number;
  cpuSeconds: number;
  /** Growth of the resident set while one event was delivered to all of them. */
  grownMb: number;
  /** Writes by others meanwhile, one after the other. */
  writes: Latency;
}

/** Measures one event that goes to every subscription of the file; the receivers answer at once. Throws if one got nothing. */
export async function measureSubscriptions(path: string, subscriptions: number): Promise<SubscriptionResults> {
  await using board = await Board.open(path, { now: () => new Date(), random: randomBytes });
  let deliveries = 0;
  const dialer: Dialer = {
    locate: async (text) => {
      const url = new URL(text);
      // One address for each host, as `fill` makes one host for each.
      const [place = 0] = (/\d+/.exec(url.hostname) ?? []).map(Number);
      return { url, address: `203.${place >> 16}.${(place >> 8) & 255}.${place & 255}`, isAllowedPrivate: false };
    },
    post: async () => {
      await setImmediate();
      deliveries += 1;
      return { status: 200, retryAfter: null, reply: '' };
    },
  };
  await using deliverer = await Deliverer.start({ board, dialer, log: pino({ level: 'silent' }) });
  await deliverer.settled();
  const before = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const started = performance.now();
  await append(board, 'claim.created');
  const state = { settled: false };
  const settled = deliverer.settled().then(() => {
    state.settled = true;
  });
  const writes: number[] = [];
  while (!state.settled) {
    const sent = performance.now();
    await append(board, null);
    writes.push(performance.now() - sent);
  }
  await settled;
  if (deliveries !== subscriptions) throw new Error(`${deliveries} of ${subscriptions} subscriptions got the event`);
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    grownMb: (process.memoryUsage.rss() - before) / 2 ** 20,
    writes: latencyOf(writes),
  };
}

async function append(board: Board, webhookEvent: string | null): Promise<void> {
  await board.write(async (tx) => {
    const ts = tx.nextTime();
    const objectId = tx.newId('clm', ts);
    await tx.appendEvent(ts, {
      about: 'claim',
      action: 'created',
      objectId,
      agentName: 'bench',
      subject: { type: 'claim', id: objectId },
      text: 'claim created',
      data: {},
      webhookEvent,
    });
  });
}
