import { CommanderError } from 'commander';
import { EXIT_CODES, type OutcomeCode } from '../../contract/run-outcomes.ts';
import { ConfigError } from '../../server-kit/config/config.ts';
import { basisOf } from '../../snapshot/format/registry-answer.ts';
import { SnapshotFault } from '../../snapshot/format/versions/current.ts';
import { KeyFileFault } from '../../snapshot/format/versions/key-files.ts';
import type { Manifest, ManifestRegistry } from '../../snapshot/format/versions/manifest.ts';
import { PipelineLocked } from '../lock.ts';
import { StageFault } from '../normalise/report.ts';
import { PublicationRefused } from '../publish/checks/gate.ts';
import { KeyChangeRefused } from '../publish/identity/signing-keys.ts';
import type { Published } from '../publish/publish.ts';
import { PullFault, StoreFault } from '../pull/downloader.ts';
import { SourceFault } from '../raw/fetch-log.ts';
import { NoSpace } from '../space.ts';
import type { FetchOutcome } from './fetch-stage.ts';
import { WorkingDatabaseDamaged } from './working-database.ts';

/** Invalid command line; exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Stated by `--json` after every command that is recorded, and after every failure. */
export interface Outcome {
  code: OutcomeCode;
  exitCode: number;
}

export function outcome(code: OutcomeCode): Outcome {
  return { code, exitCode: EXIT_CODES[code] };
}

/** Degraded where a registry is missing in the snapshot or kept from before. */
export function outcomeOfPublished({ manifest, unchangedAt }: Published): Outcome {
  if (manifest.registries.some(({ degraded }) => degraded)) return outcome('PUBLISHED_DEGRADED');
  return outcome(unchangedAt === null ? 'PUBLISHED' : 'UNCHANGED');
}

type ErrorClass = abstract new (...given: never[]) => Error;

/** The first class that an error is of gives its code. */
const CODES: readonly (readonly [ErrorClass, OutcomeCode])[] = [
  [CommanderError, 'WRONG_USAGE'],
  [UsageError, 'WRONG_USAGE'],
  [KeyChangeRefused, 'WRONG_USAGE'],
  [ConfigError, 'WRONG_SETTINGS'],
  [KeyFileFault, 'WRONG_SETTINGS'],
  [PublicationRefused, 'REFUSED'],
  [PipelineLocked, 'LOCKED'],
  [NoSpace, 'NO_SPACE'],
  [WorkingDatabaseDamaged, 'DATABASE_SET_ASIDE'],
  [StageFault, 'STAGE_FAILED'],
  [PullFault, 'PULL_FAILED'],
  [StoreFault, 'STORE_FAILED'],
  [SnapshotFault, 'SNAPSHOT_UNUSABLE'],
  [SourceFault, 'SOURCE_FAILED'],
];

/** The outcome of a failure, with its message for people. */
export function outcomeOfFailure(error: unknown): Outcome & { message: string } {
  return { ...outcome(codeOf(error)), message: messageOf(error) };
}

function codeOf(error: unknown): OutcomeCode {
  const isOfSources = error instanceof AggregateError && error.errors.every((one) => one instanceof SourceFault);
  if (isOfSources && error.errors.length > 0) return 'SOURCE_FAILED';
  return CODES.find(([kind]) => error instanceof kind)?.[1] ?? 'FAILED';
}

/** Faults of our own kinds explain themselves; any other error is a defect and is printed with its stack. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommanderError)
    return `${error.message.replace(/^error: /, '')}\n(--help lists commands and options)`;
  const cause = error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
  const isDefect = [TypeError, RangeError, ReferenceError].some((kind) => error.constructor === kind);
  return `${isDefect ? (error.stack ?? error.message) : error.message}${cause}`;
}

/** The reason why a version with equal content was published; null for new content. */
export function replacedWords({ replaced }: Published): string | null {
  if (replaced === null) return null;
  const { version, damaged, differing } = replaced;
  const why =
    damaged.length > 0
      ? `${damaged.join(', ')} of ${version} is damaged`
      : `the image that was made now has other bytes than that of ${version} (${differing.join(', ')})`;
  return `nothing new, but ${why}, so it was published anew`;
}

/** The registries that are missing or kept, why, and whether a version was published; null where every one is whole. */
export function degradedWords({ manifest, unchangedAt }: Published, fetched: readonly FetchOutcome[]): string | null {
  const degraded = manifest.registries.filter((one) => one.degraded);
  if (degraded.length === 0) return null;
  const lines = degraded.map((one) => {
    const error = fetched.find(({ registry }) => registry === one.registry)?.error ?? null;
    return `${degradedWord(one, manifest)}${error === null ? '' : `: ${error}`}`;
  });
  return [...(unchangedAt === null ? [] : [`nothing new: ${manifest.version} stays served`]), ...lines].join('\n');
}

/** Name of a degraded registry, and why it is. */
export function degradedWord(one: ManifestRegistry, manifest: Manifest): string {
  return `${one.registry} (${basisOf(one, manifest).answer}): ${one.degradedReason}`;
}

export function databaseMadeAgain(setAside: string): string {
  return `the working database was damaged and made again; the old one is ${setAside}, which may be removed`;
}
