import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { publishStage } from '../../pipeline/run/stages.ts';
import { workspaceOf } from '../../pipeline/run/workspace.ts';
import { openWorkingDatabase } from '../../pipeline/store/database.ts';
import { startServer } from '../support/server-process.ts';

const GENERATIONS = 10;
const CLIENTS = 2;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'trial-board-swap-'));
  await cp(inject('sampleData'), join(root, 'data'), { recursive: true });
  await cp(inject('sampleSnapshots'), join(root, 'snapshots'), { recursive: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

interface Seen {
  status: number;
  snapshot: string;
  titles: Set<string>;
}

it('ten snapshots published under load: no request fails, none mixes two, and the last one is served without a restart', async () => {
  const config = loadConfig({ DATA_DIR: join(root, 'data'), SNAPSHOTS_DIR: join(root, 'snapshots') }, root);
  const workspace = workspaceOf(config, 'sample');
  const effects = { now: () => new Date(), progress: () => {}, checkpoint: () => {} };
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
      seen.push({
        status: response.status,
        snapshot: _meta.snapshot,
        titles: new Set(data.trials.map(({ title }) => title)),
      });
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);

  let last = '';
  for (let generation = 1; generation <= GENERATIONS; generation += 1) {
    const title = `Generation ${generation}`;
    {
      await using db = await openWorkingDatabase(workspace.dataDir);
      await db.run('UPDATE registrations SET title = $1', [title]);
    }
    last = (await publishStage(workspace, [], effects)).version;
    titleOf.set(last, title);
  }
  const deadline = Date.now() + 10_000;
  while (seen.at(-1)?.snapshot !== last && Date.now() < deadline) await new Promise((done) => setTimeout(done, 50));
  publishing = false;
  await Promise.all(clients);

  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  const mixed = seen.filter(({ snapshot, titles }) => {
    const title = titleOf.get(snapshot);
    return title === undefined ? titles.size > 0 : titles.size !== 1 || !titles.has(title);
  });
  expect(mixed).toEqual([]);
  expect(seen.at(-1)?.snapshot).toBe(last);
  expect(new Set(seen.map(({ snapshot }) => snapshot)).size).toBeGreaterThan(3);
  expect(await server.stop()).toBe(0);
}, 120_000);
