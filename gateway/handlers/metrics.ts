import { type H3, HTTPResponse } from 'h3';
import { doorOf } from '../../contract/doors.ts';
import { otherMethod } from '../../server-kit/mount.ts';
import type { Metrics } from '../observation/metrics.ts';

/** GET /metrics for whoever may reach it; it tells counts and timings, and nothing of any caller. */
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
