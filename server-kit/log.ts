import { type DestinationStream, type Logger, pino } from 'pino';

const STANDARD_OUTPUT = 1;
/** Lines that are written together: some forty requests, each of which would otherwise cost a write of its own. */
const TOGETHER_BYTES = 8192;
/** A line waits no longer than this for others. */
const WAIT_MS = 20;
/** Warnings, and whatever is worse, are written at once with all lines before them: they may be the last words of a process. */
const AT_ONCE_FROM_LEVEL = 40;

/** Asks pino to set `lastLevel` before each line. */
const METADATA: unique symbol = Symbol.for('pino.metadata');

/** What pino writes to: lines of a destination that holds them back until it is flushed. */
export class LinesTogether implements DestinationStream {
  readonly [METADATA] = true;
  lastLevel = 0;
  readonly #to: { write(line: string): unknown; flush(): void; flushSync(): void };
  #timer: NodeJS.Timeout | null = null;

  constructor(to: { write(line: string): unknown; flush(): void; flushSync(): void }) {
    this.#to = to;
  }

  write(line: string): void {
    this.#to.write(line);
    if (this.lastLevel >= AT_ONCE_FROM_LEVEL) this.#to.flush();
    else this.#timer ??= setTimeout(() => this.#flush(), WAIT_MS).unref();
  }

  /** pino calls this after a fatal line. */
  flushSync(): void {
    this.#to.flushSync();
  }

  #flush(): void {
    this.#timer = null;
    this.#to.flush();
  }
}

/** What Linux writes to a pipe in one piece: lines of several processes that share one then never mix. */
const PIPE_BYTES = 4096;

/** The log of a server on standard output, which it may share with others. */
export function serverLog(level: string, { isShared = false } = {}): Logger {
  const together = isShared ? { minLength: PIPE_BYTES / 2, maxWrite: PIPE_BYTES } : { minLength: TOGETHER_BYTES };
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: true, ...together });
  process.on('exit', () => output.flush());
  return pino({ level }, new LinesTogether(output));
}
