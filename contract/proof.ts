/** The form of a proof bundle (docs/proofs.md). */
export const PROOF_FORMAT = 'trial-board-proof/1';

/** Bytes of a bundle as JSON without blanks: small enough to be mailed, and to be pasted into a page. */
export const PROOF_MAX_BYTES = 65_536;
