import { json } from 'node:stream/consumers';
import type { PROBE_OPERATIONS } from '../../contract/operations/orientation.ts';
import type { IndexServices } from '../../index-server/services.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { probeHandlers } from '../../server-kit/probes.ts';
import { Upstream } from '../upstream/upstream.ts';

const PROBE_SILENCE_MS = 2_000;

interface Ready {
  status: string;
  snapshot: string | null;
  detail: string;
}

interface ReadinessServices {
  index: IndexServices | Upstream;
  draining: AbortSignal | null;
}

/** /readyz answers for the index, in this process or another; searches work without the board. */
export const readinessHandlers: Handlers<typeof PROBE_OPERATIONS, ReadinessServices> = {
  healthz: () => ({ data: { status: 'ok' } }),
  readyz: async (input, context, { index, draining }, fail) => {
    if (draining?.aborted) {
      return { data: { status: 'not ready', snapshot: null, detail: 'draining: this process ends' }, status: 503 };
    }
    if (!(index instanceof Upstream)) {
      const readiness = {
        snapshot: () => index.holder.version,
        fault: () =>
          index.holder.fault === null ? null : 'CURRENT names a snapshot that cannot be opened; the log says why',
      };
      return probeHandlers.readyz(input, context, readiness, fail);
    }
    const data = await readinessOf(index).catch(
      (): Ready => ({ status: 'not ready', snapshot: null, detail: 'the index server does not answer' }),
    );
    return { data, status: data.snapshot === null ? 503 : 200 };
  },
};

/** What an index server in another process says; rejects if it does not answer. */
export async function readinessOf(index: Upstream): Promise<Ready> {
  const { status, snapshot, detail } = (await json(await index.ask('/readyz', PROBE_SILENCE_MS))) as Ready;
  return { status, snapshot, detail };
}
