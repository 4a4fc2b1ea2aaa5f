import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { run } from '../../pipeline/run/run.ts';
import { publishStage } from '../../pipeline/run/stages.ts';
import { workspaceOf } from '../../pipeline/run/workspace.ts';
import { openWorkingDatabase } from '../../pipeline/store/database.ts';
import { loadConfig } from '../../server-kit/config/config.ts';
import { folderOfFile } from '../support/folders.ts';
import { writeTestSample } from '../support/runner/sample-snapshot.ts';
import { startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

const GENERATIONS = 6;
/** A small corpus with more trials than a page shows, because the test publishes it many times. */
const SAMPLE = { seed: 1, ctgov: 60, isrctn: 20, asOf: '2026-10-01' };
const CLIENTS = 2;
/** A client's pause between two requests, which leaves most of the machine to publishing. */
const CLIENT_PAUSE_MS = 5;

const { path: root } = folderOfFile();

interface Seen {
  status: number;
  snapshot: string;
  titles: Set<string>;
}

it(`${GENERATIONS} snapshots published under load: no request fails, none mixes two, and the last one is served without a restart`, async () => {
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  const workspace = workspaceOf(config, 'sample');
  const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
  const directory = await writeTestSample(root, SAMPLE);
  await run({ source: 'sample', mode: 'auto', accept: [], sample: { directory } }, config, effects);
  await using server = await startServer('gateway/main.ts', { SNAPSHOTS_DIR: config.snapshotsDir, RATE_LIMITS: 'off' });
  const titleOf = new Map<string, string>();
  const seen: Seen[] = [];
  let publishing = true;

  const client = async (): Promise<void> => {
    while (publishing) {
      const response = await fetch(`${server.url}/api/v1/trials/search?pageSize=25&q=generation`);
      const { data, _meta } = (await response.json()) as {
        data: { trials: { title: string }[] };
        _meta: { snapshot: string };
      };
      const titles = new Set(data.trials.map(({ title }) => title));
      seen.push({ status: response.status, snapshot: _meta.snapshot, titles });
      await pause(CLIENT_PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  const served = (version: string): Promise<void> => until(() => seen.at(-1)?.snapshot === version);

  let last = '';
  for (let generation = 1; generation <= GENERATIONS; generation += 1) {
    const title = `Generation ${generation}`;
    {
      await using db = await openWorkingDatabase(workspace.dataDir);
      await db.run('UPDATE registrations SET title = $1', [title]);
    }
    last = (await publishStage(workspace, { accept: [] }, effects)).version;
    titleOf.set(last, title);
    // The test waits until every other snapshot is served. The next one may come while the server still loads the one
    // before it.
    if (generation % 2 === 0) await served(last);
  }
  publishing = false;
  await Promise.all(clients);

  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  const mixed = seen.filter(({ snapshot, titles }) => {
    const title = titleOf.get(snapshot);
    return title === undefined ? titles.size > 0 : titles.size !== 1 || !titles.has(title);
  });
  expect(mixed).toEqual([]);
  expect(seen.at(-1)?.snapshot).toBe(last);
  expect(new Set(seen.map(({ snapshot }) => snapshot)).size).toBeGreaterThanOrEqual(GENERATIONS / 2);
  expect(await server.stop()).toBe(0);
});
