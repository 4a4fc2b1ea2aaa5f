import { HOPE_DEFAULT_ITEMS } from '../../contract/limits/limits.ts';
import type { SIGNAL_OPERATIONS } from '../../contract/operations/trials/signals.ts';
import { type Fail, type Handlers, ownMeta, type Reply, type RequestContext } from '../../server-kit/mount.ts';
import { Problem, problemAnswer } from '../../server-kit/problem.ts';
import type { IndexServices } from '../services.ts';
import { hopeReply, mindReply, refuseWordless, trendsReply } from '../signals/replies.ts';

const UNAVAILABLE = {
  mind: 'MIND_DEPENDENCY_UNAVAILABLE',
  hope: 'HOPE_UNAVAILABLE',
  trends: 'TRENDS_DEPENDENCY_UNAVAILABLE',
} as const;
type Signal = keyof typeof UNAVAILABLE;

export const signalHandlers: Handlers<typeof SIGNAL_OPERATIONS, IndexServices> = {
  mind: ({ query }, context, services, fail) => mindReply(query, context, services, fail),

  hope: ({ query }, context, services, fail) => hopeReply(query, context, services, fail),

  trends: ({ query }, context, services, fail) => trendsReply(query, context, services, fail),

  batch: async ({ query }, context, services, fail) => {
    const { include, days, series, disease } = query;
    // All parts share the keyword, so an invalid one fails the request, not a part.
    refuseWordless(disease, fail);
    const asked = (signal: Signal): boolean => include?.includes(signal) ?? true;
    const inner = { ...context, ignored: [], applied: {} };
    const part = <Data>(signal: Signal, read: () => Reply<Data> | Promise<Reply<Data>>) =>
      subEnvelope(signal, read, inner, services);
    const first = { disease, limit: HOPE_DEFAULT_ITEMS, offset: 0 };
    return {
      data: {
        ...(asked('mind') && { mind: await part('mind', () => mindReply({ days, disease }, inner, services, thrown)) }),
        ...(asked('hope') && { hope: await part('hope', () => hopeReply(first, inner, services, thrown)) }),
        ...(asked('trends') && {
          trends: await part('trends', () => trendsReply({ series, disease }, inner, services, thrown)),
        }),
      },
      meta: { filters: context.applied },
    };
  },
};

const thrown: Fail<Problem['code']> = (code, details) => {
  throw new Problem(code, details);
};

/** Envelope of one part: its data, or its failure with status 503. An unexpected error goes to the log. */
async function subEnvelope<Data>(
  signal: Signal,
  read: () => Reply<Data> | Promise<Reply<Data>>,
  context: RequestContext,
  { log }: IndexServices,
) {
  try {
    const { data, meta } = await read();
    return { status: 200 as const, data: data as Data, _meta: { ...ownMeta(context), ...meta } };
  } catch (error) {
    const foreseen = error instanceof Problem;
    const fields = { correlationId: context.correlationId, operation: 'batch', signal, err: error };
    if (foreseen) log.warn(fields, 'a part of a batch could not be served');
    else log.error(fields, 'a part of a batch failed unexpectedly');
    const problem = foreseen ? error : new Problem(UNAVAILABLE[signal]);
    return { status: 503 as const, error: problemAnswer(problem, context.correlationId).body.error };
  }
}
