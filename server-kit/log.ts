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

/** What pino writes to: holds lines back and writes them together, as many as fit into `most` bytes. */
export class LinesTogether implements DestinationStream {
  readonly [METADATA] = true;
  lastLevel = 0;
  readonly #to: { write(lines: string): unknown; flushSync(): void };
  readonly #most: number;
  #lines = '';
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(to: { write(lines: string): unknown; flushSync(): void }, most: number) {
    this.#to = to;
    this.#most = most;
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#most) this.flush();
    this.#lines += line;
    this.#bytes += bytes;
    if (this.lastLevel >= AT_ONCE_FROM_LEVEL) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushInTime(), WAIT_MS).unref();
  }

  flush(): void {
    if (this.#bytes > 0) this.#to.write(this.#lines);
    this.#lines = '';
    this.#bytes = 0;
  }

  /** pino calls this after a fatal line. */
  flushSync(): void {
    this.flush();
    this.#to.flushSync();
  }

  #flushInTime(): void {
    this.#timer = null;
    this.flush();
  }
}

/** The log of a server on standard output. */
export function serverLog(level: string): Logger {
  const output = pino.destination({ dest: STANDARD_OUTPUT, sync: true });
  const together = new LinesTogether(output, TOGETHER_BYTES);
  process.on('exit', () => together.flush());
  return pino({ level }, together);
}
