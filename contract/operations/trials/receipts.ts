import { defineOperation } from '../../operation.ts';
import { textParameter } from '../../parameters.ts';
import {
  RECEIPT_BEGINNING,
  RECEIPT_IDS_SHOWN,
  RECEIPT_MAX_CHARACTERS,
  RECEIPT_WORDS,
  VERIFIED_RECEIPTS_MAX_ITEMS,
} from '../../receipts.ts';
import { receiptCheckSchema, verificationSchema } from '../../schemas/trials/receipt.ts';
import { findingIdParameter } from '../board/findings.ts';

export const checkReceipt = defineOperation({
  id: 'receipt',
  method: 'GET',
  path: '/api/v1/receipts/{receipt}',
  summary: 'Run a receipt again',
  description: `Answers of search, coverage, landscape and trend, and those of /api/v1/results-gap and its work queue, carry _meta.receipt (a share of trials-results-gap has none: the searches that its queries name have): the normalised query, the snapshot, the count and a sum over the canonical ids that were found. This reads the query out of a receipt, asks it again on that snapshot and on the current one, and says whether count and ids are equal, and which ids came and went between the two (at most ${RECEIPT_IDS_SHOWN} of each, with exact totals). A snapshot that was removed says so, with what is kept of it. An addition to the interface.`,
  whenToUse: 'To check a number that somebody quotes with its receipt, or to see what changed since.',
  next: ['finding-verification', 'snapshot-diff', 'trials-coverage'],
  server: 'index',
  names: { mcp: 'trials_check_receipt', a2a: 'trial_receipt_check', sdk: 'checkReceipt' },
  tool: {
    title: 'Check a quoted number of trials',
    description:
      'Run the receipt of a quoted number of trials again: whether its count is reproduced on its own snapshot and on the current one, and which trials came and went.',
  },
  bucket: 'read',
  costly: true,
  params: {
    receipt: textParameter(RECEIPT_MAX_CHARACTERS, 'The receipt: _meta.receipt of an answer, as it stands.', {
      test: RECEIPT_BEGINNING,
      words: RECEIPT_WORDS,
    }),
  },
  output: receiptCheckSchema,
  errors: ['INVALID_PARAM', 'TRIALS_UNAVAILABLE'],
  example: '/api/v1/receipts/r1.coverage.20261001T000000Z-00000000.86.000000000000.tcT1kaWFiZXRlcw.3p6c',
});

export const verifyFinding = defineOperation({
  id: 'finding-verification',
  method: 'GET',
  path: '/api/v1/findings/{id}/verification',
  summary: 'Run the receipts of a finding',
  description: `Runs the receipts that a finding and its reviews cite, now, each on its own snapshot and on the current one (at most ${VERIFIED_RECEIPTS_MAX_ITEMS} a call, those of the finding first), and keeps the outcome with them. It repeats counts of trials; it does not judge the claim. An addition to the interface.`,
  whenToUse: 'Before you review a finding that cites receipts: a machine repeats its counts.',
  next: ['finding-review', 'receipt', 'finding'],
  server: 'gateway',
  names: { mcp: 'verify_finding', sdk: 'verifyFinding' },
  tool: {
    title: "Check a finding's numbers",
    description:
      'Before reviewing: run every receipt that a finding and its reviews cite, and see which counts are reproduced on their own snapshot and on the current one.',
  },
  bucket: 'read',
  costly: true,
  params: { id: findingIdParameter },
  argumentNames: { id: 'findingId' },
  output: verificationSchema,
  errors: ['INVALID_PARAM', 'FINDING_NOT_FOUND', 'FINDING_UNAVAILABLE'],
});

export const RECEIPT_OPERATIONS_OF_INDEX = [checkReceipt] as const;
export const VERIFICATION_OPERATIONS = [verifyFinding] as const;
