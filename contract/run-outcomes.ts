/** How a recorded command of the pipeline may end. A code never changes its meaning. */

export interface RunOutcome {
  /** Exit code of the process; null where it did not end by itself. */
  readonly exitCode: number | null;
  /** For people. */
  readonly meaning: string;
  /** What the operator does next; null where there is nothing to do. */
  readonly next: string | null;
}

const AGAIN = 'Run the same command again: what was stored is kept, and finished stages are not done twice.';

const ENDED = {
  PUBLISHED: { exitCode: 0, meaning: 'A new version is served.', next: null },
  UNCHANGED: {
    exitCode: 0,
    meaning: 'The registries were read and nothing was new, so the version before stays served.',
    next: null,
  },
  DONE: { exitCode: 0, meaning: 'The command did what it was asked.', next: null },
  PUBLISHED_DEGRADED: {
    exitCode: 3,
    meaning:
      'In the version that is served, which is new or was found unchanged, a registry is missing or kept from an earlier run.',
    next: 'The message names the registry and why. One that did not answer is asked again by the next run; `pipeline doctor` tells whether it answers now. One that the run was not given must be given (`--ctgov`, `--isrctn`, `--registry`).',
  },
  REFUSED: {
    exitCode: 4,
    meaning: 'The publication gate stopped the new version; the version before stays served.',
    next: 'Each breach tells what to do, or names records to look at. If they are wrong, mend the source and run again. If they are right, run again with the `--accept` that the message ends with.',
  },
  WRONG_USAGE: {
    exitCode: 2,
    meaning: 'The command line was wrong.',
    next: 'Correct the command; `--help` lists options.',
  },
  WRONG_SETTINGS: { exitCode: 2, meaning: 'A setting was wrong.', next: 'Correct the setting that the message names.' },
  LOCKED: {
    exitCode: 1,
    meaning: 'Another run was at work in the same folders.',
    next: 'Wait until that run has ended, then run again.',
  },
  SOURCE_FAILED: {
    exitCode: 1,
    meaning: 'A source could not be read; the version before stays served.',
    next: `\`pipeline doctor\` tells which source fails and how to mend it. ${AGAIN}`,
  },
  STAGE_FAILED: {
    exitCode: 1,
    meaning: 'What a stage read was not usable; the version before stays served.',
    next: `Mend what the message names. ${AGAIN}`,
  },
  SNAPSHOT_UNUSABLE: {
    exitCode: 1,
    meaning: 'A version on disk could not be used.',
    next: 'Do what the message names. `pipeline verify VERSION` tells whether a version is sound, and `pipeline current VERSION` serves it.',
  },
  PULL_FAILED: {
    exitCode: 1,
    meaning: 'A version could not be pulled from another service; what was served before stays served.',
    next: 'Do what the message names, or pull from another service. What was downloaded is kept: the same command goes on.',
  },
  STORE_FAILED: {
    exitCode: 1,
    meaning:
      'The store that machines share could not be read or written, or another publisher changed it meanwhile; what it named before still counts.',
    next: 'Do what the message names (where the store refuses or does not answer: SNAPSHOT_STORE, S3_ENDPOINT, S3_REGION, the S3 keys), then `pipeline store push`: a version that was published here is kept, and what the store has is not sent again.',
  },
  NO_SPACE: { exitCode: 1, meaning: 'A disk was full.', next: `Free the space that the message names. ${AGAIN}` },
  STOPPED: {
    exitCode: 130,
    meaning: 'It was stopped by Ctrl-C or SIGTERM (exit code 143). What was stored is kept.',
    next: AGAIN,
  },
  DATABASE_SET_ASIDE: {
    exitCode: 1,
    meaning: 'The working database was damaged and was set aside.',
    next: '`pipeline run` makes it anew from the raw sets.',
  },
  FAILED: {
    exitCode: 1,
    meaning: 'The run failed in a way that was not foreseen; the version before stays served.',
    next: `${AGAIN} If it fails again, report the message.`,
  },
} as const satisfies Record<string, RunOutcome>;
export type OutcomeCode = keyof typeof ENDED;

/** Runs of the record that stated no outcome. */
const WITHOUT_END = {
  KILLED: {
    exitCode: null,
    meaning: 'The run was killed: it stated no outcome, and another one has begun since. What was served stayed.',
    next: null,
  },
  OPEN: {
    exitCode: null,
    meaning: 'The run is under way, or was killed and none has begun since.',
    next: `If no run is under way: ${AGAIN[0]!.toLowerCase()}${AGAIN.slice(1)}`,
  },
} as const satisfies Record<string, RunOutcome>;

/** A dump fails again until it is mended, and the doctor asks live sources alone. */
const MEND_THE_DUMP =
  'Mend the file or the path that the message names: a run with the same dump fails again. What was stored is kept.';

/** What the operator does next after a command of these words; null where there is nothing to do. */
export function nextOf(code: RunOutcomeCode, words: readonly string[]): string | null {
  const isDump = words.some(
    (word, place) => word === '--source=dump' || (word === 'dump' && words[place - 1] === '--source'),
  );
  return code === 'SOURCE_FAILED' && isDump ? MEND_THE_DUMP : RUN_OUTCOMES[code].next;
}

/** Every outcome that a recorded run may have. */
export const RUN_OUTCOMES: Record<OutcomeCode | keyof typeof WITHOUT_END, RunOutcome> = { ...ENDED, ...WITHOUT_END };
export type RunOutcomeCode = keyof typeof RUN_OUTCOMES;
export const RUN_OUTCOME_CODES = Object.keys(RUN_OUTCOMES) as [RunOutcomeCode, ...RunOutcomeCode[]];

/** Exit code of the pipeline by the code that `--json` states. */
export const EXIT_CODES = Object.fromEntries(Object.entries(ENDED).map(([code, { exitCode }]) => [code, exitCode])) as {
  readonly [Code in OutcomeCode]: (typeof ENDED)[Code]['exitCode'];
};

/** Commands that are recorded: those that can change which version is served, which can be asked for, or which gc keeps. */
export const RECORDED_COMMANDS = ['run', 'schedule', 'publish', 'pull', 'current', 'gc', 'pin'] as const;
export type RecordedCommand = (typeof RECORDED_COMMANDS)[number];

/** The outcome of a run; a code that only a newer program knows counts by its exit code. */
export function outcomeOf({
  state,
  end,
}: {
  state: string;
  end: { code: string; exitCode: number } | null;
}): RunOutcomeCode {
  if (end === null) return state === 'killed' ? 'KILLED' : 'OPEN';
  if (Object.hasOwn(RUN_OUTCOMES, end.code)) return end.code as RunOutcomeCode;
  return end.exitCode === 0 ? 'DONE' : 'FAILED';
}
