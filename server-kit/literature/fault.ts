import type { FaultReason } from '../../contract/schemas/trials/related.ts';
import type { LiteratureSource } from './paper.ts';

/** A question that a source did not answer. The message has no address, because one of PubMed may carry the key. */
export class LiteratureFault extends Error {
  readonly source: LiteratureSource;
  readonly reason: FaultReason;

  constructor(source: LiteratureSource, reason: FaultReason, message: string = reason) {
    super(`${source}: ${message}`);
    this.name = 'LiteratureFault';
    this.source = source;
    this.reason = reason;
  }
}
