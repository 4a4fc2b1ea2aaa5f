import type { ParameterShape } from '../../contract/operation.ts';
import { getTrialTrend } from '../../contract/operations/trials/trial-trend.ts';
import { expectedOfFault } from '../../contract/parameters.ts';
import { RECEIPT_OPERATIONS, type ReceiptWord } from '../../contract/receipts.ts';
import { trialFilterParameters } from '../../contract/trial-filters.ts';
import { type Receipt, readReceipt } from './receipt.ts';
import { VOCABULARY_NAME } from './receipt-claim.ts';

const { by, split } = getTrialTrend.query;
const { resultsGap, topic, match } = trialFilterParameters;
const filters: ParameterShape = trialFilterParameters;

/** Parameters that the query of each kind of receipt may have. */
const SHAPES: Readonly<Record<ReceiptWord, ParameterShape>> = {
  search: filters,
  coverage: filters,
  landscape: filters,
  trend: { ...filters, by, split },
  gap: { resultsGap, topic, match },
};

/** A vocabulary's id goes into sentences of this service, so it must be one and no text of an author. */
const VOCABULARY_ID = /^modality-\d{1,6}(\+substances-\d{1,6})?$/;

/** A receipt whose query consists of parameters of its operation, each with a value that the operation takes. */
export interface AskableReceipt extends Receipt {
  /** The parameters as the operation reads them, with defaults. */
  values: Record<string, unknown>;
  /** Vocabulary of the labels that it rests on; null without the filter modality. */
  vocabulary: string | null;
}

/**
 * Reads a receipt and its query, as strictly as its operation reads a request; or says what is wrong with it, in words that follow
 * "expected" and repeat nothing of the receipt. Whether the served snapshot knows the topic or country is for the index.
 */
export function readAskable(text: string): AskableReceipt | { fault: string } {
  const receipt = readReceipt(text);
  if ('fault' in receipt) return receipt;
  const { word, query } = receipt;
  const shape = SHAPES[word];
  const sent = new Map(query);
  const vocabulary = sent.get(VOCABULARY_NAME) ?? null;
  sent.delete(VOCABULARY_NAME);
  const values = valuesOf(shape, sent);
  if (values === null) {
    const names = Object.keys(shape).join(', ');
    return { fault: `a query of ${RECEIPT_OPERATIONS[word]} with no parameter but ${names}` };
  }
  if ('fault' in values) return values;
  const { read } = values;
  if ((vocabulary === null) !== (read.modality === undefined)) {
    return { fault: `a query with ${VOCABULARY_NAME} where it has modality, and only there` };
  }
  if (vocabulary !== null && !VOCABULARY_ID.test(vocabulary)) {
    return { fault: `a query whose ${VOCABULARY_NAME} is the id of a vocabulary` };
  }
  if (word === 'gap' && read.resultsGap !== true) return { fault: 'a query of the results gap with resultsGap=true' };
  return { ...receipt, values: read, vocabulary };
}

/** Null where a parameter was sent that the shape does not have. */
function valuesOf(
  shape: ParameterShape,
  sent: ReadonlyMap<string, string>,
): { read: Record<string, unknown> } | { fault: string } | null {
  if ([...sent.keys()].some((name) => !Object.hasOwn(shape, name))) return null;
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const { success, data, error } = schema.safeParse(sent.get(name));
    if (!success) {
      return { fault: `a query that can be asked; its parameter ${name} expects ${expectedOfFault(schema, error)}` };
    }
    if (data !== undefined) read[name] = data;
  }
  return { read };
}
