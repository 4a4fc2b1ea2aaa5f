/** Form of a receipt; docs/receipts.md has what it proves. Read and written by snapshot/format/receipt.ts. */

/** What a receipt may be of: its word in the receipt, and the operation. */
export const RECEIPT_OPERATIONS = {
  search: 'trials-search',
  coverage: 'trials-coverage',
  landscape: 'trials-landscape',
  trend: 'trials-trend',
  gap: 'results-gap',
} as const;
export type ReceiptWord = keyof typeof RECEIPT_OPERATIONS;

/** Form; operation; version; further digits of its identity; count; sum of the ids; how the query is written, and the query; the check. */
export const RECEIPT_PATTERN = new RegExp(
  `^r1\\.(${Object.keys(RECEIPT_OPERATIONS).join('|')})\\.(\\d{8}T\\d{6}Z-[0-9a-f]{8})([0-9a-f]{8})?\\.(0|[1-9]\\d{0,8})\\.([0-9a-z]{12})\\.([td])([A-Za-z0-9_-]*)\\.([0-9a-hjkmnp-tv-z]{4})$`,
);

/** What begins as a receipt. Whether it is whole, its check tells, with a refusal that says so. */
export const RECEIPT_BEGINNING = new RegExp(`^r1\\.(${Object.keys(RECEIPT_OPERATIONS).join('|')})\\.`);

/** Longest receipt that is made and read: room for a q of 500 letters and several filters. Most have fewer than 160 characters. */
export const RECEIPT_MAX_CHARACTERS = 1000;
/**
 * Longest query of a receipt when it is unpacked. Packing makes a few bytes of a repeated letter, and a list of findings shows the query
 * of every receipt three times: as words, as a call and as parameters.
 */
export const RECEIPT_QUERY_MAX_BYTES = 2_000;
/** Ids that came or went that an answer lists; the totals are exact. */
export const RECEIPT_IDS_SHOWN = 100;
/** Receipts that a finding may cite: each is run when the finding is published. */
export const FINDING_RECEIPTS_MAX_ITEMS = 5;
/** Receipts that a review may cite. */
export const REVIEW_RECEIPTS_MAX_ITEMS = 3;
/** Receipts that one verification of a finding runs: its own, then those of its newest reviews. */
export const VERIFIED_RECEIPTS_MAX_ITEMS = 20;
/** Longest wait for the receipts of a publication; what is not run by then is stored as unchecked. */
export const RECEIPTS_CHECK_SECONDS = 5;

export const RECEIPT_WORDS = `a receipt as _meta.receipt of an answer of search, coverage, landscape, trend or /api/v1/results-gap has it: r1.operation.snapshot.count.sum.query.check, at most ${RECEIPT_MAX_CHARACTERS} characters`;
