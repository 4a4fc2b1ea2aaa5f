import type { QuarantineReason } from '../../snapshot/format/registration.ts';

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
