import type { LiteratureSource } from './paper.ts';

/** Why a source gave no usable answer. */
export const FAULT_REASONS = [
  'off',
  'busy',
  'timeout',
  'unreachable',
  'rate_limited',
  'server_error',
  'refused',
  'not_the_source',
  'too_large',
  'malformed',
  'partial',
  'another_id',
] as const;
export type FaultReason = (typeof FAULT_REASONS)[number];

/** A question that a source did not answer. Its message holds no address: that of PubMed may carry the key. */
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
