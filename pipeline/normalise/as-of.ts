import type { FetchLog } from '../raw/fetch-log.ts';
import { StageFault } from './report.ts';
import { readDate } from './values.ts';

function dayOf(instant: string | null): string | null {
  const date = readDate(instant);
  return date?.precision === 'day' ? date.date : null;
}

/**
 * The newest day that the inputs themselves state, so that the same inputs give the same rows on any day. A live set
 * states the day of its data, else the day it was fetched. A dump may be read long after it was made: its fetch log has its
 * day. Sets from before fetch logs had one go by the newest update among their records, unless that lies after the import.
 */
export class AsOfTracker {
  #newest: string | null = null;

  /** Notes a set before its records are read. Returns what is to be called with each record's update time. */
  begin(log: FetchLog): (updated: string) => void {
    const finished = dayOf(log.finishedAt);
    const stated = dayOf(log.dataTimestamp);
    if (stated !== null) this.#note(stated);
    if (log.source === 'live') {
      if (stated === null) this.#note(finished);
      return () => undefined;
    }
    if (log.dumpDay !== undefined) {
      this.#note(log.dumpDay.day);
      return () => undefined;
    }
    return (updated) => {
      const day = updated.slice(0, 10);
      if (day.length === 10 && (finished === null || day <= finished)) this.#note(day);
    };
  }

  #note(day: string | null): void {
    if (day !== null && (this.#newest === null || day > this.#newest)) this.#newest = day;
  }

  /** The newest day noted. Throws when the inputs state none. */
  day(): string {
    if (this.#newest === null) {
      throw new StageFault('normalise', 'bad-input', null, 'no raw set states a date; pass the as-of day (YYYY-MM-DD)');
    }
    return this.#newest;
  }
}
