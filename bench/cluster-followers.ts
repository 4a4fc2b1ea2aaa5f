import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** Connections opened at a time. */
const OPENED_TOGETHER = 100;
const HELD_WITHIN_MS = 120_000;
const TOLD_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;

/** Event streams of the feed, spread over gateways. */
export class Followers {
  readonly #sockets: Socket[] = [];
  /** Streams whose head came with 200, and those that brought an event since. */
  readonly #held = new Set<Socket>();
  readonly #told = new Set<Socket>();

  /** Opens `asked` streams, writes one claim, and sees how long the last stream takes to bring it. */
  static async measure(gateways: readonly string[], asked: number) {
    const followers = new Followers();
    try {
      const since = await newest(gateways[0]!);
      for (let opened = 0; opened < asked; opened += OPENED_TOGETHER) {
        for (let place = opened; place < Math.min(asked, opened + OPENED_TOGETHER); place += 1) {
          followers.#open(gateways[place % gateways.length]!, since);
        }
        await pause(LOOK_EVERY_MS);
      }
      await followers.#until(() => followers.#held.size === asked, HELD_WITHIN_MS);
      const held = followers.#held.size;
      const written = performance.now();
      await claim(gateways[0]!);
      const all = await followers.#until(() => followers.#told.size >= held, TOLD_WITHIN_MS);
      return { asked, held, lastToldMs: all ? performance.now() - written : null };
    } finally {
      for (const socket of followers.#sockets) socket.destroy();
    }
  }

  #open(gateway: string, since: string): void {
    const { hostname, port } = new URL(gateway);
    const socket = connect({ host: hostname, port: Number(port) });
    this.#sockets.push(socket);
    const path = `/api/v1/changes?since=${encodeURIComponent(since)}`;
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: text/event-stream\r\n\r\n`);
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      if (text.startsWith('HTTP/1.1 200')) this.#held.add(socket);
      if (text.includes('\ndata:')) this.#told.add(socket);
    });
    socket.on('close', () => this.#held.delete(socket));
    socket.on('error', () => this.#held.delete(socket));
  }

  async #until(isTrue: () => boolean, withinMs: number): Promise<boolean> {
    for (const until = performance.now() + withinMs; performance.now() < until; await pause(LOOK_EVERY_MS)) {
      if (isTrue()) return true;
    }
    return false;
  }
}

async function newest(gateway: string): Promise<string> {
  const { data } = (await (await fetch(`${gateway}/api/v1/board`)).json()) as { data: { nextSince?: string } };
  return data.nextSince ?? new Date().toISOString();
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
