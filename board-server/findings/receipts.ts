import { z } from 'zod';
import { type CitedReceipt, type ReceiptOutcome, receiptOutcomeSchema } from '../../contract/schemas/trials/receipt.ts';
import { GATEWAY_HEADERS } from '../../server-kit/gateway-headers.ts';
import type { RequestContext } from '../../server-kit/mount.ts';
import { readHead } from '../../snapshot/format/receipt.ts';
import { claimOf, readAskable, unreadableClaim } from '../../snapshot/format/receipt-query.ts';
import { toIso } from '../store/instants.ts';
import type { Reader } from '../store/reader.ts';
import type { Transaction } from '../store/transaction.ts';

const outcomesSchema = z.array(receiptOutcomeSchema);
/** Longest header that is read: as many outcomes as a finding may cite receipts, each with its receipt. */
const HEADER_MAX_CHARACTERS = 15_000;

const UNCHECKED = {
  state: 'unchecked',
  onCurrent: null,
  countNow: null,
  checkedAt: null,
  why: 'it was not run when it was cited; GET /api/v1/findings/{id}/verification runs it and keeps the outcome',
} as const;

/** What is wrong with the receipts of a body, as its issues. */
export function receiptIssues(receipts: readonly string[] | null | undefined): { path: string; message: string }[] {
  return (receipts ?? []).flatMap((receipt, place) => {
    const read = readAskable(receipt);
    return 'fault' in read ? [{ path: `receipts.${place}`, message: `expected ${read.fault}` }] : [];
  });
}

/** Receipts as they are stored: each once, in the order given. */
export function citedIn(receipts: readonly string[] | null | undefined): string[] {
  return [...new Set(receipts ?? [])];
}

/** What the gateway says of the receipts of a write; nothing where it had no answer in time. */
export function outcomesOf(context: Pick<RequestContext, 'header'>): ReceiptOutcome[] {
  const text = context.header(GATEWAY_HEADERS.receipts);
  if (text === null || text.length > HEADER_MAX_CHARACTERS) return [];
  try {
    return readOutcomes(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    // A gateway of another version may say it in another form.
    return [];
  }
}

/** Stores what a finding or a review cites, and what came of it. */
export async function storeCited(
  tx: Transaction,
  citing: { id: string; receipts: readonly string[] },
  outcomes: readonly ReceiptOutcome[],
): Promise<void> {
  if (citing.receipts.length === 0) return;
  const rows = citing.receipts.map((receipt, place) => ({ citing_id: citing.id, place, receipt }));
  await tx.insertInto('cited_receipts').values(rows).execute();
  await storeOutcomes(
    tx,
    outcomes.filter(({ receipt }) => citing.receipts.includes(receipt)),
  );
}

/** Outcomes as the gateway sends them. Throws for another form. */
export function readOutcomes(sent: unknown): ReceiptOutcome[] {
  return outcomesSchema.parse(sent);
}

/** Stores outcomes of receipts; of one that was not run nothing is stored, so that an earlier outcome stays. */
export async function storeOutcomes(tx: Transaction, outcomes: readonly ReceiptOutcome[]): Promise<void> {
  for (const one of outcomes.filter(({ state }) => state !== 'unchecked')) {
    const stored = { outcome: JSON.stringify(one), checked_at: tx.now };
    await tx
      .insertInto('receipt_checks')
      .values({ receipt: one.receipt, ...stored })
      .onConflict((conflict) => conflict.column('receipt').doUpdateSet(stored))
      .execute();
  }
}

/** Receipts by what cites them, in their order, with their last outcomes; by primary keys, for at most one page of findings or reviews. */
export async function citedReceipts(db: Reader, citing: readonly string[]): Promise<Map<string, CitedReceipt[]>> {
  const cited = new Map<string, CitedReceipt[]>();
  if (citing.length === 0) return cited;
  const rows = await db
    .selectFrom('cited_receipts')
    .leftJoin('receipt_checks', 'receipt_checks.receipt', 'cited_receipts.receipt')
    .select(['citing_id', 'cited_receipts.receipt as receipt', 'outcome', 'checked_at'])
    .where('citing_id', 'in', citing)
    .orderBy('citing_id')
    .orderBy('place')
    .execute();
  for (const { citing_id, receipt, outcome, checked_at } of rows) {
    const shown = presentCited(receipt, outcome === null ? null : (JSON.parse(outcome) as ReceiptOutcome), checked_at);
    cited.set(citing_id, [...(cited.get(citing_id) ?? []), ...shown]);
  }
  return cited;
}

/** A line for the author of a finding some of whose receipts do not hold; null where none is known to differ. */
export function warningOf(receipts: readonly CitedReceipt[] = []): string | null {
  const differing = receipts.filter(
    ({ state, onCurrent }) => state === 'differs' || (state === 'unknown' && onCurrent === 'differs'),
  );
  if (differing.length === 0) return null;
  const [{ claim, countNow, why }] = differing as [CitedReceipt];
  const first = `${claim.inWords}: ${why ?? `it says ${claim.count}, and ${countNow} are found`}`;
  const more = differing.length > 1 ? ` So do ${differing.length - 1} more.` : '';
  return `Stored, but a receipt that it cites was not reproduced, and readers see that. ${first}.${more}`;
}

function presentCited(receipt: string, outcome: ReceiptOutcome | null, checkedAt: number | null): CitedReceipt[] {
  const read = readAskable(receipt);
  if ('fault' in read) return presentUnreadable(receipt, read.fault);
  const claim = claimOf(read);
  if (outcome === null || checkedAt === null) return [{ receipt, claim, ...UNCHECKED }];
  const { state, onCurrent, countNow, why } = outcome;
  return [{ receipt, claim, state, onCurrent, countNow, checkedAt: toIso(checkedAt), why }];
}

/** Receipts that were stored before their queries were read by the contract. */
function presentUnreadable(receipt: string, fault: string): CitedReceipt[] {
  const head = readHead(receipt);
  // A text without the form of a receipt was never stored.
  if (head === null) return [];
  const claim = unreadableClaim(receipt, head, fault);
  const notRun = { state: 'not-run', onCurrent: 'not-run', countNow: null, checkedAt: null } as const;
  return [{ receipt, claim, ...notRun, why: 'its query cannot be read, so that it cannot be run' }];
}
