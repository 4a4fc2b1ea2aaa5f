import { expect, it } from 'vitest';
import { openIndexServices } from '../../index-server/services.ts';
import { openRateLimiter } from '../../server-kit/limits/limits.ts';
import { openBareOrigin } from '../support/bare-origin.ts';
import { keptLog } from '../support/log-lines.ts';
import { ofFile } from '../support/of-file.ts';
import { twoVersions } from '../support/two-versions.ts';

const versions = ofFile(() => twoVersions());

// The last earlier version stays open, for all callers together: whoever asks for one after the other
// has each of them opened, at the price of a read.
it('a picture or a table of an earlier version counts as an export, one of the served version as a read', async () => {
  const { log } = keptLog();
  await using index = await openIndexServices(versions.snapshotsDir, log);
  await using limiter = await openRateLimiter('memory');
  await using origin = await openBareOrigin({ index, limiter });
  const { body } = await origin.ask('/api/v1/snapshots');
  const [served, earlier] = body.data.snapshots.map(({ version }: { version: string }) => version) as [string, string];
  const bucketOf = async (path: string) => {
    const { status, headers } = await origin.ask(path);
    expect(status, path).toBe(200);
    return headers['ratelimit-policy'];
  };
  const read = await bucketOf('/results-gap.csv');
  const counted = await bucketOf('/trials.csv?pageSize=1');
  expect(read).not.toBe(counted);
  for (const path of ['/results-gap.csv?', '/charts/phases.svg?q=diabetes&', '/charts/phases.csv?q=diabetes&']) {
    expect(await bucketOf(`${path}snapshot=${served}`)).toBe(read);
    expect(await bucketOf(`${path}snapshot=${earlier}`)).toBe(counted);
  }
  let refused = 0;
  for (let asked = 0; asked < 12; asked += 1) {
    const { status, body: answer } = await origin.ask(`/results-gap.csv?snapshot=${earlier}`);
    if (status !== 429) continue;
    expect(answer.error.code).toBe('RATE_LIMITED');
    refused += 1;
  }
  expect(refused).toBe(4);
});
