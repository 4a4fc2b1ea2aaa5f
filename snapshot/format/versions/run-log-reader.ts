import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RUN_LOG_FILE, type RunLine, type RunRow, runLineSchema, runsOf } from './run-log.ts';

/** Read from the end of the file: the lines that the writer keeps are about half of it. */
const TAIL_BYTES = 8_000_000;
/** Lines that are parsed in one turn of the event loop: a few milliseconds at 10 kB a line. */
const LINES_A_TURN = 16;

export interface RunRecords {
  /** Newest first. */
  runs: readonly RunRow[];
  /** Lines that are no line of a run: cut by a kill or a full disk, or written by a newer program. */
  unreadableLines: number;
  /** Whether the file has older lines that were not read. */
  cut: boolean;
  /** Another one whenever the file is another. */
  fingerprint: string;
}

/** What was read of the file so far. Its last line is read again, because it may be half written. */
interface Held {
  records: RunRecords;
  inode: number;
  /** Where the last line begins. */
  lastLineAt: number;
  /** All lines before the last. */
  lines: readonly RunLine[];
  unreadable: number;
}

/** The record of runs. It reads what was added since the last time, and at most the end of the file. */
export class RunLog {
  readonly #path: string;
  #held: Held | null = null;
  #reading: Promise<RunRecords | null> | null = null;

  constructor(snapshotsDir: string) {
    this.#path = join(snapshotsDir, RUN_LOG_FILE);
  }

  /** Null where there is no record. Rejects if the file cannot be read. Callers at one time share one reading. */
  read(): Promise<RunRecords | null> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readNow(): Promise<RunRecords | null> {
    const file = await open(this.#path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (file === null) {
      this.#held = null;
      return null;
    }
    await using _closed = file;
    this.#held = await readOn(file, this.#held);
    return this.#held.records;
  }
}

/** The runs of a record that is read once, newest first; none where there is no record. */
export async function readRunLog(snapshotsDir: string): Promise<readonly RunRow[]> {
  return (await new RunLog(snapshotsDir).read())?.runs ?? [];
}

async function readOn(file: FileHandle, held: Held | null): Promise<Held> {
  const { ino: inode, size, mtimeMs } = await file.stat();
  const fingerprint = `${inode} ${size} ${mtimeMs}`;
  if (held?.records.fingerprint === fingerprint) return held;
  const known = held?.inode === inode && held.lastLineAt <= size && size - held.lastLineAt <= TAIL_BYTES ? held : null;
  const from = known?.lastLineAt ?? Math.max(0, size - TAIL_BYTES);
  const bytes = await readBytes(file, from, size - from);
  const lastLine = bytes.lastIndexOf('\n') + 1;
  const texts = bytes.toString('utf8').split('\n');
  // In the middle of a file, what stands before the first line break is the end of a line.
  if (known === null && from > 0) texts.shift();
  const lines = known === null ? [] : [...known.lines];
  let unreadable = known?.unreadable ?? 0;
  const last = texts.pop() ?? '';
  for (const [place, text] of texts.entries()) {
    if (place % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn();
    const line = lineOf(text);
    if (line !== null) lines.push(line);
    else if (text.trim() !== '') unreadable += 1;
  }
  const ending = lineOf(last);
  const runs = runsOf(ending === null ? lines : [...lines, ending]);
  const cut = known?.records.cut ?? from > 0;
  return {
    records: { runs, unreadableLines: unreadable, cut, fingerprint },
    inode,
    lastLineAt: from + lastLine,
    lines,
    unreadable,
  };
}

/** Fewer bytes where the file ends earlier. */
async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function lineOf(text: string): RunLine | null {
  try {
    return runLineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
