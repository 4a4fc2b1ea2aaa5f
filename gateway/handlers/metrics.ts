import { type H3, HTTPResponse } from 'h3';
import { doorOf } from '../../contract/interfaces/doors.ts';
import { otherMethod } from '../../server-kit/mount.ts';
import type { Metrics } from '../observation/metrics.ts';

/** GET /metrics, open to anyone who can reach it: it has counts and times, and nothing about callers. */
export function mountMetrics(app: H3, metrics: Metrics): void {
  const { path } = doorOf('metrics');
  const answer = async (): Promise<HTTPResponse> =>
    new HTTPResponse(await metrics.text(), {
      headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
    });
  app.get(path, answer);
  app.on('HEAD', path, answer);
  app.all(path, (event) => otherMethod(event, 'GET, HEAD, OPTIONS'));
}
