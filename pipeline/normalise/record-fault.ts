import type { QuarantineReason } from '../../snapshot-format/registration.ts';

/** Thrown inside a reader, caught at its door: the record cannot be used. */
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
