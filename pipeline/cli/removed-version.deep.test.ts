import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readRunLog } from '../../snapshot/format/versions/run-log.ts';
import { quietEffects } from '../../test/builders/working-database.ts';
import { startPipeline } from '../../test/support/pipeline-process.ts';
import { COMPILE_CACHE } from '../../test/support/runner/compile-cache.ts';
import { onlyNewest, TestPublisher } from '../../test/support/snapshots/publisher.ts';
import { ROOT } from '../../test/support/tree.ts';
import { gc } from '../publish/retention/gc.ts';

/** The command line as a process, where gc removed a version. */

let publisher: TestPublisher;
let removed: string;
let served: string;
beforeAll(async () => {
  publisher = await TestPublisher.of();
  removed = (await publisher.publish()).version;
  served = (await publisher.publish()).version;
  await gc(publisher.snapshots, onlyNewest(1), quietEffects());
});
afterAll(() => publisher[Symbol.asyncDispose]());

const folders = () => ({ DATA_DIR: publisher.dataDir, SNAPSHOTS_DIR: publisher.snapshots });

async function stated(words: string[]): Promise<{ exitCode?: number; code?: string; message?: string }> {
  return JSON.parse((await startPipeline([...words, '--json'], folders()).ended).out);
}

it('commands that need its files say when it was removed and what is kept', async () => {
  const message = `The version ${removed} was removed on 2026-11-21T03:15:00.500Z by gc; its manifest and its changes are kept: \`pipeline show ${removed}\` prints them, and \`pipeline list\` names the versions whose files are there`;
  for (const words of [
    ['verify', removed],
    ['current', removed],
    ['pin', removed],
    ['diff', removed],
  ])
    expect(await stated(words)).toEqual({ code: 'SNAPSHOT_UNUSABLE', exitCode: 1, message });
  // None of them began.
  expect(await readRunLog(publisher.snapshots)).toEqual([]);
  expect((await stated(['verify', '20300101T000000Z-00000000'])).message).toBe(
    `there is no snapshot 20300101T000000Z-00000000 in ${publisher.snapshots}; \`pipeline list\` names those that are there`,
  );
});

it('a reader that closes its end, as head does, is no failure', async () => {
  // The shell waits until the end is closed.
  const script = 'read line; exec "$0" pipeline/cli.ts list --json';
  const child = spawn('sh', ['-c', script, process.execPath], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...folders() },
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, 'exit');
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end('\n');
  expect([...(await ended), stderr]).toEqual([0, null, '']);
});

it('a pin is recorded', async () => {
  expect(await stated(['pin', served])).toEqual({ pins: [served] });
  expect(await stated(['pin', served, '--remove'])).toEqual({ pins: [] });
  const runs = (await readRunLog(publisher.snapshots)).slice(0, 2);
  expect(runs.map(({ command, end }) => [command, end?.code, end?.message])).toEqual([
    ['pin', 'DONE', `${served} is not pinned any more`],
    ['pin', 'DONE', `${served} is pinned`],
  ]);
});
