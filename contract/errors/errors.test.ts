import { describe, expect, test } from 'vitest';
import { unknownCallsIn, unknownHeadersIn } from '../../test/support/contract-texts.ts';
import { ERRORS, type ErrorEntry } from './errors.ts';
import { IDEMPOTENCY_CONTRACT, PROTOCOL_ERRORS } from './protocol.ts';

const entries: [string, ErrorEntry][] = Object.entries(ERRORS);

describe('the error catalogue', () => {
  test('a 5xx and a 429 are retryable but for what only another snapshot changes, every other 4xx is not', () => {
    for (const [code, { status, retryable }] of entries) {
      const passes = code !== 'DATASET_UNAVAILABLE' && (status >= 500 || status === 429);
      expect(retryable, code).toBe(passes);
    }
  });
});

describe('the hints', () => {
  const texts = [
    ...entries.flatMap(([code, { cause, hint }]): [string, string][] => [
      [`${code} cause`, cause],
      [`${code} hint`, hint],
    ]),
    ...PROTOCOL_ERRORS.map((entry): [string, string] => [entry.name, entry.when]),
    ...Object.entries(IDEMPOTENCY_CONTRACT).map(([key, value]): [string, string] => [key, String(value)]),
  ];

  test('name only calls, parameters and headers that exist', () => {
    for (const [where, text] of texts) {
      expect(unknownCallsIn(text), where).toEqual([]);
      expect(unknownHeadersIn(text), where).toEqual([]);
    }
  });

  test('name only codes that exist', () => {
    for (const [where, text] of texts) {
      const named = text.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
      expect(
        named.filter((word) => !(word in ERRORS)),
        where,
      ).toEqual([]);
    }
  });
});
