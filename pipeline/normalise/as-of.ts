import type { FetchLog } from '../raw/fetch-log.ts';
import { StageFault } from './report.ts';
import { readDate } from './values.ts';

/**
 * The newest day that the raw sets state, so that the same sets give the same rows on any day. A live set states the day
 * of its data, else the day it was fetched; a dump may be read long after it was made, and its fetch log has its day.
 * Throws when no set states one.
 */
export function dayOfSets(logs: readonly FetchLog[]): string {
  const days = logs.flatMap(({ dataTimestamp, dumpDay, finishedAt }) => {
    const date = readDate(dataTimestamp ?? dumpDay?.day ?? finishedAt);
    return date?.precision === 'day' ? [date.date] : [];
  });
  const newest = days.sort().at(-1);
  if (newest !== undefined) return newest;
  throw new StageFault('normalise', 'bad-input', null, 'no raw set states a date; pass the as-of day (YYYY-MM-DD)');
}
