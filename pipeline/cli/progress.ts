import cliProgress from 'cli-progress';
import type { ProgressEvent } from '../effects.ts';

export interface ProgressReporter {
  event(event: ProgressEvent): void;
  stop(): void;
}

/** At most one plain line per second and label; the first and the last event of each are always written. */
const LINE_EVERY_MS = 1000;

/** Shows progress on standard error: bars on a terminal, plain lines elsewhere, nothing when the output is for a machine. */
export function progressReporter(kind: 'bars' | 'lines' | 'none', now: () => number): ProgressReporter {
  if (kind === 'none') return { event: () => {}, stop: () => {} };
  return kind === 'bars' ? bars() : lines(now);
}

const nameOf = ({ stage, label }: ProgressEvent): string => `${stage} ${label}`;

function bars(): ProgressReporter {
  const multi = new cliProgress.MultiBar(
    {
      format: '{name} [{bar}] {value}/{total} {unit}',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: false,
      noTTYOutput: false,
      autopadding: true,
    },
    cliProgress.Presets.legacy,
  );
  const known = new Map<string, cliProgress.SingleBar>();
  return {
    event(event) {
      const name = nameOf(event);
      const total = event.total ?? Math.max(event.done, 1);
      const payload = { name: name.padEnd(28), unit: event.unit };
      const bar = known.get(name) ?? multi.create(total, 0, payload);
      known.set(name, bar);
      bar.setTotal(Math.max(total, event.done));
      bar.update(event.done, payload);
    },
    stop: () => multi.stop(),
  };
}

function lines(now: () => number): ProgressReporter {
  const told = new Map<string, number>();
  return {
    event(event) {
      const name = nameOf(event);
      const last = told.get(name);
      const finished = event.total !== null && event.done >= event.total;
      if (last !== undefined && !finished && now() - last < LINE_EVERY_MS) return;
      told.set(name, now());
      process.stderr.write(`${name}: ${event.done}${event.total === null ? '' : `/${event.total}`} ${event.unit}\n`);
    },
    stop: () => {},
  };
}
