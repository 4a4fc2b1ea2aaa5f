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

const NAME_WIDTH = 28;
const nameOf = ({ stage, label }: ProgressEvent): string => `${stage} ${label}`;
/** Tables are counted over their stage; each other label counts for itself. */
const barOf = (event: ProgressEvent): string => (event.unit === 'tables' ? event.stage : nameOf(event));

/**
 * One bar for each piece of work that is under way; a finished one becomes a line above them, so that the bars stay in
 * one place. Where the total is not known there is no time left to tell.
 */
function bars(): ProgressReporter {
  const multi = new cliProgress.MultiBar(
    {
      format: '{name} [{bar}] {value}/{total} {unit}, {left} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      noTTYOutput: false,
      autopadding: true,
    },
    cliProgress.Presets.legacy,
  );
  const running = new Map<string, { bar: cliProgress.SingleBar; from: number; last: ProgressEvent }>();
  const finish = (name: string): void => {
    const held = running.get(name);
    if (held === undefined) return;
    running.delete(name);
    multi.remove(held.bar);
    const { done, unit } = held.last;
    multi.log(`${name.padEnd(NAME_WIDTH)} ${done} ${unit} in ${seconds(Date.now() - held.from)}\n`);
  };
  return {
    event(event) {
      const name = barOf(event);
      // A stage begins when the one before it is done, whatever that had counted.
      for (const [other, { last }] of running) if (last.stage !== event.stage) finish(other);
      const { done, total, unit } = event;
      const held = running.get(name);
      const from = held?.from ?? Date.now();
      const left = total === null || done === 0 ? '?' : seconds(((Date.now() - from) * (total - done)) / done);
      const payload = { name: name.padEnd(NAME_WIDTH), unit, left };
      const bar = held?.bar ?? multi.create(total ?? done + 1, 0, payload);
      running.set(name, { bar, from, last: event });
      bar.setTotal(Math.max(total ?? done + 1, done, 1));
      bar.update(done, payload);
      if (total !== null && done >= total) finish(name);
    },
    stop() {
      for (const [name, { last }] of [...running]) if (last.total === null) finish(name);
      multi.update();
      multi.stop();
    },
  };
}

function seconds(milliseconds: number): string {
  const whole = Math.ceil(milliseconds / 1000);
  return whole < 120 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
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
