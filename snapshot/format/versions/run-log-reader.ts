import { open } from 'node:fs/promises';
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

/** The record of runs, which is read again where the file changed, and of which at most the end is read. */
export class RunLog {
  readonly #path: string;
  #records: RunRecords | null = null;
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
    if (file === null) return null;
    await using _closed = file;
    const { ino, size, mtimeMs } = await file.stat();
    const fingerprint = `${ino} ${size} ${mtimeMs}`;
    if (this.#records?.fingerprint === fingerprint) return this.#records;
    const from = Math.max(0, size - TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const found = await linesIn(buffer.toString('utf8', 0, bytesRead), from > 0);
    this.#records = { ...found, cut: from > 0, fingerprint };
    return this.#records;
  }
}

/** The runs of a record that is read once, newest first; none where there is no record. */
export async function readRunLog(snapshotsDir: string): Promise<readonly RunRow[]> {
  return (await new RunLog(snapshotsDir).read())?.runs ?? [];
}

async function linesIn(text: string, isCut: boolean): Promise<Pick<RunRecords, 'runs' | 'unreadableLines'>> {
  // In the middle of a file, the text before the first line break is the end of a line.
  const texts = text.split('\n').slice(isCut ? 1 : 0);
  const lines: RunLine[] = [];
  let unreadableLines = 0;
  for (const [place, one] of texts.entries()) {
    if (place % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn();
    const line = lineOf(one);
    if (line !== null) lines.push(line);
    // The last line may be half written.
    else if (one.trim() !== '' && place < texts.length - 1) unreadableLines += 1;
  }
  return { runs: runsOf(lines), unreadableLines };
}

function lineOf(text: string): RunLine | null {
  try {
    return runLineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
