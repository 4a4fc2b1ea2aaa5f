import { H3, type H3Event } from 'h3';
import type { Logger } from 'pino';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from '../contract/operations/orientation.ts';
import { USAGE_OPERATIONS } from '../contract/operations/usage.ts';
import { BOARD_OPERATIONS, INDEX_OPERATIONS, OPERATIONS } from '../contract/operations.ts';
import { mountIndex } from '../index-server/routes.ts';
import type { IndexServices } from '../index-server/services.ts';
import type { RateLimiter } from '../server-kit/limits.ts';
import { mount, problemResponse, route } from '../server-kit/mount.ts';
import { Problem } from '../server-kit/problem.ts';
import { Admission } from './admission.ts';
import { corsHeaders } from './cors.ts';
import { DailyCounts } from './daily-counts.ts';
import { type Forward, forwarder } from './forward.ts';
import { orientationHandlers } from './handlers/orientation.ts';
import { readinessHandlers } from './handlers/readiness.ts';
import { usageHandlers } from './handlers/usage.ts';
import { boardLookup, KeyVerifier } from './key-verifier.ts';
import { Upstream } from './upstream.ts';

export interface GatewayOptions {
  /** The index in this process, or a server of its own. */
  index: IndexServices | Upstream;
  /** The board server; none answers its operations with their 503. */
  board?: Upstream;
  /** Null switches rate limits off. */
  limiter?: RateLimiter | null;
  trustedProxies?: number;
  log: Logger;
  now: () => Date;
  baseUrl: string | null;
}

/** The public origin: every operation of the contract behind one address. */
export function createGateway(options: GatewayOptions): H3 {
  const { index, board = new Upstream(null), limiter = null, trustedProxies = 0, log, now, baseUrl } = options;
  const counts = new DailyCounts(now());
  const verifier = new KeyVerifier(boardLookup(board), now);
  const admission = new Admission({ operations: OPERATIONS, limiter, verifier, counts, trustedProxies, now });
  const app = new H3({
    silent: true,
    onError: (error, event) => problemResponse(error, event, log),
    onResponse: async (response, event) => {
      const fields = { ...corsHeaders(event, response), ...(await admission.headersFor(event)) };
      for (const [name, value] of Object.entries(fields)) response.headers.set(name, value);
    },
  });
  app.use((event) => admission.admit(event));
  const common = { log, now, baseUrl, trustedProxies };
  mount(app, ORIENTATION_OPERATIONS, orientationHandlers, { ...common, services: null });
  mount(app, USAGE_OPERATIONS, usageHandlers, { ...common, services: { admission, counts } });
  mount(app, PROBE_OPERATIONS, readinessHandlers, { ...common, services: index });
  if (index instanceof Upstream) route(app, INDEX_OPERATIONS, forwarder(index, trustedProxies));
  else mountIndex(app, { ...common, services: index });
  route(app, BOARD_OPERATIONS, forgettingKeys(forwarder(board, trustedProxies), verifier));
  app.all('/**', (event) => problemResponse(new Problem('NOT_FOUND'), event, log));
  return app;
}

/** A key that was changed through this gateway holds its new rate, or is refused, from the next request on. */
function forgettingKeys(forward: Forward, verifier: KeyVerifier): Forward {
  return async (event: H3Event, operation) => {
    const response = await forward(event, operation);
    const key = event.req.headers.get('x-api-key');
    if (key !== null && operation.method !== 'GET' && operation.errors.includes('INVALID_KEY')) verifier.forget(key);
    return response;
  };
}
