import type { ReceiptWord } from '../../contract/receipts.ts';
import type { RequestContext } from '../../server-kit/mount.ts';
import { writeReceipt } from '../../snapshot/format/receipt.ts';
import { normalQuery } from '../../snapshot/format/receipt-query.ts';
import type { Manifest } from '../../snapshot/format/versions/manifest.ts';
import type { Modalities } from '../modality/modalities.ts';
import type { RowSet } from '../search/row-set.ts';
import type { SnapshotImage } from '../snapshot/snapshot-image.ts';
import { countedSet } from './id-sums.ts';

const LONG_RECEIPT =
  'This answer carries no receipt, because its query is too long for one: a shorter q, or fewer filters, gets one.';
const UNREADABLE_IDS =
  'This answer carries no receipt, because the serving image does not hold the id of every trial; it can be made again from its tables.';

/** What `_meta` gains: the receipt of an answer, or why it has none. */
export async function receiptMeta(
  word: ReceiptWord,
  { image, manifest }: { image: SnapshotImage; manifest: Manifest },
  rows: RowSet,
  { applied, bare }: Pick<RequestContext, 'applied' | 'bare'>,
  modalities: Modalities,
): Promise<{ receipt?: string; notices?: string[] }> {
  if (bare) return {};
  const counted = await countedSet(image, rows);
  if (counted === null) return { notices: [UNREADABLE_IDS] };
  const query = normalQuery(applied, applied.modality === undefined ? null : modalities.vocabulary);
  const { version, identity = null } = manifest;
  const receipt = writeReceipt({ word, version, identity, ...counted, query });
  return receipt === null ? { notices: [LONG_RECEIPT] } : { receipt };
}
