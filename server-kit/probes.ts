import type { PROBE_OPERATIONS } from '../contract/operations/board/orientation.ts';
import type { Handlers } from './mount.ts';

export interface Readiness {
  holder: {
    /** Version of the snapshot being served; null while there is none. */
    readonly version: string | null;
    /** Why the snapshot that CURRENT names is not served; null when it is. */
    readonly refused: string | null;
    /** When the files of the served snapshot were last found to be as published. */
    readonly checkedAt: Date | null;
  };
  /** Whether this process ends. */
  isDraining?(): boolean;
}

/** What /readyz says of a server that ends. */
export const DRAINING = {
  ...{ status: 'not ready', snapshot: null, checkedAt: null, refused: null },
  detail: 'draining: this process ends',
};

/** Handlers of /healthz and /readyz for a server that needs a snapshot. */
export const probeHandlers: Handlers<typeof PROBE_OPERATIONS, Readiness> = {
  healthz: () => ({ data: { status: 'ok' } }),
  readyz: (_input, _context, { holder, isDraining }) => {
    if (isDraining?.()) return { data: DRAINING, status: 503 };
    const { version: snapshot, refused, checkedAt } = holder;
    return {
      data: {
        status: snapshot === null ? 'not ready' : 'ready',
        snapshot,
        detail: refused ?? (snapshot === null ? 'no snapshot has been published yet' : 'serving'),
        checkedAt: checkedAt?.toISOString() ?? null,
        refused,
      },
      status: snapshot === null ? 503 : 200,
    };
  },
};
