import { pino } from 'pino';
import { createBoardApp } from '../../../board-server/app.ts';
import type { Operation } from '../../../contract/operation.ts';
import { BOARD_OPERATIONS } from '../../../contract/operations.ts';
import { type Case, type Given, resolved, type Step } from '../../cases/case.ts';
import { overHttp } from '../../cases/doors/door.ts';
import { CASES } from '../../cases/every-case.ts';
import type { TestBoard } from './board.ts';

/** A session of agents over every surface of the board: what the cases send to it. */

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  BOARD_OPERATIONS.map((operation) => [operation.id, operation]),
);

export type Call = (operation: Operation, given: Given, apiKey?: string) => ReturnType<typeof overHttp>;

/** Calls operations of a board. Other tests check the answers, so this does not. */
export function callOf({ services, clock }: Pick<TestBoard, 'services' | 'clock'>): Call {
  const log = pino({ level: 'silent' });
  const app = createBoardApp({ services, log, now: clock.now, baseUrl: 'http://test.example' });
  const send = async (path: string, init: RequestInit) => app.fetch(new Request(`http://test.example${path}`, init));
  return (operation, given, apiKey) => overHttp(send, operation, given, apiKey);
}

/** Takes the steps of all cases that concern the board. */
export async function takeCases(board: Pick<TestBoard, 'clock'>, call: Call): Promise<void> {
  for (const one of CASES) await take(ofBoard(one), call, board);
}

/**
 * The steps of a case up to the first that asks another server. Steps of the results gap end it too: they use trials of
 * the sample corpus.
 */
function ofBoard({ steps }: Case): Case['steps'] {
  const isOther = ({ operation }: Step): boolean => !OPERATIONS.has(operation) || operation.startsWith('results-gap');
  const other = steps.findIndex(isOther);
  return other < 0 ? steps : steps.slice(0, other);
}

async function take(steps: Case['steps'], call: Call, { clock }: Pick<TestBoard, 'clock'>): Promise<void> {
  const earlier: unknown[] = [];
  for (const { operation, given, apiKey, hoursLater } of steps) {
    if (hoursLater !== undefined) clock.advance(hoursLater * 3_600_000);
    const answered = await call(OPERATIONS.get(operation)!, resolved(given ?? {}, earlier), apiKey?.(...earlier));
    earlier.push(answered.ok ? answered.envelope.data : null);
  }
}
