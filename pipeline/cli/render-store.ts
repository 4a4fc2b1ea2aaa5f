import type { ReplicaStatus } from '../../snapshot/format/versions/replica-status.ts';
import type { PointerState } from '../object-store/layout.ts';
import type { Pushed } from '../object-store/push.ts';
import type { StoreGcReport } from '../object-store/store-gc.ts';
import type { LiveReplica } from '../object-store/store-pointer.ts';

/** What is told of a push. */
export function renderPushed({ store, pointer, unchanged, files, sentFiles, sentBytes, lagging }: Pushed): string {
  const { generation, version } = pointer;
  return [
    unchanged
      ? `pushed    nothing: ${store} names ${version} already, as generation ${generation}`
      : `pushed    ${store} names ${version} as generation ${generation}: ${files} files; ${sentFiles} objects with ${sentBytes} bytes sent now`,
    ...(lagging.length === 0
      ? []
      : [`          not ready in time: ${lagging.join(', ')}; they follow when they have it`]),
  ].join('\n');
}

export function renderStoreGc({ removed, bytes, leftovers, kept }: StoreGcReport, isDryRun: boolean): string {
  const verb = isDryRun ? 'would remove' : 'removed';
  return `${verb} ${removed} objects of ${bytes} bytes and ${leftovers} leftovers; ${kept} objects stay`;
}

export interface StoreStatus extends PointerState {
  store: string;
  pointerIn: string;
  replicas: LiveReplica[];
  /** How this machine follows; null where it does not. */
  here: ReplicaStatus | null;
}

export function renderStoreStatus({ store, pointerIn, pointer, candidate, replicas, here }: StoreStatus): string {
  const lines = [
    pointer === null
      ? `pushed    nothing: ${store} names no version yet`
      : `${store} names ${pointer.version} as generation ${pointer.generation}, since ${pointer.flippedAt} (pointer: ${pointerIn})`,
    ...(candidate === null ? [] : [`announced: ${candidate.version}, since ${candidate.announcedAt}`]),
    replicas.length === 0 ? 'no replica reported within a minute' : 'live replicas:',
    ...replicas.map((replica) => {
      const next =
        candidate === null ? '' : replica.staged === candidate.release ? ', has the next one ready' : ', lags';
      return `  ${replica.name}  generation ${replica.generation}${next}  reported ${replica.reportedAt}`;
    }),
  ];
  if (here !== null) {
    lines.push(
      `here: ${here.name}, generation ${here.generation}, the store last answered ${here.answeredAt ?? 'never'}`,
    );
    if (here.fault !== null) lines.push(`      not followed since ${here.fault.since}: ${here.fault.message}`);
  }
  return lines.join('\n');
}
