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
const stageSchema = z.strictObject({
  event: z.literal('stage'),
  run: z.string(),
  at: z.iso.datetime(),
  stage: z.string(),
});

/** A command that was refused before it began, because of its words or because of another run. */
const turnedAwaySchema = beginSchema.extend({
  event: z.literal('turned-away'),
  code: z.string(),
  exitCode: z.int(),
  message: z.string(),
});

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
  /** The version that is served after the run, its bytes, and its checks by verdict; null after a failure. */
  published: z.strictObject({ version: z.string(), bytes: z.int(), checks: z.record(z.string(), z.int()) }).nullable(),
  /** Null where the gate was not reached; absent in older lines. */
  gate: gateSchema.nullable().optional(),
});

/** A line of the file. */
export const runLineSchema = z.discriminatedUnion('event', [beginSchema, stageSchema, endSchema, turnedAwaySchema]);
export type RunLine = z.infer<typeof runLineSchema>;
export type RunBegin = z.infer<typeof beginSchema>;
export type RunEnd = z.infer<typeof endSchema>;

/** One run; `end` is null while it is under way, or after it was killed. */
export interface RunRow extends Omit<RunBegin, 'event'> {
  end: Omit<RunEnd, 'event' | 'run'> | null;
  /** The stage that began last; null before the first, and in records of before stages were written as they begin. */
  stage: string | null;
  /**
   * `killed`: it told no end, and another run has begun since; `open`: it is under way, or was killed; `turned-away`: it never
   * began.
   */
  state: 'ended' | 'killed' | 'open' | 'turned-away';
}

/** The runs of these lines, newest first. A run whose begin is not among them is left out. */
export function runsOf(lines: readonly RunLine[]): RunRow[] {
  const runs = new Map<string, RunRow>();
  for (const line of lines) {
    if (line.event === 'begin') {
      const { event: _event, ...begin } = line;
      // Runs take turns, so that an earlier one without an end was killed.
      for (const earlier of runs.values()) if (earlier.state === 'open') earlier.state = 'killed';
      runs.set(line.run, { ...begin, end: null, stage: null, state: 'open' });
      continue;
    }
    if (line.event === 'turned-away') {
      const { event: _event, code, exitCode, message, ...begin } = line;
      const nothing = { stages: [], rows: null, published: null, gate: null };
      const end = { at: line.at, code, exitCode, message, ...nothing };
      runs.set(line.run, { ...begin, end, stage: null, state: 'turned-away' });
      continue;
    }
    if (line.event === 'stage') {
      const begun = runs.get(line.run);
      if (begun !== undefined) begun.stage = line.stage;
      continue;
    }
    const { event: _event, run, ...end } = line;
    const known = runs.get(run);
    if (known !== undefined) runs.set(run, { ...known, end, state: 'ended' });
  }
  return [...runs.values()].reverse();
}
