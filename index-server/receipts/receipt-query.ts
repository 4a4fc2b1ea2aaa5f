import type { ParameterShape } from '../../contract/operation.ts';
import { READING_PARAMETERS, trialFilterParameters } from '../../contract/operations/trials.ts';
import type { Fail } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import type { Receipt } from '../../snapshot-format/receipt.ts';
import { VOCABULARY_NAME } from '../../snapshot-format/receipt-claim.ts';
import { type AskableReceipt, readAskable } from '../../snapshot-format/receipt-parameters.ts';
import { filtersAsRead } from '../meta.ts';
import type { FilterQuery } from '../search/filters.ts';

/** What a trend is counted by. The set of trials does not depend on it; the claim does. */
const TREND_PARAMETERS = ['by', 'split'] as const;
/** Values that say what is meant without them. */
const DEFAULTS: Readonly<Record<string, string>> = { ...READING_PARAMETERS, by: 'year' };

const known: ParameterShape = trialFilterParameters;

/** The query of a request in its normal form: the parameters that decide what is counted, each as it was read, without defaults. */
export function normalQuery(applied: Readonly<Record<string, string>>, vocabulary: string | null): Receipt['query'] {
  const filters = Object.entries(filtersAsRead(applied)).filter(([name]) => Object.hasOwn(known, name));
  const shown = TREND_PARAMETERS.flatMap((name): [string, string][] =>
    applied[name] === undefined ? [] : [[name, applied[name].trim().toLowerCase()]],
  );
  const named: [string, string][] = vocabulary === null ? [] : [[VOCABULARY_NAME, vocabulary]];
  return [...filters, ...shown, ...named]
    .filter(([name, value]) => DEFAULTS[name] !== value)
    .map(([name, value]) => [name, inOrder(name, value)]);
}

/** The order of the values of a list means nothing. */
function inOrder(name: string, value: string): string {
  const read = known[name]?.safeParse(value).data;
  return Array.isArray(read) ? [...read].sort().join(',') : value;
}

/** A receipt whose query can be asked. */
export interface Claim extends AskableReceipt {
  filters: FilterQuery;
}

/** Reads a receipt as strictly as the operation reads its query. A damaged or invented one is INVALID_PARAM, which says what is wrong. */
export function readClaim(text: string, fail: Fail<'INVALID_PARAM'>): Claim {
  const receipt = readAskable(text);
  if ('fault' in receipt) return refuseParameter('receipt', receipt.fault, fail);
  return { ...receipt, filters: receipt.values as unknown as FilterQuery };
}

/**
 * Equal for every spelling of one receipt: packed or not, a country by its code or its name, a default said or left out. A text that
 * cannot be read stands for itself.
 */
export function spelledOnce(text: string): string {
  const receipt = readAskable(text);
  if ('fault' in receipt) return text;
  const { word, version, identity, count, sum, vocabulary } = receipt;
  const { [VOCABULARY_NAME]: _vocabulary, ...applied } = Object.fromEntries(receipt.query);
  const query = normalQuery(applied, vocabulary).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([word, version, identity, count, sum, query]);
}

export const LONG_RECEIPT =
  'This answer carries no receipt, because its query is too long for one: a shorter q, or fewer filters, gets one.';
