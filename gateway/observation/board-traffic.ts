import { TRAFFIC_HOURS, TRAFFIC_SLOT_MINUTES } from '../../contract/limits/limits.ts';
import { STATUS_CLASSES, TRAFFIC_DOORS } from '../../contract/operations/board/scoreboard.ts';
import type { TrafficReport } from '../common/common.ts';
import { readJson, sendJson } from '../upstream/read-json.ts';
import { QueueRefusal } from '../upstream/request-queue.ts';
import { NotSent } from '../upstream/server-link.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { TrafficDoor } from './traffic-window.ts';

const PATH = '/internal/traffic';
const SILENCE_MS = 2_000;
/** How often counts are told to the board; a gateway that is killed takes those of so long with it. */
const TELL_EVERY_MS = 10_000;
const SLOT_MS = TRAFFIC_SLOT_MINUTES * 60_000;
const SLOTS = (TRAFFIC_HOURS * 60) / TRAFFIC_SLOT_MINUTES;

interface Counted {
  slot: number;
  door: TrafficDoor;
  status: (typeof STATUS_CLASSES)[number];
  requests: number;
}

/** Requests of clients at all gateways of a board, which adds them up. */
export class BoardTraffic implements AsyncDisposable {
  readonly #board: Upstream;
  readonly #now: () => Date;
  readonly #timer: NodeJS.Timeout;
  #untold = new Map<string, Counted>();

  constructor(board: Upstream, now: () => Date) {
    this.#board = board;
    this.#now = now;
    this.#timer = setInterval(() => void this.tell(), TELL_EVERY_MS).unref();
  }

  note(door: TrafficDoor, status: number): void {
    const slot = Math.floor(this.#now().getTime() / SLOT_MS);
    this.#add({ slot, door, status: STATUS_CLASSES[Math.floor(status / 100) - 1]!, requests: 1 });
  }

  /** Tells the board what it was not told yet. Never rejects; what may have been counted is not told again. */
  async tell(): Promise<void> {
    if (this.#untold.size === 0) return;
    const counted = [...this.#untold.values()];
    this.#untold = new Map();
    try {
      await sendJson(this.#board, PATH, counted, SILENCE_MS);
    } catch (error) {
      if (!(error instanceof NotSent || error instanceof QueueRefusal)) return;
      const oldest = Math.floor(this.#now().getTime() / SLOT_MS) - SLOTS;
      for (const one of counted) if (one.slot > oldest) this.#add(one);
    }
  }

  /** The last 24 hours; null if the board does not answer. */
  async report(): Promise<TrafficReport | null> {
    await this.tell();
    try {
      const { since, counted } = await readJson<{ since: string; counted: Omit<Counted, 'slot'>[] }>(this.#board, PATH);
      const of = (door: string, name: string) =>
        counted.find((one) => one.door === door && one.status === name)?.requests ?? 0;
      const doors = TRAFFIC_DOORS.map((door) => {
        const statuses = STATUS_CLASSES.map((name) => [name, of(door, name)] as const);
        return {
          door,
          requests: statuses.reduce((sum, [, requests]) => sum + requests, 0),
          statuses: Object.fromEntries(statuses) as TrafficReport['doors'][number]['statuses'],
        };
      });
      return { since, requests: doors.reduce((sum, { requests }) => sum + requests, 0), doors };
    } catch {
      return null;
    }
  }

  #add(counted: Counted): void {
    const name = `${counted.slot} ${counted.door} ${counted.status}`;
    const known = this.#untold.get(name);
    if (known === undefined) this.#untold.set(name, { ...counted });
    else known.requests += counted.requests;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.tell();
  }
}
