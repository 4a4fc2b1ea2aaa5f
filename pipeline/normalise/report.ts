import type { RegistryId } from '../../contract/ids.ts';
import type { QuarantineReason } from '../../snapshot/format/registration.ts';
import type { FieldFault } from './record.ts';

/** `read = kept + superseded + quarantined`, and `kept = normalised + unchanged`. */
export interface RegistryReport {
  registry: RegistryId;
  /** `unanswered`: there is no raw set, so nothing is known about the registry. */
  state: 'answered' | 'unanswered';
  /** Records of the raw sets, bad ones included, and published records that were kept instead of an older version. */
  read: number;
  /** Registrations in the tables afterwards. */
  kept: number;
  /** Kept registrations that were read in this run. */
  normalised: number;
  /** Kept registrations with the payload and normaliser of the last run, whose rows stayed. */
  unchanged: number;
  /** Records replaced by a newer or repeated record of the same id. */
  superseded: number;
  /** Kept rows of a CSV export that replaced a whole record of the same id, since their day is later. */
  rowsForRecords: string[];
  /** Registrations of the last run that the raw sets no longer hold. */
  removed: number;
  quarantined: number;
  quarantinedByReason: Partial<Record<QuarantineReason, number>>;
  /** Dates of the kept registrations that are stated and cannot be read; `date_notes` has each. */
  unreadableDates: number;
  /** Optional fields of an unexpected type in the records read in this run, most frequent first, at most 20. */
  oddFields: (FieldFault & { count: number })[];
  seconds: number;
}

export interface NormaliseReport {
  /** Day at which ISRCTN statuses were derived. */
  asOf: string;
  asOfFrom: 'given' | 'inputs';
  normaliserVersion: number;
  registries: RegistryReport[];
  parts: { written: number; rewritten: number; removed: number };
  seconds: number;
}

/** A stage stopped before it changed anything; the message says what to do. */
export class StageFault extends Error {
  readonly stage: string;
  readonly code: 'too-many-quarantined' | 'empty-set' | 'open-set' | 'bad-input';
  readonly registry: RegistryId | null;

  constructor(stage: string, code: StageFault['code'], registry: RegistryId | null, message: string) {
    super(message);
    this.name = 'StageFault';
    this.stage = stage;
    this.code = code;
    this.registry = registry;
  }
}

/** The report of a registry before anything is read. */
export function emptyReport(registry: RegistryId, state: RegistryReport['state']): RegistryReport {
  return {
    registry,
    state,
    read: 0,
    kept: 0,
    normalised: 0,
    unchanged: 0,
    superseded: 0,
    rowsForRecords: [],
    removed: 0,
    quarantined: 0,
    quarantinedByReason: {},
    unreadableDates: 0,
    oddFields: [],
    seconds: 0,
  };
}

const MAX_QUARANTINED_SHARE = 0.01;
/** Keeps one bad record from stopping a small set. */
const QUARANTINED_ALWAYS_ALLOWED = 10;

/** Throws when more than 1 % of a registry's records, and more than 10, could not be read. */
export function assertFewQuarantined(report: RegistryReport): void {
  const { read, registry } = report;
  const { 'older-than-published': older = 0 } = report.quarantinedByReason;
  const quarantined = report.quarantined - older;
  if (quarantined <= QUARANTINED_ALWAYS_ALLOWED || quarantined <= read * MAX_QUARANTINED_SHARE) return;
  const reasons = Object.entries(report.quarantinedByReason)
    .filter(([reason]) => reason !== 'older-than-published')
    .sort(([, left], [, right]) => right - left)
    .slice(0, 3)
    .map(([reason, count]) => `${reason} ${count}`);
  throw new StageFault(
    'normalise',
    'too-many-quarantined',
    registry,
    `${registry}: ${quarantined} of ${read} records cannot be read (${reasons.join(', ')}), more than 1 %; ` +
      'nothing was changed. Look at the raw files for a changed format, or fetch the set again',
  );
}
