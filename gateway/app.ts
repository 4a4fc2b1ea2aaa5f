import { H3 } from 'h3';
import type { Logger } from 'pino';
import { ORIENTATION_OPERATIONS, PROBE_OPERATIONS } from '../contract/operations/orientation.ts';
import { mountIndex } from '../index-server/routes.ts';
import type { IndexServices } from '../index-server/services.ts';
import { mount, problemResponse } from '../server-kit/mount.ts';
import { probeHandlers } from '../server-kit/probes.ts';
import { Problem } from '../server-kit/problem.ts';
import { orientationHandlers } from './handlers/orientation.ts';

export interface GatewayOptions {
  index: IndexServices;
  log: Logger;
  now: () => Date;
  baseUrl: string | null;
}

/** The public origin: every operation of the contract behind one address. */
export function createGateway({ index, log, now, baseUrl }: GatewayOptions): H3 {
  const app = new H3({ silent: true, onError: (error, event) => problemResponse(error, event, log) });
  const common = { log, now, baseUrl };
  const readiness = {
    snapshot: () => index.holder.version,
    fault: () =>
      index.holder.fault === null ? null : 'CURRENT names a snapshot that cannot be opened; the log says why',
  };
  mount(app, ORIENTATION_OPERATIONS, orientationHandlers, { ...common, services: null });
  mount(app, PROBE_OPERATIONS, probeHandlers, { ...common, services: readiness });
  mountIndex(app, { ...common, services: index });
  app.all('/**', (event) => problemResponse(new Problem('NOT_FOUND'), event, log));
  return app;
}
