import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { checkResultSchema } from './manifest.ts';

/** In the snapshots directory: a line when a run begins, one as each stage begins and one when it ends, oldest first. */
export const RUN_LOG_FILE = 'runs.jsonl';

const programSchema = z.strictObject({
  version: z.string(),
  /** Null outside a repository. */
  commit: z.string().nullable(),
  node: z.string(),
  duckdb: z.string(),
});

const beginSchema = z.strictObject({
  event: z.literal('begin'),
  run: z.string(),
  at: z.iso.datetime(),
  command: z.string(),
  /** Paths by their last part. */
  arguments: z.array(z.string()),
  program: programSchema,
});

/** A stage of the run has begun. */
const stageSchema = beginSchema.pick({ run: true, at: true }).extend({ event: z.literal('stage'), stage: z.string() });

/** What the publication gate found in a run that reached it. */
const gateSchema = z.strictObject({
  checks: z.array(
    checkResultSchema.extend({
      /** `refused`: above the limit and not accepted, so that nothing was published. */
      verdict: z.enum([...checkResultSchema.shape.verdict.options, 'refused']),
    }),
  ),
  /** Names of the breaches that the operator accepted, and why. */
  accepted: z.array(z.string()),
  reason: z.string().nullable(),
});
export type RunGate = z.infer<typeof gateSchema>;

const endSchema = z.strictObject({
  event: z.literal('end'),
  run: z.string(),
  at: z.iso.datetime(),
  code: z.string(),
  exitCode: z.int(),
  /** Why it failed, or what a command without stages did; else null. */
  message: z.string().nullable(),
  /** In their order; a stage that failed is the last. */
  stages: z.array(z.strictObject({ stage: z.string(), seconds: z.number() })),
  /** Records that were read of each registry, null for one unanswered, and trials in the tables; null after a failure. */
  rows: z.strictObject({ read: z.record(z.string(), z.int().nullable()), trials: z.int() }).nullable(),
  /** The version that is served after the run, and its bytes; null after a failure. */
  published: z.object({ version: z.string(), bytes: z.int() }).nullable(),
  /** Null where the gate was not reached. */
  gate: gateSchema.nullable(),
});

/** A line of the file. */
export const runLineSchema = z.discriminatedUnion('event', [beginSchema, stageSchema, endSchema]);
export type RunLine = z.infer<typeof runLineSchema>;
export type RunBegin = z.infer<typeof beginSchema>;
export type RunEnd = z.infer<typeof endSchema>;

/** One run; `end` is null while it is under way, or after it was killed. */
export interface RunRow extends Omit<RunBegin, 'event'> {
  end: Omit<RunEnd, 'event' | 'run'> | null;
  /** The stage that began last; null before the first. */
  stage: string | null;
  /** `killed`: it stated no end, and another run has begun since; `open`: it is under way, or was killed. */
  state: 'ended' | 'killed' | 'open';
}

/** The runs of these lines, newest first. A run whose begin is not among them is left out. */
export function runsOf(lines: readonly RunLine[]): RunRow[] {
  const runs = new Map<string, RunRow>();
  for (const line of lines) {
    const known = runs.get(line.run);
    if (line.event === 'begin') {
      const { event: _event, ...begin } = line;
      // Runs take turns, so that an earlier one without an end was killed.
      for (const earlier of runs.values()) if (earlier.state === 'open') earlier.state = 'killed';
      runs.set(line.run, { ...begin, end: null, stage: null, state: 'open' });
    } else if (line.event === 'stage' && known !== undefined) {
      known.stage = line.stage;
    } else if (line.event === 'end' && known !== undefined) {
      const { event: _event, run: _run, ...end } = line;
      Object.assign(known, { end, state: 'ended' });
    }
  }
  return [...runs.values()].reverse();
}

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

/** The record of runs in a directory of snapshots. Read again whenever the file is another. */
export class RunLog {
  readonly #path: string;
  #held: RunRecords | null = null;
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
    if (this.#held?.fingerprint !== fingerprint) this.#held = { ...(await recordsIn(file, size)), fingerprint };
    return this.#held;
  }
}

/** The runs of a record that is read once, newest first; none where there is no record. */
export async function readRunLog(snapshotsDir: string): Promise<readonly RunRow[]> {
  return (await new RunLog(snapshotsDir).read())?.runs ?? [];
}

async function recordsIn(file: FileHandle, size: number): Promise<Omit<RunRecords, 'fingerprint'>> {
  const from = Math.max(0, size - TAIL_BYTES);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(size - from), position: from });
  const texts = buffer.toString('utf8', 0, bytesRead).split('\n');
  // In the middle of a file, the text before the first line break is the end of a line.
  if (from > 0) texts.shift();
  const lines: RunLine[] = [];
  let unreadableLines = 0;
  for (const [place, text] of texts.entries()) {
    if (place % LINES_A_TURN === LINES_A_TURN - 1) await nextTurn();
    const line = lineOf(text);
    if (line !== null) lines.push(line);
    // The last line may be half written.
    else if (text.trim() !== '' && place < texts.length - 1) unreadableLines += 1;
  }
  return { runs: runsOf(lines), unreadableLines, cut: from > 0 };
}

function lineOf(text: string): RunLine | null {
  try {
    return runLineSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
