import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { Operation } from '../../contract/operation.ts';
import { BOARD_OPERATIONS } from '../../contract/operations.ts';
import { openBoard, type TestBoard } from '../support/board/board.ts';
import { samplePopulation } from '../support/board/results-gap.ts';

/**
 * Sends every kind of wrong value in every field of every body and in every query parameter. Each answer is a 4xx that
 * says what to mend, never a 5xx.
 */

const WRONG: Record<string, unknown> = {
  null: null,
  'a number': 12,
  'a fraction below zero': -0.5,
  true: true,
  'an object': { $ne: 1 },
  'an array': ['a', { b: 1 }],
  'a deep array': JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`),
  'an empty text': '',
  blanks: '   \t\n',
  'one letter': 'x',
  '6,000 letters': 'é'.repeat(3_000),
  'control characters': `a${String.fromCharCode(0, 1, 7, 27, 127)}b`.repeat(10),
  'a lone surrogate': `text with ${String.fromCharCode(0xd800)} in the middle of it, long enough`,
  'bidi marks': 'text \u202e\u2066 turned round, and long enough to pass any length',
  markup: '<script>alert(1)</script> & <img src=x onerror=alert(1)> long enough',
  SQL: "'; DROP TABLE claims; -- long enough to pass for any text that is asked",
  'a path': '../../../../etc/passwd',
  'a prototype': '__proto__',
};
const HOSTILE_QUERY = [
  '',
  '%20',
  '%00',
  '%ff',
  'x'.repeat(10_000),
  '-1',
  '1e9',
  'NaN',
  '[]',
  "'%20OR%201=1--",
  '../..',
  '__proto__',
  '%22%22',
  '*',
  '(a+)+$',
];
const SECRETS = /node_modules|\.ts:\d|SQLITE|sqlite|kysely|at Object\.|stack/;

let board: TestBoard;
beforeAll(async () => {
  board = await openBoard({ population: await samplePopulation() });
});
afterAll(() => board[Symbol.asyncDispose]());

function fieldsOf(operation: Operation): string[] {
  return Object.keys((operation.body as { shape?: Record<string, z.ZodType> } | undefined)?.shape ?? {});
}

const OPERATIONS: readonly Operation[] = BOARD_OPERATIONS;
const pathOf = (operation: Operation): string => operation.path.replaceAll(/\{[A-Za-z]+\}/g, 'nothing_here');

function assertSound(status: number, body: { error?: Record<string, unknown> } | null, what: string): void {
  expect(status, what).toBeLessThan(500);
  if (status < 400) return;
  expect(body?.error, what).toMatchObject({
    code: expect.any(String),
    retryable: false,
    hint: expect.any(String),
    correlationId: expect.any(String),
  });
  expect(JSON.stringify(body), what).not.toMatch(SECRETS);
}

describe('a body', () => {
  const withBody = OPERATIONS.filter(({ body }) => body !== undefined);

  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'of %s with any field wrong is refused or harmless',
    async (_id, operation) => {
      for (const [row, field] of fieldsOf(operation).entries()) {
        for (const [column, [name, value]] of Object.entries(WRONG).entries()) {
          // Each from a group of addresses of its own, because a group holds few keys.
          const headers = { 'x-forwarded-for': `10.${row}.${column}.1` };
          const { status, body } = await board.send(pathOf(operation), { [field]: value }, headers, operation.method);
          assertSound(status, body, `${operation.id}.${field}: ${name}`);
        }
      }
    },
  );

  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'of %s that is no JSON object is INVALID_BODY',
    async (_id, operation) => {
      for (const text of ['[]', '"text"', 'null', '12', '{', '{"a":', 'a=b&c=d', '\u0000', '{"a":1}{"b":2}']) {
        const { status, body } = await board.send(pathOf(operation), text, {}, operation.method);
        expect([text, status, body.error.code]).toEqual([text, 400, 'INVALID_BODY']);
      }
    },
  );

  it.each(withBody.map((operation) => [operation.id, operation] as const))(
    'of %s over its ceiling is BODY_TOO_LARGE, at it is read',
    async (_id, operation) => {
      const max = operation.bodyMaxBytes ?? 8_000;
      const filled = (bytes: number): string => `{"x":"${'y'.repeat(bytes - 8)}"}`;
      expect(filled(max).length).toBe(max);
      const at = await board.send(pathOf(operation), filled(max), {}, operation.method);
      expect(at.body.error?.code).not.toBe('BODY_TOO_LARGE');
      const over = await board.send(pathOf(operation), filled(max + 1), {}, operation.method);
      expect([over.status, over.body.error.code]).toEqual([413, 'BODY_TOO_LARGE']);
    },
  );
});

describe('a body with thousands of faults', () => {
  it('is refused with the first hundred and their number', async () => {
    const endpointsUsed = Array.from({ length: 4_000 }, () => 1);
    const { status, body } = await board.send('/api/v1/findings', { endpointsUsed });
    expect([status, body.error.issues.length]).toEqual([422, 100]);
    expect(body.error.message).toMatch(/^The body has 40\d\d problem\(s\): /);
  });
});

describe('a query parameter', () => {
  const cases = OPERATIONS.flatMap((operation) =>
    Object.keys(operation.query ?? {}).map((name) => [operation.id, name, operation] as const),
  );

  it.each(cases)('of %s?%s that is wrong is refused by name or harmless', async (_id, name, operation) => {
    if (operation.method !== 'GET') return;
    for (const value of HOSTILE_QUERY) {
      const { status, body } = await board.get(`${pathOf(operation)}?${name}=${value}`);
      assertSound(status, body, `${operation.id}?${name}=${value.slice(0, 40)}`);
    }
  });
});

describe('a path', () => {
  const cases = OPERATIONS.filter(({ params }) => params !== undefined);

  it.each(cases.map((operation) => [operation.id, operation] as const))(
    'of %s with any id is refused or not found',
    async (_id, operation) => {
      for (const id of HOSTILE_QUERY) {
        if (id === '' || id.includes('..')) continue;
        const path = operation.path.replace(/\{[A-Za-z]+\}/, id);
        const init =
          operation.method === 'GET'
            ? {}
            : { method: operation.method, body: '{}', headers: { 'content-type': 'application/json' } };
        const { status, body } = await board.get(path, init);
        assertSound(status, body, `${operation.id} ${path.slice(0, 80)}`);
      }
    },
  );
});
