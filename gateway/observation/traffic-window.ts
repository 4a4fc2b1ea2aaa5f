import { TRAFFIC_HOURS } from '../../contract/limits/limits.ts';
import { STATUS_CLASSES, TRAFFIC_DOORS } from '../../contract/operations/board/scoreboard.ts';

export type TrafficDoor = (typeof TRAFFIC_DOORS)[number];
type StatusClass = (typeof STATUS_CLASSES)[number];

export interface Traffic {
  since: Date;
  requests: number;
  doors: { door: TrafficDoor; requests: number; statuses: Record<StatusClass, number> }[];
}

const MINUTE_MS = 60_000;
const MINUTES = TRAFFIC_HOURS * 60;
const CLASSES = STATUS_CLASSES.length;
const KINDS = TRAFFIC_DOORS.length * CLASSES;

/**
 * Requests of the last 24 hours by door and status class, to the minute; kept in memory, so counted since the start at
 * most.
 */
export class TrafficWindow {
  readonly #startedAt: Date;
  /** One row of counts for each minute, reused after 24 hours. */
  readonly #counts = new Uint32Array(MINUTES * KINDS);
  readonly #minutes = new Float64Array(MINUTES).fill(-1);

  constructor(startedAt: Date) {
    this.#startedAt = startedAt;
  }

  add(door: TrafficDoor, status: number, now: Date): void {
    const minute = minuteOf(now);
    const slot = minute % MINUTES;
    if (this.#minutes[slot] !== minute) {
      this.#minutes[slot] = minute;
      this.#counts.fill(0, slot * KINDS, (slot + 1) * KINDS);
    }
    const at = slot * KINDS + TRAFFIC_DOORS.indexOf(door) * CLASSES + Math.floor(status / 100) - 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
  }

  /** Totals of the current minute and the 1,439 before it. */
  last24Hours(now: Date): Traffic {
    const newest = minuteOf(now);
    const totals = new Float64Array(KINDS);
    for (let slot = 0; slot < MINUTES; slot++) {
      const minute = this.#minutes[slot] as number;
      if (minute < 0 || minute > newest || minute <= newest - MINUTES) continue;
      for (let kind = 0; kind < KINDS; kind++) {
        totals[kind] = (totals[kind] as number) + (this.#counts[slot * KINDS + kind] as number);
      }
    }
    const windowStart = (newest - MINUTES + 1) * MINUTE_MS;
    const doors = TRAFFIC_DOORS.map((door, place) => {
      const own = [...totals.subarray(place * CLASSES, (place + 1) * CLASSES)];
      const statuses = Object.fromEntries(STATUS_CLASSES.map((name, at) => [name, own[at]]));
      return { door, requests: sum(own), statuses: statuses as Record<StatusClass, number> };
    });
    return {
      since: new Date(Math.max(this.#startedAt.getTime(), windowStart)),
      requests: sum(doors.map(({ requests }) => requests)),
      doors,
    };
  }
}

function minuteOf(instant: Date): number {
  return Math.floor(instant.getTime() / MINUTE_MS);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
