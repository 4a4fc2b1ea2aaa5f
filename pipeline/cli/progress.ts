import cliProgress from 'cli-progress';
import type { ProgressEvent } from '../effects.ts';

export interface ProgressReporter {
  event(event: ProgressEvent): void;
  stop(): void;
}

/** At most one plain line per second and label; the first and the last event of each are always written. */
const LINE_EVERY_MS = 1000;
const NAME_WIDTH = 28;

/** Shows progress on standard error: bars on a terminal, plain lines elsewhere, nothing when the output is for a machine. */
export function progressReporter(kind: 'bars' | 'lines' | 'none'): ProgressReporter {
  if (kind === 'bars') return bars();
  return { event: kind === 'lines' ? lines() : () => {}, stop: () => {} };
}

/** One bar for each piece of work that is under way; a finished one becomes a line above them, so that the bars stay in one place. */
function bars(): ProgressReporter {
  const format = '{name} [{bar}] {value}/{total} {unit}, {left} left';
  const multi = new cliProgress.MultiBar(
    { format, stream: process.stderr, hideCursor: true, clearOnComplete: true, noTTYOutput: false, autopadding: true },
    cliProgress.Presets.legacy,
  );
  const running = new Map<string, { bar: cliProgress.SingleBar; from: number; last: ProgressEvent }>();
  const finish = (name: string): void => {
    const { bar, from, last } = running.get(name)!;
    running.delete(name);
    multi.remove(bar);
    multi.log(`${name.padEnd(NAME_WIDTH)} ${last.done} ${last.unit} in ${seconds(Date.now() - from)}\n`);
  };
  return {
    event(event) {
      const { stage, label, done, total, unit } = event;
      // Tables are counted over their stage; each other label counts for itself.
      const name = unit === 'tables' ? stage : `${stage} ${label}`;
      // A stage begins when the one before it is done, whatever that had counted.
      for (const [other, { last }] of running) if (last.stage !== stage) finish(other);
      const known = running.get(name);
      const from = known?.from ?? Date.now();
      // Where the total is not known, there is no time left to state.
      const left = total === null || done === 0 ? '?' : seconds(((Date.now() - from) * (total - done)) / done);
      const payload = { name: name.padEnd(NAME_WIDTH), unit, left };
      const bar = known?.bar ?? multi.create(total ?? done + 1, 0, payload);
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

function lines(): ProgressReporter['event'] {
  const written = new Map<string, number>();
  return ({ stage, label, done, total, unit }) => {
    const name = `${stage} ${label}`;
    const isLast = total !== null && done >= total;
    if (!isLast && Date.now() - (written.get(name) ?? 0) < LINE_EVERY_MS) return;
    written.set(name, Date.now());
    process.stderr.write(`${name}: ${done}${total === null ? '' : `/${total}`} ${unit}\n`);
  };
}
