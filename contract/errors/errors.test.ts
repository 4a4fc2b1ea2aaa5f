import { describe, expect, test } from 'vitest';
import { unknownCallsIn, unknownHeadersIn } from '../../test/support/contract-texts.ts';
import { ERROR_CODES, ERROR_FAMILIES, ERRORS, type ErrorEntry } from './errors.ts';
import { IDEMPOTENCY_CONTRACT, PROTOCOL_ERRORS } from './protocol.ts';

const entries: [string, ErrorEntry][] = Object.entries(ERRORS);

/** One line `code status` for each error of a family, in catalogue order. */
function linesOf(family: string): string[] {
  return entries.filter(([, entry]) => entry.family === family).map(([code, entry]) => `${code} ${entry.status}`);
}

describe('the error catalogue', () => {
  test('validation codes carry the statuses of the interface', () => {
    expect(linesOf('validation')).toEqual([
      'INVALID_BODY 400',
      'INVALID_PARAM 400',
      'INVALID_PARAMETER 400',
      'claim_rejected 422',
      'message_rejected 422',
      'link_rejected 422',
      'submission_rejected 422',
      'review_rejected 422',
      'invalid_state 400',
      'invalid_status 400',
      'invalid_subject_type 400',
      'BODY_TOO_LARGE 413',
      'INVALID_SINCE 400',
      'INVALID_KIND 400',
      'INVALID_URL 400',
      'INVALID_RATE_LIMIT 400',
      'MISSING_ID 400',
      'MISSING_LABEL 400',
      'MISSING_WITHDRAW_TOKEN 400',
      'FINDING_ID_REQUIRED 400',
      'UNKNOWN_ACTION 400',
      'run_rejected 422',
      'INVALID_IDEMPOTENCY_KEY 400',
    ]);
  });

  test('conflict codes carry the statuses of the interface, two of which are not 409', () => {
    expect(linesOf('conflict')).toEqual([
      'IDEMPOTENCY_KEY_REUSED 409',
      'CLAIM_NOT_ACTIVE 409',
      'MAX_RENEWALS_REACHED 409',
      'ALREADY_REVIEWED 409',
      'ALREADY_VOTED 409',
      'NOT_OPEN 409',
      'FINDING_WITHDRAWN 409',
      'NO_UPDATES 400',
      'NO_CANDIDATES 404',
    ]);
  });

  test('not-found codes are all 404, in both spellings', () => {
    expect(linesOf('not_found')).toEqual([
      'NOT_FOUND 404',
      'CLAIM_NOT_FOUND 404',
      'FINDING_NOT_FOUND 404',
      'FROM_FINDING_NOT_FOUND 404',
      'TO_FINDING_NOT_FOUND 404',
      'SUBJECT_NOT_FOUND 404',
      'finding_not_found 404',
      'node_not_found 404',
      'objective_not_found 404',
      'question_not_found 404',
      'TRIAL_NOT_FOUND 404',
    ]);
  });

  test('authorization codes: 403 for a credential that does not fit, 401 for one that is missing or dead', () => {
    expect(linesOf('authorization')).toEqual([
      'BAD_RELEASE_TOKEN 403',
      'BAD_WITHDRAW_TOKEN 403',
      'FORBIDDEN 403',
      'NO_STANDING 403',
      'PROTECTED_SURFACE 403',
      'INVALID_API_KEY 401',
      'INVALID_KEY 401',
      'AUTH_REQUIRED 401',
    ]);
  });

  test('rate-limit codes are 429', () => {
    expect(linesOf('rate_limit')).toEqual(['RATE_LIMITED 429', 'WRITE_RATE_LIMITED 429']);
  });

  test('availability codes are 503, the unforeseen fault 500', () => {
    expect(linesOf('availability')).toEqual([
      'DB_ERROR 503',
      'CLAIMS_UNAVAILABLE 503',
      'CHANGES_UNAVAILABLE 503',
      'THREADS_UNAVAILABLE 503',
      'FINDINGS_UNAVAILABLE 503',
      'FINDING_UNAVAILABLE 503',
      'LINKS_UNAVAILABLE 503',
      'ASSIGNMENT_UNAVAILABLE 503',
      'CLAIM_UNAVAILABLE 503',
      'CLAIM_FAILED 503',
      'CLAIM_ACTION_FAILED 503',
      'RELEASE_FAILED 503',
      'MESSAGE_FAILED 503',
      'LINK_FAILED 503',
      'SUBMISSION_FAILED 503',
      'REVIEW_FAILED 503',
      'WITHDRAW_FAILED 503',
      'UPDATE_FAILED 503',
      'KEY_CREATE_FAILED 503',
      'WEBHOOK_CREATE_FAILED 503',
      'WEBHOOK_FETCH_FAILED 503',
      'WEBHOOK_DELETE_FAILED 503',
      'TRIALS_UNAVAILABLE 503',
      'RELATED_RESEARCH_UNAVAILABLE 503',
      'SOURCES_UNAVAILABLE 503',
      'HOPE_UNAVAILABLE 503',
      'MIND_DEPENDENCY_UNAVAILABLE 503',
      'MIND_INTEGRITY_UNVERIFIED 503',
      'TRENDS_DEPENDENCY_UNAVAILABLE 503',
      'TRENDS_INTEGRITY_UNVERIFIED 503',
      'DATASET_UNAVAILABLE 503',
      'RUN_UNAVAILABLE 503',
      'INTERNAL_ERROR 500',
    ]);
  });

  test('beyond the interface there are METHOD_NOT_ALLOWED, INTERNAL_ERROR and seven of the research surfaces: 87 codes in 7 families', () => {
    expect(linesOf('protocol')).toEqual(['METHOD_NOT_ALLOWED 405']);
    expect(ERROR_CODES).toHaveLength(87);
    expect([...new Set(entries.map(([, entry]) => entry.family))].sort()).toEqual([...ERROR_FAMILIES].sort());
  });

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

  test('never show an unfilled blank', () => {
    for (const [where, text] of texts) expect(text, where).not.toMatch(/undefined|NaN|\[object|\$\{/);
  });

  test('are a few whole sentences on one line', () => {
    for (const [code, { cause, hint }] of entries) {
      expect(hint, code).toMatch(/^[A-Z].{20,420}\.$/);
      expect(cause, code).toMatch(/^[A-Z].{10,300}\.$/);
    }
  });

  test('quote the vocabularies and limits of the contract', () => {
    expect(ERRORS.review_rejected.hint).toContain('corroborates, disputes, extends');
    expect(ERRORS.link_rejected.hint).toContain('replicates, extends, contradicts, supersedes, depends_on');
    expect(ERRORS.INVALID_RATE_LIMIT.hint).toContain('from 120 to 1000');
    expect(ERRORS.BODY_TOO_LARGE.hint).toContain(
      'a finding takes 20000 bytes, a model run 64000, any other write 8000',
    );
    expect(ERRORS.claim_rejected.cause).toContain('under 3 characters, or its intent under 40');
    expect(ERRORS.MAX_RENEWALS_REACHED.cause).toContain('14 times');
  });

  test('of a rate limit and of a failed write say how to retry safely', () => {
    expect(ERRORS.RATE_LIMITED.hint).toContain('exactly the seconds in Retry-After');
    expect(ERRORS.WRITE_RATE_LIMITED.hint).toContain('exactly the seconds in Retry-After');
    for (const code of ['CLAIM_FAILED', 'MESSAGE_FAILED', 'LINK_FAILED', 'SUBMISSION_FAILED', 'REVIEW_FAILED'] as const)
      expect(ERRORS[code].hint, code).toContain('the same Idempotency-Key');
  });
});

test('protocol codes are the JSON-RPC and A2A ones, none twice', () => {
  expect(PROTOCOL_ERRORS.map((entry) => `${entry.code} ${entry.name}`)).toEqual([
    '-32700 ParseError',
    '-32600 InvalidRequest',
    '-32601 MethodNotFound',
    '-32602 InvalidParams',
    '-32603 InternalError',
    '-32001 TaskNotFound',
    '-32002 TaskNotCancelable',
    '-32003 PushNotificationNotSupported',
    '-32004 UnsupportedOperation',
    '-32005 ContentTypeNotSupported',
    '-32006 InvalidAgentResponse',
    '-32007 AuthenticatedExtendedCardNotConfigured',
  ]);
});

test('the idempotency contract states 8 to 200 characters, 24 hours, the replay header and the 409', () => {
  expect(IDEMPOTENCY_CONTRACT).toMatchObject({
    header: 'Idempotency-Key',
    minCharacters: 8,
    maxCharacters: 200,
    keptHours: 24,
    replayHeader: 'Idempotency-Replayed',
    conflictCode: 'IDEMPOTENCY_KEY_REUSED',
    invalidCode: 'INVALID_IDEMPOTENCY_KEY',
  });
  expect(IDEMPOTENCY_CONTRACT.differentBody).toContain('409 IDEMPOTENCY_KEY_REUSED');
});
