import type { Operation } from '../../contract/operation.ts';

/** Calls that end within this time report nothing: most end within milliseconds. */
const EVERY_MS = 1_000;

type Notify = (notification: { method: string; params: Record<string, unknown> }) => Promise<void>;

/** The token of a message whose sender wants to hear how the work goes. */
export function progressTokenOf(message: unknown): string | number | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { _meta?: { progressToken?: unknown } } };
  const token = method === 'tools/call' ? params?._meta?.progressToken : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/**
 * Runs a call, and tells each second how long it has run. The service knows of no call how much of it is done; `total` is
 * the longest time for which the operation asks others.
 */
export async function reporting<Result>(
  token: string | number | undefined,
  operation: Operation,
  notify: Notify,
  work: () => Promise<Result>,
): Promise<Result> {
  if (token === undefined) return work();
  let seconds = 0;
  const total = operation.asksOutsideSeconds;
  const timer = setInterval(() => {
    seconds += EVERY_MS / 1_000;
    const message = `${operation.tool?.title ?? operation.summary}: ${seconds} s so far`;
    const params = { progressToken: token, progress: seconds, ...(total !== undefined && { total }), message };
    // A client that has gone away ends the call itself.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** The answer once its stream has its first part, so that what became of the call is known; `ended` runs after the last. */
export async function begun(response: Response, ended: () => Promise<void>): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null) {
    await ended();
    return response;
  }
  const reader = body.getReader();
  let next: Promise<ReadableStreamReadResult<Uint8Array>> = reader.read();
  await next;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await next;
      if (done) {
        controller.close();
        await ended();
        return;
      }
      controller.enqueue(value);
      next = reader.read();
    },
    async cancel(reason) {
      await reader.cancel(reason);
      await ended();
    },
  });
  return new Response(stream, { status, headers });
}
