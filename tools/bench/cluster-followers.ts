import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Streams that are being opened at a time. */
const OPENED_TOGETHER = 200;
const HELD_WITHIN_MS = 120_000;
const TOLD_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 10;

export interface FollowersReport {
  asked: number;
  held: number;
  openedInMs: number;
  /** From the answer to one write until half of the streams, and all of them, had brought it; null where not all did. */
  halfToldMs: number | null;
  lastToldMs: number | null;
}

/** Event streams of the feed, spread over gateways. */
export class Followers implements Disposable {
  readonly #gateways: readonly string[];
  readonly #sockets: Socket[] = [];
  /** Streams whose head came with 200, and those that brought an event since. */
  readonly #held = new Set<Socket>();
  readonly #told = new Set<Socket>();
  /** First lines of other answers, and how often each came. */
  readonly #refusals = new Map<string, number>();
  #ended = 0;

  constructor(gateways: readonly string[]) {
    this.#gateways = gateways;
  }

  get refusals(): ReadonlyMap<string, number> {
    return this.#refusals;
  }

  /** Opens `asked` streams, writes one claim, and sees how long the streams take to bring it. */
  async measure(asked: number): Promise<FollowersReport> {
    const since = new Date().toISOString();
    const began = performance.now();
    while (this.#sockets.length < asked && performance.now() < began + HELD_WITHIN_MS) {
      while (this.#opening < OPENED_TOGETHER && this.#sockets.length < asked) this.#open(since);
      await pause(LOOK_EVERY_MS);
    }
    await this.#until(() => this.#opening === 0, HELD_WITHIN_MS);
    const openedInMs = performance.now() - began;
    const held = this.#held.size;
    await claim(this.#gateways[0]!);
    const written = performance.now();
    const half = await this.#until(() => this.#told.size >= held / 2, TOLD_WITHIN_MS);
    const halfToldMs = half ? performance.now() - written : null;
    const all = await this.#until(() => this.#told.size >= held, TOLD_WITHIN_MS);
    return { asked, held, openedInMs, halfToldMs, lastToldMs: all ? performance.now() - written : null };
  }

  get #opening(): number {
    return this.#sockets.length - this.#held.size - this.#ended;
  }

  /** Each as a caller of its own network, behind a proxy that the gateways trust: one network may hold a hundred streams. */
  #open(since: string): void {
    const place = this.#sockets.length;
    const { hostname, port, host } = new URL(this.#gateways[place % this.#gateways.length]!);
    const socket = connect({ host: hostname, port: Number(port) });
    this.#sockets.push(socket);
    const head = [
      `GET /api/v1/changes?since=${encodeURIComponent(since)} HTTP/1.1`,
      `host: ${host}`,
      `x-forwarded-for: 11.${place >> 8}.${place & 255}.1`,
      'accept: text/event-stream',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('HTTP/1.1 200')) this.#held.add(socket);
      else if (text.startsWith('HTTP/1.1')) this.#refused(socket, text.slice(0, text.indexOf('\r\n')));
      // Only events have an id; the opening has none.
      if (text.includes('id: 20')) this.#told.add(socket);
    });
    socket.on('error', (error) => this.#refused(socket, error.message));
    socket.on('close', () => {
      this.#held.delete(socket);
      this.#ended += 1;
    });
  }

  #refused(socket: Socket, why: string): void {
    this.#refusals.set(why, (this.#refusals.get(why) ?? 0) + 1);
    socket.destroy();
  }

  async #until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    for (const until = performance.now() + withinMs; performance.now() < until; await pause(LOOK_EVERY_MS)) {
      if (isTrue()) return true;
    }
    return false;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function claim(gateway: string): Promise<void> {
  const body = {
    objectiveId: 'map-one-disease',
    scope: 'what all followers hear of',
    intent: 'Is written once so that every follower of the feed hears of it.',
    agentName: 'bench',
  };
  const response = await fetch(`${gateway}/api/v1/claims`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 201) throw new Error(`the claim was answered ${response.status}`);
}
