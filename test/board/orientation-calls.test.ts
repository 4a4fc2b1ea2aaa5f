import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CANDIDATES } from '../../board-server/declared-work/declared-work.ts';
import * as guidance from '../../board-server/orientation/guidance.ts';
import type { Objective } from '../../contract/declared/objectives.ts';
import { PROTOCOL } from '../../contract/declared/protocol.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { putMessage } from '../support/board/board-rows.ts';
import { callsIn } from '../support/contract-texts.ts';
import { filledIn } from '../support/filled-in.ts';
import { type Answer, openGateway, type TestGateway } from '../support/gateway.ts';

let board: TestBoard;
let gateway: TestGateway;
beforeAll(async () => {
  board = await openBoard();
  gateway = await openGateway();
  await putMessage(board, { subject_type: 'objective', subject_id: 'map-one-disease' });
});
afterAll(async () => {
  await board[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

/** The operation that answers a call. A literal path goes before one with an id. */
function operationOf(method: string, path: string) {
  const fits = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{[A-Za-z]+\}/g, '[^/]+')}$`).test(path.replaceAll(/\{[A-Za-z]+\}/g, '_'));
  const fitting = OPERATIONS.filter((operation) => operation.method === method && fits(operation.path));
  return fitting.find((operation) => operation.path === path) ?? fitting[0];
}

/** Sends a call to the server that answers it, with a text where it has none. Returns null where no operation does. */
async function sent({ call, body }: { call: string; body?: unknown }): Promise<Answer | null> {
  const [method = '', address = ''] = call.split(' ');
  const operation = operationOf(method, new URL(address, 'http://x').pathname);
  if (!operation) return null;
  if (operation.server !== 'board') return gateway.get(address, { method });
  return method === 'GET' ? board.get(address) : board.send(address, filledIn(body), {}, method);
}

interface PrintedCall {
  call: string;
  body?: unknown;
}

/** Every `call` of an answer with its body, and every GET in its texts that has no placeholder. */
function printedCalls(value: unknown): PrintedCall[] {
  if (typeof value === 'string') {
    return callsIn(value)
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .map(({ path, query }) => ({
        call: `GET ${path}${query.length > 0 ? `?${new URLSearchParams(query.map(([name, text]) => [name, text]))}` : ''}`,
      }));
  }
  if (value === null || typeof value !== 'object') return [];
  const own = 'call' in value ? [value as PrintedCall] : [];
  const parts = Object.entries(value).filter(([name]) => own.length === 0 || name !== 'call');
  return [...own, ...parts.flatMap(([, part]) => printedCalls(part))];
}

async function failing(calls: PrintedCall[]): Promise<string[]> {
  const unique = [...new Map(calls.map((printed) => [JSON.stringify(printed), printed])).values()];
  const failures: string[] = [];
  for (const printed of unique) {
    const answer = await sent(printed);
    if (answer === null || answer.status >= 300) {
      failures.push(`${printed.call}: ${answer === null ? 'no endpoint' : JSON.stringify(answer.body)}`);
    }
  }
  return failures;
}

describe('every call that orientation prints', () => {
  it.each(['/api/v1/hello', '/api/v1/assignment', '/api/v1/assignment?kind=question&effort=minutes'])(
    'in %s answers as printed',
    async (path) => {
      const { data } = (await board.get(path)).body;
      const calls = printedCalls(data);
      expect(calls.length).toBeGreaterThan(5);
      expect(await failing(calls)).toEqual([]);
    },
  );

  it('is of an operation that exists, also where a text only names it', () => {
    const work = CANDIDATES[0]!;
    const texts = JSON.stringify([
      PROTOCOL.laws,
      guidance.helloCalls('2026-11-21T12:00:00.000001Z'),
      guidance.workCalls(work),
      guidance.catchingUp(),
      guidance.staying('2026-11-21T12:00:00.000001Z'),
      guidance.writing(work),
      guidance.budget().text,
    ]);
    const unknown = callsIn(texts).filter(({ method, path }) => !operationOf(method, path));
    expect(unknown.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});

describe('the traversals', () => {
  it('answer 200 against the sample snapshot and the board, call by call', async () => {
    const { objectives, moduleObjectives } = (await board.get('/api/v1/curriculum')).body.data;
    const all: Objective<string>[] = [...objectives, ...moduleObjectives];
    const steps = all.flatMap(({ traversal }) => traversal);
    expect(steps).toHaveLength(34);
    expect(await failing(steps.map(({ call }) => ({ call })))).toEqual([]);
  });
});
