import type { PROBE_OPERATIONS } from '../contract/operations/orientation.ts';
import type { Handlers } from './mount.ts';

interface Readiness {
  /** Version of the snapshot being served; null while there is none. */
  snapshot(): string | null;
  /** Why there is none, or what is wrong although one is served. */
  fault(): string | null;
}

/** Handlers of /healthz and /readyz for a server that needs a snapshot. */
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
