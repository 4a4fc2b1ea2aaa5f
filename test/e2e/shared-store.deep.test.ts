import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLastCheck, readState } from '../../snapshot/format/versions/state.ts';
import { type FakeS3, startS3 } from '../../tools/cluster/loopback-s3.ts';
import { folderOfFile } from '../support/folders.ts';
import { startPipeline } from '../support/pipeline-process.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { until } from '../support/until.ts';

/** A publisher and a service on two machines, as far as their files go: nothing is between them but an S3 store. */

const { path: root } = folderOfFile();
let s3: FakeS3;
let service: ServerProcess;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
});

function settings(machine: string): Record<string, string> {
  const { endpoint, region, accessKeyId, secretAccessKey } = s3.config;
  return {
    DATA_DIR: join(root, machine, 'data'),
    SNAPSHOTS_DIR: join(root, machine, 'snapshots'),
    SNAPSHOT_STORE: 's3://snapshots/boards',
    ...{ S3_ENDPOINT: endpoint!, S3_REGION: region },
    ...{ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey },
  };
}

const started = (machine: string, words: readonly string[]) => startPipeline(words, settings(machine));

async function pipeline(machine: string, ...words: string[]) {
  const { out, errors } = await started(machine, [...words, '--json']).ended;
  if (out === '') throw new Error(errors);
  return JSON.parse(out);
}

async function served(by = service): Promise<string | null> {
  const response = await fetch(`${by.url}/readyz`);
  return response.ok ? ((await response.json()) as { snapshot: string }).snapshot : null;
}

test('what one machine publishes, another one serves without a restart, and a killed pull is gone on with', async () => {
  const first = await pipeline('publisher', 'run', '--source', 'sample');
  expect(first).toMatchObject({ code: 'PUBLISHED', pushed: { pointer: { generation: 1 } } });

  // Killed again and again, each time further on: what came stays, and nothing is in its place.
  for (const asked of [2, 6, 10, 14]) {
    s3.asked = [];
    const killed = started('replica', ['store', 'pull']);
    // In the middle of a request, however late this process gets its turn.
    s3.onAsked = () => {
      if (s3.asked.filter((line) => /^GET (?:versions|releases)\//.test(line)).length >= asked)
        killed.child.kill('SIGKILL');
    };
    await killed.ended;
    expect(await readdir(join(root, 'replica', 'snapshots'))).not.toContain('CURRENT');
  }

  s3.onAsked = () => {};
  service = await startServer('tools/start.ts', settings('replica'));
  await until(async () => (await served()) === first.published.version);

  const second = await pipeline('publisher', 'run', '--source', 'sample', '--day', '1');
  expect(second.pushed).toMatchObject({ pointer: { generation: 2 } });
  await until(async () => (await served()) === second.published.version);
  const status = await pipeline('replica', 'store', 'status');
  expect(status).toMatchObject({
    pointer: { generation: 2, version: second.published.version },
    here: { generation: 2, fault: null },
  });

  // A run that finds nothing new brings no version, only when that was.
  const again = await pipeline('publisher', 'publish', '--source', 'sample');
  expect(again).toMatchObject({ code: 'UNCHANGED', pushed: { pointer: { generation: 3 } } });
  // An index server alone follows too.
  await using index = await startServer('tools/start.ts', settings('index'), 'index');
  await until(async () => (await served(index)) === second.published.version);
  expect((await fetch(`${index.url}/api/v1/trials/search?q=diabetes`)).status).toBe(200);
  expect(await index.stop()).toBe(0);
  const { lastCheck } = await readState(join(root, 'publisher', 'snapshots'));
  expect(lastCheck?.checkedAt).toBe(again.unchangedAt);
  await until(async () => (await readLastCheck(join(root, 'replica', 'snapshots')))?.checkedAt === again.unchangedAt);
});
