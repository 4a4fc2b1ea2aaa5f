import { readFileSync } from 'node:fs';

/** Ticks of all cores since the machine started; in `taken` ticks the host ran something else although we had work. */
export interface HostTicks {
  taken: number;
  all: number;
}

const STAT = '/proc/stat';
/** Fields in the first line of /proc/stat (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal. */
const FIELDS = 8;
const STEAL = 7;

/** Null when the system does not tell. */
export function readHostTicks(): HostTicks | null {
  try {
    return hostTicksOf(readFileSync(STAT, 'utf8'));
  } catch {
    return null;
  }
}

export function hostTicksOf(stat: string): HostTicks | null {
  const ticks = /^cpu +([\d ]+)$/m.exec(stat)?.[1]?.trim().split(' ').slice(0, FIELDS).map(Number);
  if (ticks?.length !== FIELDS) return null;
  return { taken: ticks[STEAL]!, all: ticks.reduce((sum, some) => sum + some, 0) };
}

/** Share of the cores' time that the host took between two readings, 0 to 1; null when unknown. */
export function takenShare(before: HostTicks | null, after: HostTicks | null): number | null {
  if (before === null || after === null || after.all <= before.all) return null;
  return (after.taken - before.taken) / (after.all - before.all);
}
