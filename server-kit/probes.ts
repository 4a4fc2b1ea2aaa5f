import type { PROBE_OPERATIONS } from '../contract/operations/orientation.ts';
import type { Handlers } from './mount.ts';

export interface Readiness {
  /** Version of the snapshot being served; null while there is none. */
  snapshot(): string | null;
  /** Why not, or what is amiss although it serves. */
  fault(): string | null;
}

/** Handlers of /healthz and /readyz for a server that stands on a snapshot. */
export const probeHandlers: Handlers<typeof PROBE_OPERATIONS, Readiness> = {
  healthz: () => ({ data: { status: 'ok' } }),
  readyz: (_input, _context, readiness) => {
    const snapshot = readiness.snapshot();
    return {
      data: {
        status: snapshot === null ? 'not ready' : 'ready',
        snapshot,
        detail: readiness.fault() ?? (snapshot === null ? 'no snapshot has been published yet' : 'serving'),
      },
      status: snapshot === null ? 503 : 200,
    };
  },
};
