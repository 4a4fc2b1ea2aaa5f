import { expect } from 'vitest';
import { isServer } from '../../board-server/store/store-address.ts';
import { ERRORS } from '../../contract/errors/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { inWordsOf } from '../../gateway/door-words/in-words-of.ts';
import { withFewSites } from '../../gateway/view/sites-of-trials.ts';
import { failureFaults, successFaults } from '../support/checks/answer-shape.ts';
import { type Answered, type Case, type Earlier, isRefusal, resolved, type Step } from './case.ts';
import type { Door, DoorKind } from './doors/door.ts';
import { httpDoorOf } from './doors/http.ts';

/**
 * Fields in which two answers to one request may differ: `traffic` counts requests by door, and each index server checks
 * its snapshot at a time of its own.
 */
const VOLATILE: readonly string[] = ['correlationId', 'traffic', 'checkedAt'];
/** Replaces the address of the origin that answered. */
const ANY_ORIGIN = 'http://origin.example';
/** Replaces the status component that names what holds the board. */
const ANY_STORE = 'component of the store';

const BY_ID = new Map(OPERATIONS.map((operation) => [operation.id, operation]));

export function operationOf(id: string): Operation {
  const operation = BY_ID.get(id);
  if (!operation) throw new Error(`a case of ${id}, which is no operation`);
  return operation;
}

/** Whether the door offers at least one operation of the case. */
export function concerns(door: DoorKind, one: Case): boolean {
  return one.steps.some(({ operation }) => door.offers(operationOf(operation)));
}

/**
 * Runs a case through a door and through the reference. Each has its own board, and both boards stay equal. A step
 * that the door does not offer is sent over HTTP. Each answer must contain the case's facts, have the shape that its
 * operation promises, and equal the reference's answer in every field that is not volatile.
 */
export async function runCase(one: Case, door: Door, reference: Door | null): Promise<void> {
  const earlier: unknown[] = [];
  const referenceEarlier: unknown[] = [];
  for (const [place, step] of one.steps.entries()) {
    const what = `${one.title}, step ${place + 1} (${step.operation}) at ${door.kind.name}`;
    const answered = await take(step, door, earlier);
    // In other words than REST's, the equal answer of the reference tells its facts.
    const isCompared = door.kind.words !== undefined && reference !== null;
    if (!isCompared || isRefusal(step)) assertExpected(step, answered, earlier, what);
    assertShape(operationOf(step.operation), answered, door, what);
    earlier.push(answered.ok ? answered.envelope.data : null);
    if (reference) {
      const other = await take(step, reference, referenceEarlier);
      referenceEarlier.push(other.ok ? other.envelope.data : null);
      // A model gets the first sites of a registration; gateway/view/sites-of-trials.test.ts says which.
      const isCut = door.kind.words !== undefined && other.ok;
      const told = isCut ? { ...other, envelope: withFewSites(step.operation, other.envelope) } : other;
      const expected = inWordsOf(door.kind.words ?? 'rest', comparable(told, reference));
      expect(comparable(answered, door), what).toEqual(withoutNextCalls(door, expected));
      if (answered.status !== null) expect(answered.status, what).toBe(other.status);
    }
  }
}

async function take(step: Step, door: Door, earlier: Earlier): Promise<Answered> {
  if (step.hoursLater !== undefined) door.origin.board.clock.advance(step.hoursLater * 3_600_000);
  const operation = operationOf(step.operation);
  const own = door.kind.offers(operation) ? door : httpDoorOf(door.origin);
  return own.call(operation, resolved(step.given ?? {}, earlier), step.apiKey?.(...earlier));
}

function assertExpected(step: Step, answered: Answered, earlier: Earlier, what: string): void {
  if (isRefusal(step)) {
    const { code, status, parameter, issues } = step;
    if (answered.ok) throw new Error(`${what} succeeded: ${JSON.stringify(answered.envelope).slice(0, 500)}`);
    expect([answered.error.code, ERRORS[answered.error.code].status], what).toEqual([code, status]);
    if (answered.status !== null) expect(answered.status, what).toBe(status);
    if (parameter !== undefined) expect(answered.error.parameter, what).toBe(parameter);
    const paths = answered.error.issues?.map(({ path }) => path);
    if (issues !== undefined) expect(paths, what).toEqual(issues);
    return;
  }
  if (!answered.ok) throw new Error(`${what} failed: ${JSON.stringify(answered.error)}`);
  const { status, data, meta } = step;

  if (status !== undefined && answered.status !== null) expect(answered.status, what).toBe(status);
  if (data !== undefined) expect(answered.envelope, what).toMatchObject({ data: resolved(data, earlier) });
  if (meta !== undefined) expect(answered.envelope, what).toMatchObject({ _meta: resolved(meta, earlier) });
}

function assertShape(operation: Operation, answered: Answered, door: Door, what: string): void {
  if (!answered.ok) {
    if (answered.local) return;
    expect(failureFaults(operation, answered.status, { error: answered.error }, door.kind.words), what).toEqual([]);
    // Next calls have another form in other words; such an answer equals that of the reference, which is held to its schema.
  } else if (operation.envelope !== false && door.kind.words === undefined) {
    expect(successFaults(operation, answered.envelope), what).toEqual([]);
  }
}

/** The answer without the fields that may differ between doors. */
function comparable(answered: Answered, door: Door): unknown {
  const body = answered.ok ? { envelope: answered.envelope } : { error: answered.error };
  const store = isServer(door.origin.board.path) ? 'board-database' : 'board-file';
  const steady = (name: string, value: unknown): unknown => {
    // Removes the fields at every depth, since each part of a batch has a correlation id too.
    if (VOLATILE.includes(name)) return undefined;
    return name === 'component' && value === store ? ANY_STORE : value;
  };
  return withoutNextCalls(door, JSON.parse(JSON.stringify(body).replaceAll(door.origin.url, ANY_ORIGIN), steady));
}

/** A door with words of its own adds next calls. */
function withoutNextCalls(door: Door, body: unknown): unknown {
  if (door.kind.words === undefined) return body;
  return JSON.parse(JSON.stringify(body), (name, value) => (name === 'nextCalls' ? undefined : value));
}
