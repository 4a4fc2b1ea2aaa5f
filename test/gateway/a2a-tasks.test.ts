import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { type Logger, pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { TaskFile } from '../../gateway/store/task-file.ts';
import { callA2a, dataPart, messageOf, sendSkill, textPart } from '../support/a2a.ts';
import { CLAIM, MESSAGE } from '../support/board/board-writes.ts';
import { openOrigin } from '../support/origin.ts';
import { deep } from '../support/runner/amount.ts';
import { startServer } from '../support/server-process.ts';

/** How long the task of an answer can be read. */

const HOUR_MS = 3_600_000;
let root: string;
let path: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'trial-board-a2a-'));
  path = join(root, 'a2a-tasks.sqlite');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const get = async (url: string, id: string) => (await callA2a(url, 'tasks/get', { id })).body;

/** A log and the warnings written to it. */
function listening(): { log: Logger; warnings: string[] } {
  const warnings: string[] = [];
  return { warnings, log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }) };
}

it('A task is given back for 24 hours and then is not found', async () => {
  await using origin = await openOrigin();
  const { task } = await sendSkill(origin.url, 'post_message', MESSAGE);
  origin.board.clock.advance(24 * HOUR_MS - 1);
  expect((await get(origin.url, task!.id)).result).toEqual(task);
  origin.board.clock.advance(1);
  expect((await get(origin.url, task!.id)).error.code).toBe(-32001);
});

it('A task that waits is kept 24 hours from its last message', async () => {
  await using origin = await openOrigin();
  const { body } = await callA2a(origin.url, 'message/send', messageOf([textPart('Hello')]));
  const { id } = body.result;
  origin.board.clock.advance(23 * HOUR_MS);
  await callA2a(origin.url, 'message/send', messageOf([textPart('Still here')], { taskId: id }));
  origin.board.clock.advance(23 * HOUR_MS);
  expect((await get(origin.url, id)).result.history.length).toBe(2);
  origin.board.clock.advance(HOUR_MS);
  const late = await callA2a(origin.url, 'message/send', messageOf([textPart('Late')], { taskId: id }));
  expect(late.body.error.code).toBe(-32001);
});

it('Tasks outlive the gateway, and one that waits can be gone on with by the next', async () => {
  let claimed: { id: string };
  let waiting: { id: string };
  {
    using tasks = TaskFile.open(path);
    await using origin = await openOrigin({ tasks });
    claimed = (await sendSkill(origin.url, 'post_message', MESSAGE)).task!;
    waiting = (await callA2a(origin.url, 'message/send', messageOf([]))).body.result;
  }
  using tasks = TaskFile.open(path);
  await using origin = await openOrigin({ tasks });
  expect((await get(origin.url, claimed.id)).result).toEqual(claimed);
  const params = messageOf([dataPart({ skill: 'errors' })], { taskId: waiting.id });
  const { body } = await callA2a(origin.url, 'message/send', params);
  expect([body.result.id, body.result.status.state]).toEqual([waiting.id, 'completed']);
});

it('A restart does not make a message that is sent again write again', async () => {
  const params = messageOf([dataPart({ skill: 'post_message', ...MESSAGE })]);
  using tasks = TaskFile.open(path);
  await using before = await openOrigin({ tasks });
  const first = await callA2a(before.url, 'message/send', params);
  // The second gateway has another board, so an equal answer can only come from the task store.
  await using after = await openOrigin({ tasks });
  const second = await callA2a(after.url, 'message/send', params);
  expect(second.body.result).toEqual(first.body.result);
});

describe('a store that cannot be written to', () => {
  it('fails no write: the answer is given, the fault is logged without it, and the task is not found', async () => {
    using tasks = TaskFile.open(path);
    const { log, warnings } = listening();
    await using origin = await openOrigin({ tasks, log });
    const other = new SQLite(path);
    other.exec('BEGIN EXCLUSIVE');
    const { state, envelope, task } = await sendSkill(origin.url, 'claim_work', CLAIM);
    const { id, releaseToken } = envelope!.data as { id: string; releaseToken: string };
    expect(state).toBe('completed');
    expect((await origin.get(`/api/v1/claims/${id}`)).body.data.id).toBe(id);
    expect((await get(origin.url, task!.id)).error.code).toBe(-32001);
    other.exec('ROLLBACK');
    other.close();
    expect((await get(origin.url, task!.id)).error.code).toBe(-32001);
    const logged = warnings.join('\n');
    expect(logged).toContain('an A2A task could not be kept');
    expect(logged).toContain('SQLITE_BUSY');
    expect(logged).not.toContain(releaseToken);
    expect(logged).not.toContain(task!.id);
  });

  it('is never believed about a task whose present state it missed', async () => {
    using tasks = TaskFile.open(path);
    await using origin = await openOrigin({ tasks });
    const { body } = await callA2a(origin.url, 'message/send', messageOf([]));
    const { id } = body.result;
    // This lock lets reads pass while another program writes.
    const other = new SQLite(path);
    other.exec('BEGIN IMMEDIATE');
    const params = messageOf([dataPart({ skill: 'errors' })], { taskId: id });
    const answer = await callA2a(origin.url, 'message/send', params);
    expect(answer.body.error?.code ?? answer.body.result.status.state).toBe('completed');
    other.exec('ROLLBACK');
    other.close();
    expect((await get(origin.url, id)).error.code).toBe(-32001);
  });
});

deep.describe('the gateway as a process', () => {
  const start = () =>
    startServer('gateway/main.ts', {
      DATA_DIR: root,
      SNAPSHOTS_DIR: inject('sampleSnapshots'),
      LOG_LEVEL: 'info',
    });

  it('that is killed has its tasks again when it is started again', async () => {
    const killed = await start();
    const { task } = await sendSkill(killed.url, 'world_trial_stats');
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    await using server = await start();
    expect((await get(server.url, task!.id)).result).toEqual(task);
  });

  it('starts without its file, and holds tasks in memory', async () => {
    mkdirSync(path);
    await using server = await start();
    const { task } = await sendSkill(server.url, 'world_trial_stats');
    expect((await get(server.url, task!.id)).result).toEqual(task);
  });
});
