import { pino } from 'pino';
import { expect, it } from 'vitest';
import { listen } from '../../server-kit/serve.ts';
import { callA2a, dataPart, messageOf, sendSkill, textPart } from '../support/a2a.ts';
import { MESSAGE } from '../support/board/board-writes.ts';
import { openGateway } from '../support/gateway.ts';
import { openOrigin } from '../support/origin.ts';

/** How long the task of an answer can be read. */

const HOUR_MS = 3_600_000;

const get = async (url: string, id: string) => (await callA2a(url, 'tasks/get', { id })).body;

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

it('After a restart a task is not known, and a message that is sent again does not write again', async () => {
  const params = messageOf([dataPart({ skill: 'post_message', ...MESSAGE })]);
  await using origin = await openOrigin();
  const first = await callA2a(origin.url, 'message/send', params);
  await using restarted = await openGateway(undefined, origin.board.clock.now, { board: origin.upstream });
  const server = await listen(restarted.app, { host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) });
  await using _ = { [Symbol.asyncDispose]: () => server.close() };
  expect((await get(server.url, first.body.result.id)).error.code).toBe(-32001);
  const again = await callA2a(server.url, 'message/send', params);
  const written = ({ body }: typeof again) => body.result.artifacts[0].parts[0].data.data.id;
  expect(written(again)).toBe(written(first));
});
