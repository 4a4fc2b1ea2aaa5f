import type { z } from 'zod';
import { REGISTRY_IDS } from '../contract/ids.ts';
import { nextOf, outcomeOf, RUN_OUTCOMES } from '../contract/run-outcomes.ts';
import type { pipelineRunDetailSchema, pipelineRunSchema } from '../contract/schemas/trials/pipeline-run.ts';
import type { RunEnd, RunRow } from '../snapshot/format/versions/run-log.ts';
import { withBaseNames } from '../snapshot/format/words/base-names.ts';

/** Shown of a message; the record has all of it. */
const MESSAGE_CHARACTERS = 8_000;

/** A run as the public may see it. */
export function presentRun(row: RunRow): z.output<typeof pipelineRunSchema> {
  const { run, at, command, program, end } = row;
  const outcome = outcomeOf(row);
  const { meaning } = RUN_OUTCOMES[outcome];
  return {
    ...{ run, command, arguments: row.arguments.map(withBaseNames), startedAt: at },
    endedAt: end?.at ?? null,
    seconds: end === null ? null : secondsBetween(at, end.at),
    ...{ outcome, exitCode: end?.exitCode ?? null, meaning },
    message: messageOf(row),
    next: nextOf(outcome, row.arguments),
    stages: end?.stages ?? [],
    rows: end?.rows == null ? null : rowsOf(end.rows),
    served: end?.published == null ? null : { version: end.published.version, bytes: end.published.bytes },
    checks: end === null ? null : verdictsOf(end),
    program,
  };
}

export function presentRunDetail(row: RunRow): z.output<typeof pipelineRunDetailSchema> {
  const gate = row.end?.gate ?? null;
  const reason = gate === null || gate.reason === null ? null : withBaseNames(gate.reason);
  return { ...presentRun(row), gate: gate && { ...gate, reason } };
}

/** Of a run that stated no end, the stage that it began last. */
function messageOf({ end, stage }: RunRow): string | null {
  if (end === null) return stage === null ? null : `It was in the stage ${stage}.`;
  return end.message === null ? null : shortened(withBaseNames(end.message));
}

/** At least 0: the clock may have been set back. */
function secondsBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}

function shortened(text: string): string {
  return text.length <= MESSAGE_CHARACTERS ? text : `${text.slice(0, MESSAGE_CHARACTERS).toWellFormed()}…`;
}

function rowsOf({ read, trials }: NonNullable<RunEnd['rows']>) {
  const registries = REGISTRY_IDS.filter((registry) => registry in read);
  return { registries: registries.map((registry) => ({ registry, read: read[registry] ?? null })), trials };
}

function verdictsOf({ gate }: Pick<RunEnd, 'gate'>) {
  if (gate === null) return null;
  const count = (verdict: string): number => gate.checks.filter((check) => check.verdict === verdict).length;
  return {
    passed: count('passed'),
    accepted: count('accepted'),
    refused: count('refused'),
    notCompared: count('not-compared'),
  };
}
