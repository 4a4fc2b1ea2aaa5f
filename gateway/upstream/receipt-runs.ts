import type { OutgoingHttpHeaders } from 'node:http';
import type { Operation } from '../../contract/operation.ts';
import { submitFinding } from '../../contract/operations/board/findings.ts';
import { reviewFinding } from '../../contract/operations/board/reviews.ts';
import { checkReceipt } from '../../contract/operations/trials/receipts.ts';
import { FINDING_RECEIPTS_MAX_ITEMS, RECEIPT_PATTERN, RECEIPTS_CHECK_SECONDS } from '../../contract/receipts.ts';
import type { ReceiptCheck, ReceiptOutcome } from '../../contract/schemas/trials/receipt.ts';
import { GATEWAY_HEADERS } from '../../server-kit/gateway-headers.ts';
import { Problem } from '../../server-kit/problem.ts';
import type { AskIndex } from './ask-index.ts';

const NO_ANSWER = 'the index did not answer in time';
const LIMIT_MS = RECEIPTS_CHECK_SECONDS * 1000;

/** Runs receipts one after another, at most for RECEIPTS_CHECK_SECONDS; the rest is unchecked. Never rejects. */
export async function runReceipts(askIndex: AskIndex, receipts: readonly string[]): Promise<ReceiptOutcome[]> {
  const late = Symbol('late');
  const { promise: limit, resolve: end } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(end, LIMIT_MS, late);
  const outcomes: ReceiptOutcome[] = [];
  let isLate = false;
  for (const receipt of receipts) {
    const ran: ReceiptOutcome | typeof late = isLate
      ? late
      : await Promise.race([runReceipt(askIndex, receipt), limit]);
    isLate = ran === late;
    outcomes.push(typeof ran === 'symbol' ? unchecked(receipt) : ran);
  }
  clearTimeout(timer);
  return outcomes;
}

function unchecked(receipt: string): ReceiptOutcome {
  return { receipt, state: 'unchecked', onCurrent: null, countNow: null, why: NO_ANSWER };
}

async function runReceipt(askIndex: AskIndex, receipt: string): Promise<ReceiptOutcome> {
  try {
    const { onItsSnapshot, onCurrent } = await askedOf(askIndex, receipt);
    const { state } = onItsSnapshot;
    const why = onItsSnapshot.why ?? onCurrent.why;
    return { receipt, state, onCurrent: onCurrent.state, countNow: onCurrent.count, why };
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'INVALID_PARAM';
    if (!isRefused) return unchecked(receipt);
    return { receipt, state: 'not-run', onCurrent: 'not-run', countNow: null, why: error.message };
  }
}

async function askedOf(askIndex: AskIndex, receipt: string): Promise<ReceiptCheck> {
  if (!RECEIPT_PATTERN.test(receipt)) throw new Problem('INVALID_PARAM');
  const { status, body } = await askIndex(checkReceipt.path.replace('{receipt}', receipt), LIMIT_MS);
  if (status === 200 && body.data !== undefined) return body.data as ReceiptCheck;
  if (status === 400) throw new Problem('INVALID_PARAM', { message: body.error?.message ?? '' });
  throw new Error(`the index answered ${status}`);
}

const CITING: readonly string[] = [submitFinding.id, reviewFinding.id];

/** Headers that tell the board what came of the receipts in the body of a write; none where it cites none. */
export function citedRuns(askIndex: AskIndex) {
  return async ({ id }: Operation, body: Buffer | null): Promise<OutgoingHttpHeaders> => {
    const receipts = body === null || !CITING.includes(id) ? [] : receiptsIn(body);
    if (receipts.length === 0) return {};
    const outcomes = await runReceipts(askIndex, receipts);
    return { [GATEWAY_HEADERS.receipts]: Buffer.from(JSON.stringify(outcomes)).toString('base64url') };
  };
}

/** Receipts of a body that the board may still refuse; none where it will, or where the body is packed: it then cites them unchecked. */
function receiptsIn(body: Buffer): string[] {
  if (!body.includes('"receipts"')) return [];
  try {
    const { receipts } = JSON.parse(body.toString()) as { receipts?: unknown };
    if (!Array.isArray(receipts) || receipts.length > FINDING_RECEIPTS_MAX_ITEMS) return [];
    const texts = receipts.filter((one): one is string => typeof one === 'string' && RECEIPT_PATTERN.test(one));
    return texts.length === receipts.length ? [...new Set(texts)] : [];
  } catch {
    return [];
  }
}
