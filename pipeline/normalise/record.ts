import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { RegistryId } from '../../contract/ids.ts';
import type {
  Publication,
  QuarantineReason,
  Registration,
  StatedIdentifier,
} from '../../snapshot/format/registration.ts';
import { excerptOf, MAX_RECORD_BYTES } from '../raw/slice.ts';

/** Raise it whenever the same payload would give other rows: every record is then read again. */
export const NORMALISER_VERSION = 8;

export interface NormaliseContext {
  /** Day (YYYY-MM-DD) on which statuses are derived from dates. */
  asOf: string;
  /** Hash of the payload, if the caller has it already. */
  payloadSha256?: string;
}

/** As-of days for which a record gives the same row: from the one on, until the day before the other. */
export interface ValidDays {
  from: string;
  until: string;
}

/** Of a row in which nothing follows from the as-of day. */
export const EVERY_DAY: ValidDays = { from: '0000-01-01', until: '9999-12-31' };

/** A field whose type is not the one that the registry documents. */
export interface FieldFault {
  /** Path without list positions, e.g. `protocolSection.designModule.phases[]`. */
  path: string;
  expected: string;
  found: string;
}

/** A record that was read. */
export interface NormalisedRecord {
  ok: true;
  registration: Registration;
  identifiers: StatedIdentifier[];
  publications: Publication[];
  /** Last update as sortable text (a day or an instant with nine fractional digits); empty when not stated. */
  updated: string;
  valid: ValidDays;
  /** Optional fields of an unexpected JSON or XML type; they read as null, and the raw payload still has them. */
  faults: FieldFault[];
}

/** A record that could not be read; it becomes a quarantine row once its file is known. */
export interface RejectedRecord {
  ok: false;
  id: string | null;
  reason: QuarantineReason;
  detail: string;
  excerpt: string;
}

export type Normaliser = (
  payload: Buffer,
  receivedAt: string,
  context: NormaliseContext,
) => NormalisedRecord | RejectedRecord;

/** The record cannot be used. Thrown inside a reader; `readingRecord` catches it. */
export class RecordFault extends Error {
  readonly reason: QuarantineReason;
  readonly id: string | null;

  constructor(reason: QuarantineReason, detail: string, id: string | null = null) {
    super(detail);
    this.name = 'RecordFault';
    this.reason = reason;
    this.id = id;
  }
}

/** SHA-256 of the payload bytes, lower-case hex. */
export function payloadSha256(payload: Buffer): string {
  return hash('sha256', payload, 'hex');
}

/** The payload as text without a byte order mark. Throws `too-large` or `not-utf8`. */
export function payloadText(payload: Buffer): string {
  if (payload.length > MAX_RECORD_BYTES) {
    throw new RecordFault('too-large', `payload of ${payload.length} bytes; at most ${MAX_RECORD_BYTES} are read`);
  }
  if (!isUtf8(payload)) throw new RecordFault('not-utf8', 'payload is not valid UTF-8');
  const text = payload.toString('utf8');
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** Runs a reader and turns its RecordFault into a rejected record; any other error is a defect and passes through. */
export function readingRecord<T>(payload: Buffer, read: () => T): T | RejectedRecord {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error;
    return { ok: false, id: error.id, reason: error.reason, detail: error.message, excerpt: excerptOf(payload) };
  }
}

const REGISTRY_PAGES: Record<RegistryId, string> = {
  clinicaltrials_gov: 'https://clinicaltrials.gov/study/',
  isrctn: 'https://www.isrctn.com/',
};

/** The record's own page at its registry. */
export function registrationUrl(registry: RegistryId, id: string): string {
  return REGISTRY_PAGES[registry] + id;
}
