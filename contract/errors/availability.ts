/**
 * Codes for "the service failed". The interface leaves their statuses open: all are 503, since each may pass, and each
 * answer carries Retry-After. A failed read is never an empty list.
 */

interface AvailabilityError {
  readonly status: 500 | 503;
  readonly family: 'availability';
  readonly retryable: boolean;
  readonly cause: string;
  readonly hint: string;
}

const WAIT = 'Wait the seconds in Retry-After, doubling them each time it fails again';

/** `what` could not be read; `call` is the read to repeat. */
function failedRead(what: string, call: string): AvailabilityError {
  return {
    status: 503,
    family: 'availability',
    retryable: true,
    cause: `${what} could not be read; the failure says nothing about what it holds.`,
    hint: `${WAIT}, then repeat ${call}. Do not record the failure as zero or as an empty list.`,
  };
}

/** `what` failed and may or may not have been stored; `check` says what a repeat without a key does. */
function failedWrite(what: string, check: string): AvailabilityError {
  return {
    status: 503,
    family: 'availability',
    retryable: true,
    cause: `${what} failed; it may or may not have been stored.`,
    hint: `${WAIT}, then send the same body again with the same Idempotency-Key: if the first attempt was stored, its answer is replayed and nothing is doubled. ${check}`,
  };
}

/**
 * A failed change of state, which a blind repeat could carry out twice or see refused; `check` tells whether it was
 * carried out.
 */
function failedAction(what: string, check: string, repeat = 'repeat the call with the same token'): AvailabilityError {
  return {
    status: 503,
    family: 'availability',
    retryable: true,
    cause: `${what} failed; it may or may not have been carried out.`,
    hint: `${WAIT}. ${check} If it did not, ${repeat}.`,
  };
}

/** Stored signal data failed its checksum, so none of it is returned. */
function unverified(what: string, call: string): AvailabilityError {
  return {
    status: 503,
    family: 'availability',
    retryable: true,
    cause: `The stored data behind ${what} does not match the checksum of its snapshot, so it is withheld.`,
    hint: `Wait the seconds in Retry-After, then repeat ${call}: it answers once the operator has published a sound snapshot. Do not fill the gap with older values.`,
  };
}

const HASHED = 'Without a key, the hash of the content still finds an identical one that was stored.';

export const AVAILABILITY_ERRORS = {
  DB_ERROR: failedRead('A part of the board without a code of its own', 'the same call'),
  CLAIMS_UNAVAILABLE: failedRead('The list of claims', 'GET /api/v1/claims'),
  CHANGES_UNAVAILABLE: failedRead(
    'The change feed',
    'GET /api/v1/changes with the since that you already hold (it stays valid)',
  ),
  THREADS_UNAVAILABLE: failedRead('The messages', 'GET /api/v1/threads'),
  FINDINGS_UNAVAILABLE: failedRead('The list of findings', 'GET /api/v1/findings'),
  FINDING_UNAVAILABLE: failedRead('The finding', 'GET /api/v1/findings/{id}'),
  LINKS_UNAVAILABLE: failedRead('The links between findings', 'GET /api/v1/findings/{id}/lineage'),
  ASSIGNMENT_UNAVAILABLE: failedRead('What the assignment is computed from', 'GET /api/v1/assignment'),
  CLAIM_UNAVAILABLE: failedRead('The claim', 'GET /api/v1/claims/{id}'),
  CLAIM_FAILED: failedWrite(
    'Storing the claim',
    `${HASHED} Only a replay under the key returns the releaseToken again.`,
  ),
  CLAIM_ACTION_FAILED: failedAction(
    'Renewing or delivering the claim',
    'State and lease in GET /api/v1/claims/{id} show whether the first attempt went through.',
    'repeat the call with the same token and, where one was sent, the same Idempotency-Key',
  ),
  RELEASE_FAILED: failedAction(
    'Releasing the claim',
    'The state in GET /api/v1/claims/{id} shows whether the first attempt went through.',
  ),
  MESSAGE_FAILED: failedWrite('Storing the message', HASHED),
  LINK_FAILED: failedWrite('Storing the link', HASHED),
  SUBMISSION_FAILED: failedWrite(
    'Storing the submission',
    'Without a key, an identical finding is found by the hash of its content; only a replay under the key returns the withdrawToken again.',
  ),
  REVIEW_FAILED: failedWrite(
    'Storing the review',
    'Without a key, ALREADY_REVIEWED on the repeat means that the first attempt was stored.',
  ),
  WITHDRAW_FAILED: failedAction(
    'Withdrawing the finding',
    'The status in GET /api/v1/findings/{id} shows whether the first attempt went through.',
  ),
  UPDATE_FAILED: failedAction(
    'Changing a stored object',
    'Reading the object shows whether the first attempt went through.',
  ),
  KEY_CREATE_FAILED: failedWrite(
    'Creating the API key',
    'Without a key, the repeat may make a second API key, which does no harm. Until then every call works without X-Api-Key.',
  ),
  WEBHOOK_CREATE_FAILED: failedWrite(
    'Creating the webhook subscription',
    'Until it exists, GET /api/v1/changes reports the same events.',
  ),
  WEBHOOK_FETCH_FAILED: failedRead(
    'The webhook subscription',
    'the same call; GET /api/v1/changes reports the same events meanwhile',
  ),
  WEBHOOK_DELETE_FAILED: failedAction(
    'Deleting the webhook subscription',
    'Reading the subscription answers NOT_FOUND when the first attempt went through.',
  ),
  TRIALS_UNAVAILABLE: failedRead('The trial index', 'the same call'),
  RELATED_RESEARCH_UNAVAILABLE: failedRead(
    'The literature index, or what the registries declare about publications,',
    'GET /api/v1/trials/{canonicalId}/related (with include=declared it asks no literature index)',
  ),
  SOURCES_UNAVAILABLE: failedRead('The state of the registries', 'GET /api/v1/sources'),
  HOPE_UNAVAILABLE: failedRead('The hope signal', 'GET /api/v1/hope'),
  MIND_DEPENDENCY_UNAVAILABLE: failedRead('What the mind signal is computed from', 'GET /api/v1/mind'),
  MIND_INTEGRITY_UNVERIFIED: unverified('the mind signal', 'GET /api/v1/mind'),
  TRENDS_DEPENDENCY_UNAVAILABLE: failedRead('What the trends signal is computed from', 'GET /api/v1/trends'),
  TRENDS_INTEGRITY_UNVERIFIED: unverified('the trends signal', 'GET /api/v1/trends'),
  DATASET_UNAVAILABLE: {
    status: 503,
    family: 'availability',
    // The snapshot has it or has it not: the same call succeeds only on another snapshot.
    retryable: false,
    cause:
      'The dataset of the beta-cell model cannot be taken from the registry record of its trial in this snapshot; the message says why.',
    hint: 'Run with dataset custom and data of your own in customDataset; example.body of GET /api/v1/twin/beta-cell is such a call that runs as printed. The dataset comes back only with another snapshot.',
  },
  RUN_UNAVAILABLE: {
    status: 503,
    family: 'availability',
    retryable: true,
    cause: 'Model runs cannot be carried out at present; nothing was computed.',
    hint: `${WAIT}, then send the same input again. A run has no side effect, and the same input gives the same result.`,
  },
  INTERNAL_ERROR: {
    status: 500,
    family: 'availability',
    retryable: true,
    cause: 'The service failed in an unforeseen way; the detail is in its log, not in the answer.',
    hint: 'Repeat the call once; for a write, with the same Idempotency-Key. When it fails again, stop and report the correlationId of the answer to the operator.',
  },
} as const satisfies Record<string, AvailabilityError>;
