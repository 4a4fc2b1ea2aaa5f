import type { Fail } from '../../server-kit/mount.ts';
import { refuseParameter } from '../../server-kit/parameters.ts';
import { type AskableReceipt, readAskable } from '../../snapshot/format/receipt-parameters.ts';
import type { FilterQuery } from '../search/filters.ts';

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
