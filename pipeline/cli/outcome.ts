import { CommanderError } from 'commander';
import { EXIT_CODES, type OutcomeCode } from '../../contract/run-outcomes.ts';
import { ConfigError } from '../../server-kit/config/config.ts';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { KeyFileFault } from '../../snapshot/format/versions/key-files.ts';
import { PipelineLocked } from '../lock.ts';
import { StageFault } from '../normalise/report.ts';
import { StoreFault } from '../object-store/layout.ts';
import { PublicationRefused } from '../publish/checks/gate.ts';
import { KeyChangeRefused } from '../publish/identity/signing-keys.ts';
import type { Published } from '../publish/publish.ts';
import { PullFault } from '../pull/downloader.ts';
import { SourceFault } from '../raw/fetch-log.ts';
import { WorkingDatabaseDamaged } from '../run/working-database.ts';
import { NoSpace } from '../space.ts';
import { UsageError } from './context.ts';

/** What `--json` states of every outcome. */
export interface Outcome {
  code: OutcomeCode;
  exitCode: number;
}

export function outcome(code: OutcomeCode): Outcome {
  return { code, exitCode: EXIT_CODES[code] };
}

/** Whether a new snapshot speaks for every registry as of its own attempt, or one is missing or kept from before. */
export function outcomeOfPublished({ manifest, unchangedAt }: Published): Outcome {
  if (manifest.registries.some(({ degraded }) => degraded)) return outcome('PUBLISHED_DEGRADED');
  return outcome(unchangedAt === null ? 'PUBLISHED' : 'UNCHANGED');
}

/** The outcome of a failure, with its message for people. */
export function outcomeOfFailure(error: unknown): Outcome & { message: string } {
  return { ...outcome(codeOf(error)), message: messageOf(error) };
}

function codeOf(error: unknown): OutcomeCode {
  if (error instanceof CommanderError || error instanceof UsageError || error instanceof KeyChangeRefused)
    return 'WRONG_USAGE';
  if (error instanceof ConfigError || error instanceof KeyFileFault) return 'WRONG_SETTINGS';
  if (error instanceof PublicationRefused) return 'REFUSED';
  if (error instanceof PipelineLocked) return 'LOCKED';
  if (error instanceof NoSpace) return 'NO_SPACE';
  if (error instanceof WorkingDatabaseDamaged) return 'DATABASE_SET_ASIDE';
  if (error instanceof StageFault) return 'STAGE_FAILED';
  if (error instanceof PullFault) return 'PULL_FAILED';
  if (error instanceof StoreFault) return 'STORE_FAILED';
  if (error instanceof SnapshotFault) return 'SNAPSHOT_UNUSABLE';
  if (isOfSources(error)) return 'SOURCE_FAILED';
  return 'FAILED';
}

function isOfSources(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isOfSources);
  return error instanceof SourceFault;
}

/** Wrong words name the way to the right ones. Faults of our own kinds explain themselves; any other error is a defect and is shown with its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommanderError)
    return `${error.message.replace(/^error: /, '')}\n(--help lists commands and options)`;
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  const expected =
    error.constructor !== TypeError && error.constructor !== RangeError && error.constructor !== ReferenceError;
  return `${expected ? error.message : (error.stack ?? error.message)}${cause}`;
}
