import type { ReplicaStatus } from '../../snapshot/format/versions/replica-status.ts';
import type { Pointer } from '../object-store/layout.ts';
import type { Pushed } from '../object-store/push.ts';
import type { StoreGcReport } from '../object-store/store-gc.ts';

/** The result of a push in one line. */
export function renderPushed({ store, pointer, unchanged, files, sentFiles, sentBytes }: Pushed): string {
  const { generation, version } = pointer;
  return unchanged
    ? `pushed    nothing: ${store} names ${version} already, as generation ${generation}`
    : `pushed    ${store} names ${version} as generation ${generation}: ${files} files; ${sentFiles} objects with ${sentBytes} bytes sent now`;
}

export function renderStoreGc({ removed, bytes, leftovers, kept }: StoreGcReport, isDryRun: boolean): string {
  const verb = isDryRun ? 'would remove' : 'removed';
  return `${verb} ${removed} objects of ${bytes} bytes and ${leftovers} leftovers; ${kept} objects stay`;
}

export interface StoreStatus {
  store: string;
  pointerIn: string;
  pointer: Pointer | null;
  /** How this machine follows; null where it does not. */
  here: ReplicaStatus | null;
}

export function renderStoreStatus({ store, pointerIn, pointer, here }: StoreStatus): string {
  const lines = [
    pointer === null
      ? `pushed    nothing: ${store} names no version yet`
      : `${store} names ${pointer.version} as generation ${pointer.generation}, since ${pointer.flippedAt} (pointer: ${pointerIn})`,
  ];
  if (here === null) return lines.join('\n');
  lines.push(`here: generation ${here.generation}, the store last answered ${here.answeredAt ?? 'never'}`);
  if (here.fault !== null) lines.push(`      not followed since ${here.fault.since}: ${here.fault.message}`);
  return lines.join('\n');
}
