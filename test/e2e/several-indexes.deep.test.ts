import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** A gateway before two index servers, each in a process of its own: none of its readers notices that one ends. */

const settings = () => ({ SNAPSHOTS_DIR: inject('sampleSnapshots'), DRAIN_NOTICE: '3' });
let indexes: ServerProcess[];
let gateway: ServerProcess;
beforeAll(async () => {
  indexes = await Promise.all([0, 1, 2].map(() => startServer('index-server/main.ts', settings())));
  gateway = await startServer('gateway/main.ts', { ...settings(), INDEX_URL: indexes.map(({ url }) => url).join(',') });
});
afterAll(async () => {
  await Promise.all([gateway, ...indexes].map((server) => server.stop()));
});

/** Reads through the gateway until `work` is done; how many were answered, and what was not a 200. */
async function readDuring(work: () => Promise<void>): Promise<{ answered: number; failed: string[] }> {
  const outcome = { answered: 0, failed: [] as string[] };
  let isOver = false;
  const readers = Array.from({ length: 6 }, async (_, reader) => {
    for (let count = 0; !isOver; count += 1) {
      const response = await fetch(`${gateway.url}/api/v1/trials/search?q=diabetes&page=${((reader + count) % 3) + 1}`);
      const body = await response.text();
      if (response.status === 200) outcome.answered += 1;
      else outcome.failed.push(`${response.status} ${body}`);
    }
  });
  await until(() => outcome.answered > 30);
  await work();
  const before = outcome.answered;
  await until(() => outcome.answered > before + 30);
  isOver = true;
  await Promise.all(readers);
  return outcome;
}

it('reads go on without a failure while one index is killed', async () => {
  const killed = indexes[0]!.child;
  const outcome = await readDuring(async () => {
    killed.kill('SIGKILL');
    await until(() => killed.signalCode === 'SIGKILL');
  });
  expect(outcome.failed).toEqual([]);
});

it('and while one drains, which ends with code 0', async () => {
  let code: number | null = null;
  const outcome = await readDuring(async () => {
    code = await indexes[1]!.stop();
  });
  expect([code, outcome.failed]).toEqual([0, []]);
  const { text } = await fetch(`${gateway.url}/metrics`).then(async (response) => ({ text: await response.text() }));
  expect(text).toContain('trial_board_upstream_servers{server="index",state="ready"} 1\n');
});
