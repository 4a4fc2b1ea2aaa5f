import type { RegistryId } from '../../../contract/ids.ts';
import { normaliseCtgov } from '../ctgov/ctgov.ts';
import type { FieldFault } from '../fields.ts';
import { normaliseIsrctn } from '../isrctn/isrctn.ts';
import type { StatusInputs } from '../isrctn/status.ts';
import {
  NORMALISER_VERSION,
  type NormaliseContext,
  type NormalisedRecord,
  payloadSha256,
  type RejectedRecord,
} from '../record.ts';
import { jsonLine } from './json-line.ts';

/** Whose payloads are read, and the day (YYYY-MM-DD) on which statuses are derived from dates. */
export interface BatchSource {
  registry: RegistryId;
  asOf: string;
}

/** Payloads of one registry, concatenated in one buffer. */
export interface PayloadBatch {
  bytes: Uint8Array<ArrayBuffer>;
  /** One for each payload; `end` is where its bytes end. */
  records: { seq: number; receivedAt: string; end: number }[];
}

/** The result for one payload; `known`: the payload need not be read again. */
export type Reading =
  | { kind: 'known'; sha256: string }
  | { kind: 'rejected'; rejected: RejectedRecord }
  | { kind: 'read'; sha256: string; id: string; updated: string; faults: FieldFault[] };

/** A batch that was read. */
export interface ReadBatch extends PayloadBatch {
  /** One for each payload; `ends` holds, for each of LINE_TABLES, where the payload's lines end in `lines`. */
  readings: { reading: Reading; ends: number[] }[];
  lines: Uint8Array<ArrayBuffer>;
}

/** One record of a batch; `lines` has an entry for each of LINE_TABLES, or is empty when the record was not read. */
export type ReadRecord = Reading & { seq: number; payload: Buffer; lines: Uint8Array[] };

/** The staging tables that get lines of a record, in the order of these lines. */
export const LINE_TABLES = ['registrations', 'identifiers', 'publications', 'payloads'] as const;

type Normalised = NormalisedRecord & { statusInputs?: StatusInputs };
type Normaliser = (payload: Buffer, receivedAt: string, context: NormaliseContext) => Normalised | RejectedRecord;
const NORMALISERS: Record<RegistryId, Normaliser> = { clinicaltrials_gov: normaliseCtgov, isrctn: normaliseIsrctn };

/**
 * Reads every payload except those whose hash `passes`. The result depends on the arguments alone, so any thread may
 * do it. The result owns its buffers, so that they can be transferred.
 */
export function readBatch(from: BatchSource, batch: PayloadBatch, passes: (sha256: string) => boolean): ReadBatch {
  const readings: ReadBatch['readings'] = [];
  const texts: string[] = [];
  let lineBytes = 0;
  for (const { payload, receivedAt, seq } of payloadsOf(batch)) {
    const ends: number[] = [];
    const read = readPayload(from, payload, receivedAt, passes);
    if ('reading' in read) readings.push({ reading: read.reading, ends });
    else {
      for (const text of linesOf(seq, read)) {
        texts.push(text);
        lineBytes += Buffer.byteLength(text);
        ends.push(lineBytes);
      }
      const { registration, updated, faults } = read;
      const { id, payloadSha256: sha256 } = registration;
      readings.push({ reading: { kind: 'read', sha256, id, updated, faults }, ends });
    }
  }
  return { ...batch, readings, lines: encoded(texts, lineBytes) };
}

/** The records of a batch in their order; payloads and lines are views of the batch. */
export function* readRecordsOf(batch: ReadBatch): Generator<ReadRecord> {
  let place = 0;
  let from = 0;
  for (const { payload, seq } of payloadsOf(batch)) {
    const { reading, ends } = batch.readings[place++]!;
    const lines: Uint8Array[] = [];
    for (const end of ends) {
      lines.push(batch.lines.subarray(from, end));
      from = end;
    }
    yield { ...reading, seq, payload, lines };
  }
}

function* payloadsOf({
  bytes,
  records,
}: PayloadBatch): Generator<{ payload: Buffer; receivedAt: string; seq: number }> {
  let from = 0;
  for (const { seq, receivedAt, end } of records) {
    yield { payload: Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from), receivedAt, seq };
    from = end;
  }
}

function readPayload(
  { registry, asOf }: BatchSource,
  payload: Buffer,
  receivedAt: string,
  passes: (sha256: string) => boolean,
): Normalised | { reading: Reading } {
  const sha256 = payloadSha256(payload);
  if (passes(sha256)) return { reading: { kind: 'known', sha256 } };
  const context = { asOf, payloadSha256: sha256, nestingChecked: true };
  const read = NORMALISERS[registry](payload, receivedAt, context);
  return read.ok ? read : { reading: { kind: 'rejected', rejected: read } };
}

/** The lines of a record for each of LINE_TABLES. */
function linesOf(
  seq: number,
  { registration, identifiers, publications, updated, statusInputs }: Normalised,
): string[] {
  const { registry, id, payloadSha256: payload_sha256 } = registration;
  const identifierLines = identifiers.map(({ registrationId, rawValue, ...rest }) =>
    jsonLine({ seq, registration_id: registrationId, raw_value: rawValue, ...rest }),
  );
  const publicationLines = publications.map(({ registrationId, kindRaw, ...rest }) =>
    jsonLine({ seq, registration_id: registrationId, kind_raw: kindRaw, ...rest }),
  );
  const status_inputs = statusInputs === undefined ? null : JSON.stringify(statusInputs);
  const normaliser_version = NORMALISER_VERSION;
  return [
    jsonLine({ seq, ...registration }),
    identifierLines.join(''),
    publicationLines.join(''),
    jsonLine({ seq, registry, id, payload_sha256, updated, normaliser_version, status_inputs }),
  ];
}

function encoded(texts: readonly string[], length: number): Uint8Array<ArrayBuffer> {
  // Memory of Node's shared pool cannot be transferred.
  const bytes: Buffer<ArrayBuffer> = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}
