import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** In the snapshots directory: one line when a run begins and one when it ends, oldest first. */
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

const endSchema = z.strictObject({
  event: z.literal('end'),
  run: z.string(),
  at: z.iso.datetime(),
  code: z.string(),
  exitCode: z.int(),
  /** Null after a success. */
  message: z.string().nullable(),
  /** In their order; a stage that failed is the last. */
  stages: z.array(z.strictObject({ stage: z.string(), seconds: z.number() })),
  /** Records that were read of each registry, null for one unanswered, and trials in the tables; null after a failure. */
  rows: z.strictObject({ read: z.record(z.string(), z.int().nullable()), trials: z.int() }).nullable(),
  /** The version that is served after the run, its bytes, and its checks by verdict; null after a failure. */
  published: z.strictObject({ version: z.string(), bytes: z.int(), checks: z.record(z.string(), z.int()) }).nullable(),
});

const lineSchema = z.discriminatedUnion('event', [beginSchema, endSchema]);
export type RunLine = z.infer<typeof lineSchema>;
export type RunBegin = z.infer<typeof beginSchema>;
export type RunEnd = z.infer<typeof endSchema>;

/** One run; `end` is null while it is under way, or after it was killed. */
export interface RunRow extends Omit<RunBegin, 'event'> {
  end: Omit<RunEnd, 'event' | 'run'> | null;
  /** `killed`: it told no end, and another run has begun since; `open`: it is under way, or was killed. */
  state: 'ended' | 'killed' | 'open';
}

/** Runs, newest first. A line that a kill or a full disk cut short is left out. */
export async function readRunLog(snapshotsDir: string): Promise<RunRow[]> {
  const text = await readFile(join(snapshotsDir, RUN_LOG_FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return runsOf(text.split('\n').flatMap(lineOf));
}

function lineOf(text: string): RunLine[] {
  try {
    return [lineSchema.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}

function runsOf(lines: readonly RunLine[]): RunRow[] {
  const runs = new Map<string, RunRow>();
  for (const line of lines) {
    if (line.event === 'begin') {
      const { event: _event, ...begin } = line;
      // Runs take turns, so that an earlier one without an end was killed.
      for (const earlier of runs.values()) if (earlier.state === 'open') earlier.state = 'killed';
      runs.set(line.run, { ...begin, end: null, state: 'open' });
      continue;
    }
    const { event: _event, run, ...end } = line;
    const known = runs.get(run);
    if (known !== undefined) runs.set(run, { ...known, end, state: 'ended' });
  }
  return [...runs.values()].reverse();
}
