import { checkReceipt } from '../../contract/operations/trials/receipts.ts';
import { getTrialTrend } from '../../contract/operations/trials/trial-trend.ts';
import { getTrialCoverage, getTrialLandscape, searchTrials } from '../../contract/operations/trials/trials.ts';
import { RECEIPT_OPERATIONS, type ReceiptWord } from '../../contract/receipts.ts';
import type { ReceiptClaim } from '../../contract/schemas/trials/receipt.ts';
import type { Receipt, ReceiptHead } from './receipt.ts';

/** In the query of a receipt: the vocabulary by which labels of modalities were inferred, which no snapshot binds. */
export const VOCABULARY_NAME = 'modalityVocabulary';

const PATHS: Readonly<Record<ReceiptWord, string>> = {
  search: searchTrials.path,
  coverage: getTrialCoverage.path,
  landscape: getTrialLandscape.path,
  trend: getTrialTrend.path,
  // The population of the results gap, whole or of a topic, is one filter of the index.
  gap: getTrialCoverage.path,
};

const COUNTED: Readonly<Record<ReceiptWord, string>> = {
  search: 'trials that a search found',
  coverage: 'distinct trials',
  landscape: 'all trials of a landscape (the set of trials, not each of its counts)',
  trend: 'all trials of a trend (the set of trials, not the count of each period)',
  gap: 'trials in the results gap',
};

/** What a receipt says, as it is shown: a text alone tells it. */
export function claimOf({ word, query, count, sum, version, identity }: Receipt): ReceiptClaim {
  const asked = query.filter(([name]) => name !== VOCABULARY_NAME);
  const address = String(new URLSearchParams(asked));
  const shown = asked.filter(([name]) => !(word === 'gap' && name === 'resultsGap'));
  const filters = shown.map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(', ');
  return {
    operation: RECEIPT_OPERATIONS[word],
    inWords: shown.length === 0 ? `${COUNTED[word]}, without a filter` : `${COUNTED[word]}, by ${filters}`,
    call: `GET ${PATHS[word]}${address && `?${address}`}`,
    query: Object.fromEntries(query),
    match: asked.some(([name, value]) => name === 'match' && value === 'concepts') ? 'concepts' : 'words',
    count,
    sum,
    snapshot: version,
    identity,
  };
}

/** What is shown of a receipt that was stored although its query cannot be read: nothing that stands in the query. */
export function unreadableClaim(receipt: string, head: ReceiptHead, fault: string): ReceiptClaim {
  return {
    ...claimOf({ ...head, query: [] }),
    inWords: `${COUNTED[head.word]}, by a query that cannot be read`,
    call: `GET ${checkReceipt.path.replace('{receipt}', receipt)}`,
    fault: `expected ${fault}`,
  };
}
