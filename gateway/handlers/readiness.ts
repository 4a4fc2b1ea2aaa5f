import type { OperationOutput } from '../../contract/operation.ts';
import type { PROBE_OPERATIONS, readyz } from '../../contract/operations/board/orientation.ts';
import type { IndexServices } from '../../index-server/entry.ts';
import type { Handlers } from '../../server-kit/mount.ts';
import { DRAINING, probeHandlers } from '../../server-kit/probes.ts';
import { jsonOf } from '../upstream/answer-body.ts';
import { Upstream } from '../upstream/upstream.ts';

const PROBE_SILENCE_MS = 2_000;

type Ready = OperationOutput<typeof readyz>;

const UNKNOWN = { snapshot: null, checkedAt: null, refused: null };

interface ReadinessServices {
  index: IndexServices | Upstream;
  draining: AbortSignal | null;
}

/** /readyz answers for the index, in this process or another; searches work without the board. */
export const readinessHandlers: Handlers<typeof PROBE_OPERATIONS, ReadinessServices> = {
  healthz: () => ({ data: { status: 'ok' } }),
  readyz: async (input, context, { index, draining }, fail) => {
    if (draining?.aborted) return { data: DRAINING, status: 503 };
    if (!(index instanceof Upstream)) {
      return probeHandlers.readyz(input, context, index, fail);
    }
    const data = await readinessOf(index).catch(
      (): Ready => ({ ...UNKNOWN, status: 'not ready', detail: 'the index server does not answer' }),
    );
    return { data, status: data.snapshot === null ? 503 : 200 };
  },
};

/** What an index server in another process says; rejects if it does not answer. */
export async function readinessOf(index: Upstream): Promise<Ready> {
  const answer = (await jsonOf(await index.ask('/readyz', PROBE_SILENCE_MS))) as Ready;
  const { status, snapshot, detail, checkedAt, refused } = answer;
  return { status, snapshot, detail, checkedAt, refused };
}
