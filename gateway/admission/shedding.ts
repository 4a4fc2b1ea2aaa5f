import { ERRORS, type ErrorCode } from '../../contract/errors/errors.ts';
import { COSTLY_READS_MAX_LAG_MS, READS_MAX_LAG_MS } from '../../contract/limits/limits.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { Problem } from '../../server-kit/problem.ts';

/** How soon a repeat makes sense: a lag passes quickly once costly reads are gone. */
const RETRY_SECONDS = 2;
const MESSAGE =
  'The service is busier than it can keep up with and refuses costly reads first; nothing was carried out.';

/**
 * The refusal of a read while the event loop lags, costly ones first; null if it may run. Writes, fixed texts and probes
 * have no turn to be refused: they cost little, and a probe must tell a busy process from a dead one. A page that was let in keeps
 * its costly reads as long as plain ones: it would be shown with a hole.
 */
export function shedRead(
  operation: Operation | undefined,
  { url, isOfPage }: { url: URL; isOfPage: boolean },
  lagMs: number,
): Problem | null {
  if (operation === undefined || lagMs < COSTLY_READS_MAX_LAG_MS) return null;
  if (operation.bucket === 'none' || isWrite(operation)) return null;
  if (lagMs < READS_MAX_LAG_MS && (isOfPage || !isCostly(operation, url))) return null;
  const code = operation.errors.find(
    (candidate): candidate is ErrorCode => ERRORS[candidate].family === 'availability',
  );
  return code === undefined ? null : new Problem(code, { message: MESSAGE, retryAfterSeconds: RETRY_SECONDS });
}

function isCostly({ costly }: Operation, url: URL): boolean {
  if (costly === undefined || costly === true) return costly === true;
  return url.searchParams.getAll(costly.parameter).some((value) => value.includes(costly.contains));
}
