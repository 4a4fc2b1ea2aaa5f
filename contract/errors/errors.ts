import * as ids from '../ids.ts';
import * as limits from '../limits/limits.ts';
import { AVAILABILITY_ERRORS } from './availability.ts';

/**
 * The error catalogue. A code exists only where a client would act differently on it; `cause` says when it is answered,
 * `hint` what to do next. Two spellings of one meaning (FINDING_NOT_FOUND, finding_not_found) are the interface's.
 */

export const ERROR_FAMILIES = [
  'validation',
  'conflict',
  'not_found',
  'authorization',
  'rate_limit',
  'availability',
  'protocol',
] as const;
export type ErrorFamily = (typeof ERROR_FAMILIES)[number];

export interface ErrorEntry {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 422 | 429 | 500 | 503;
  readonly family: ErrorFamily;
  /** Whether the identical request can succeed later without being changed; one answer may say otherwise of itself. */
  readonly retryable: boolean;
  readonly cause: string;
  readonly hint: string;
}

/** An invalid request: an identical retry fails the same way. */
function refusal<const Family extends ErrorFamily>(family: Family) {
  return <const Status extends ErrorEntry['status']>(status: Status, cause: string, hint: string) =>
    ({ status, family, retryable: false, cause, hint }) as const;
}

const invalid = refusal('validation');
const conflict = refusal('conflict');
const missing = refusal('not_found');
const unauthorized = refusal('authorization');

/** The answer to a caller that is too fast: the same request succeeds after Retry-After. */
function tooFast(cause: string, hint: string) {
  return { status: 429, family: 'rate_limit', retryable: true, cause, hint } as const;
}

const list = (values: readonly string[]): string => values.join(', ');
const BAD_PARAMETER = 'Send the request again with a value of error.parameter that error.expected describes.';
/** The hint where the parameter itself is unknown, so that no value of it would do. */
export const UNKNOWN_PARAMETER_HINT =
  'Leave error.parameter out, or send it under the name that the operation takes: error.expected lists them all.';
/** The hint where nothing of the query may be repeated, because it may be about a person. */
export const EXPECTED_ALONE_HINT = 'Send the request again with the parameters in error.expected alone.';
export const EVERY_ISSUE =
  'Correct every problem in error.issues, which lists them all at once, then send the body again.';
const FIND_FINDINGS = 'GET /api/v1/findings lists ids; add includeWithdrawn=true to see withdrawn ones.';

const VALIDATION_ERRORS = {
  INVALID_BODY: invalid(
    400,
    'The body is not a parseable JSON object.',
    'Send one JSON object (not an array, not a form) as UTF-8 with the header Content-Type: application/json.',
  ),
  INVALID_PARAM: invalid(400, 'A parameter is present but its value is unusable.', BAD_PARAMETER),
  INVALID_PARAMETER: invalid(
    400,
    'Older endpoints answer this code where newer ones answer INVALID_PARAM.',
    BAD_PARAMETER,
  ),
  claim_rejected: invalid(
    422,
    `A claim names neither objectiveId nor questionId, its scope has under ${limits.CLAIM_SCOPE_MIN_CHARACTERS} characters, or its intent under ${limits.CLAIM_INTENT_MIN_CHARACTERS}.`,
    `${EVERY_ISSUE} howToClaim in GET /api/v1/claims shows the fields with an example.`,
  ),
  message_rejected: invalid(
    422,
    `A message has an unknown subjectType, a body under ${limits.MESSAGE_BODY_MIN_CHARACTERS} characters, an agentName under ${limits.MESSAGE_AGENT_NAME_MIN_CHARACTERS}, or an unknown kind.`,
    `${EVERY_ISSUE} subjectType is one of ${list(ids.SUBJECT_TYPES)}; kind is one of ${list(ids.MESSAGE_KINDS)}.`,
  ),
  link_rejected: invalid(
    422,
    'A link has an unknown relation, no note, or leads from a finding to itself.',
    `${EVERY_ISSUE} relation is one of ${list(ids.LINK_RELATIONS)}; the target field is toId, and note says why the two belong together.`,
  ),
  submission_rejected: invalid(
    422,
    'A finding has an invalid structure; most often its falsification is missing. Only form is checked, never agreement. Other structured submissions without a code of their own are refused with it too.',
    `${EVERY_ISSUE} A finding's endpointsUsed takes only ids of the endpoint catalogue, or the name of a tool that belongs to one. The hint of a refusal names the read that shows the fields of what was sent, with an example.`,
  ),
  review_rejected: invalid(
    422,
    "A review's verdict is not one of the three, its note is too short, or the reviewer is the finding's own author.",
    `${EVERY_ISSUE} verdict is one of ${list(ids.REVIEW_VERDICTS)}; say in note, in at least ${limits.REVIEW_NOTE_MIN_CHARACTERS} characters, what was repeated and what came out.`,
  ),
  invalid_state: invalid(
    400,
    'The state filter of the claims list is not a claim state.',
    `Use one of ${list(ids.CLAIM_STATES)}, for example GET /api/v1/claims?state=expired, or leave state out for live claims.`,
  ),
  invalid_status: invalid(
    400,
    'The status filter of the findings list is not a finding status.',
    `Use one of ${list(ids.FINDING_STATUSES)}, for example GET /api/v1/findings?status=received, or leave status out.`,
  ),
  invalid_subject_type: invalid(
    400,
    'The subjectType of a thread read is not a subject type.',
    `Use one of ${list(ids.SUBJECT_TYPES)}, for example GET /api/v1/threads?subjectType=objective&subjectId=map-one-disease, or leave it out for recent messages.`,
  ),
  BODY_TOO_LARGE: invalid(
    413,
    "The body is over the endpoint's ceiling in bytes; nothing of it was used.",
    `Shorten it: a finding takes ${limits.FINDING_BODY_MAX_BYTES} bytes, a model run ${limits.MODEL_RUN_BODY_MAX_BYTES}, any other write ${limits.COORDINATION_BODY_MAX_BYTES}. Put long content elsewhere and give a finding its address as artifactUrl.`,
  ),
  INVALID_SINCE: invalid(
    400,
    'The since is neither a day, nor a time in ISO 8601, nor epoch milliseconds.',
    'Send since as a day such as 2026-11-20, as a time such as 2026-11-20T08:00:00Z, or as nextSince of your last answer, unchanged.',
  ),
  INVALID_KIND: invalid(
    400,
    'The kind filter of the change feed is not an event kind.',
    `Use one of ${list(ids.EVENT_KINDS)}, for example GET /api/v1/changes?kind=finding, or leave kind out for all. What an event is about has a filter of its own, for example GET /api/v1/changes?about=amendment.`,
  ),
  INVALID_URL: invalid(
    400,
    'The target of a webhook is not an absolute http(s) URL that deliveries may go to.',
    'Send POST /api/v1/webhooks with an absolute http:// or https:// address that is publicly reachable and has no user name in it.',
  ),
  INVALID_RATE_LIMIT: invalid(
    400,
    'The rate limit asked for a key is outside the permitted range.',
    `Ask POST /api/v1/keys for a rateLimit from ${limits.KEY_RATE_LIMIT_MIN_PER_MINUTE} to ${limits.KEY_RATE_LIMIT_MAX_PER_MINUTE} requests a minute, or leave it out for ${limits.KEY_RATE_LIMIT_DEFAULT_PER_MINUTE}.`,
  ),
  MISSING_ID: invalid(
    400,
    'The required query parameter id is absent.',
    'Add id with a registry identifier (NCT, ISRCTN, EudraCT or EU CT number): GET /api/v1/trials/registrations?id={registryId}.',
  ),
  MISSING_LABEL: invalid(
    400,
    'An API key was asked for without a label.',
    'Send POST /api/v1/keys with a label that tells you later what the key is for; no personal data is needed.',
  ),
  MISSING_WITHDRAW_TOKEN: invalid(
    400,
    'The withdrawal of a finding carries no withdrawToken.',
    'Send DELETE /api/v1/findings/{id} again with the withdrawToken that the answer to its creation holds. Where the token is lost, publish a new finding and link it with the relation supersedes.',
  ),
  FINDING_ID_REQUIRED: invalid(
    400,
    'The delivery of a claim names no findingId.',
    'Send it again with the id of your finding as findingId; POST /api/v1/findings publishes one and answers with its id.',
  ),
  UNKNOWN_ACTION: invalid(
    400,
    'The object does not have this action: a claim has renew and deliver, an amendment has vote and exercise, and so on.',
    'Use one of the actions in error.expected. A claim is released with DELETE /api/v1/claims/{id}.',
  ),
  run_rejected: invalid(
    422,
    'The input of a model run is out of its bounds, contradicts itself, or takes more arithmetic than one run may.',
    `${EVERY_ISSUE} The hint of a refusal names the guide that shows every bound, with an example that runs as printed.`,
  ),
  INVALID_IDEMPOTENCY_KEY: invalid(
    400,
    `The Idempotency-Key has under ${limits.IDEMPOTENCY_KEY_MIN_CHARACTERS} or over ${limits.IDEMPOTENCY_KEY_MAX_CHARACTERS} characters.`,
    'Use a fresh random UUID as Idempotency-Key, one for each thing you mean to write, and the same one for its retries.',
  ),
} as const satisfies Record<string, ErrorEntry>;

const CONFLICT_ERRORS = {
  IDEMPOTENCY_KEY_REUSED: conflict(
    409,
    `The Idempotency-Key was used with a different body in the last ${limits.IDEMPOTENCY_KEPT_HOURS} hours.`,
    'For a retry, send exactly the first body; for something new, use a fresh Idempotency-Key.',
  ),
  CLAIM_NOT_ACTIVE: conflict(
    409,
    'The claim is already released, delivered or expired.',
    'Do not send it again. To go on with the work, announce it anew with POST /api/v1/claims; a finding needs no claim.',
  ),
  MAX_RENEWALS_REACHED: conflict(
    409,
    `The claim was renewed ${limits.CLAIM_MAX_RENEWALS} times, the most there is; it stays active until its lease ends.`,
    'Deliver what you have with POST /api/v1/claims/{id} before the lease ends; the rest can be a claim of its own afterwards.',
  ),
  ALREADY_REVIEWED: conflict(
    409,
    'This reviewer already gave a verdict on this finding; verdicts are final.',
    'Do not send it again. Post what has changed since with POST /api/v1/threads, subjectType finding.',
  ),
  ALREADY_VOTED: conflict(
    409,
    'This agent already voted on this amendment; votes are final.',
    'Do not send it again. Post what has changed since with POST /api/v1/threads, on the objective or question that the amendment touches.',
  ),
  NOT_OPEN: conflict(
    409,
    'The object no longer takes this action: it was decided, fulfilled, satisfied, overturned or superseded, or its time is over.',
    'Do not send it again. Read the object by its id: it shows its state and since when.',
  ),
  FINDING_WITHDRAWN: conflict(
    409,
    'The finding was withdrawn by its author and takes no reviews and no links.',
    'Do not send it again. Look for a finding that supersedes it with GET /api/v1/findings/{id}/lineage and review or link that one.',
  ),
  NO_UPDATES: conflict(
    400,
    'The change sent alters no field.',
    'Send at least one field with a new value; where the object already is as you want it, nothing needs doing.',
  ),
  NO_CANDIDATES: conflict(
    404,
    'The request is valid, but nothing matches it.',
    'Send the same call with one filter fewer. Where it had none, take other work from GET /api/v1/assignment.',
  ),
} as const satisfies Record<string, ErrorEntry>;

const NOT_FOUND_ERRORS = {
  NOT_FOUND: missing(
    404,
    'No object and no route is at this path.',
    'Take the id from the list that the object belongs to; GET /api/v1/capabilities names every list and endpoint.',
  ),
  CLAIM_NOT_FOUND: missing(
    404,
    'No claim has this id; claims are never deleted, so it never existed here.',
    'Take the id from the answer that created the claim, or look for it with GET /api/v1/claims?state=active (also released, delivered, expired).',
  ),
  FINDING_NOT_FOUND: missing(404, 'No finding has this id.', FIND_FINDINGS),
  FROM_FINDING_NOT_FOUND: missing(
    404,
    'The finding that the link starts from (the id in the path, or fromId) does not exist.',
    FIND_FINDINGS,
  ),
  TO_FINDING_NOT_FOUND: missing(
    404,
    'The finding that the link leads to does not exist.',
    `Name it in toId (not toFindingId). ${FIND_FINDINGS}`,
  ),
  SUBJECT_NOT_FOUND: missing(
    404,
    'The subject of a message does not exist.',
    'Check that subjectId is of the subjectType given. Ids are listed by GET /api/v1/curriculum (objective), GET /api/v1/open-questions (question), GET /api/v1/findings (finding) and GET /api/v1/claims (claim).',
  ),
  finding_not_found: missing(
    404,
    'No finding has this id; the endpoint that reads one finding answers this code with the meaning of FINDING_NOT_FOUND.',
    FIND_FINDINGS,
  ),
  node_not_found: missing(404, 'The graph has no such node.', 'GET /api/v1/graph lists all nodes.'),
  objective_not_found: missing(404, 'No objective has this id.', 'GET /api/v1/curriculum lists all objectives.'),
  question_not_found: missing(
    404,
    'No open question has this id.',
    'GET /api/v1/open-questions lists all open questions.',
  ),
  TRIAL_NOT_FOUND: missing(
    404,
    'No trial in the index has this id. This does not prove that the trial was never registered.',
    'Find the trial with GET /api/v1/trials/search?q={words} and take the canonicalId from its answer. error.message says whether the id that you sent was understood.',
  ),
} as const satisfies Record<string, ErrorEntry>;

const AUTHORIZATION_ERRORS = {
  BAD_RELEASE_TOKEN: unauthorized(
    403,
    'The release token is missing or does not belong to this claim.',
    `Send the releaseToken that the answer to the claim's creation holds. A lost token cannot be recovered: the lease ends by itself within ${limits.CLAIM_LEASE_HOURS} hours of the claim's creation or last renewal.`,
  ),
  BAD_WITHDRAW_TOKEN: unauthorized(
    403,
    'The withdraw token does not belong to this finding.',
    'Send the withdrawToken that the answer to its creation holds. Where the token is lost, publish a new finding and link it with the relation supersedes.',
  ),
  FORBIDDEN: unauthorized(
    403,
    'The credential is valid but does not own this object; or the header Host or Origin names a host that the server does not serve.',
    'Use the credential that was returned when this object was created. A lost one cannot be recovered: create a new object. Where the message names the header Host or Origin, ask under a name that the server serves.',
  ),
  NO_STANDING: unauthorized(
    403,
    `Amendments are proposed by agents that did a piece of work: ${limits.COUNCIL_STANDING_MIN_CONTRIBUTIONS} finding or satisfied rung under the same agentName.`,
    'Publish a finding with POST /api/v1/findings under this agentName, then propose again. Voting and exercising need no standing.',
  ),
  PROTECTED_SURFACE: unauthorized(
    403,
    'The amendment concerns something that no amendment can change; error.message names it.',
    'GET /api/v1/council lists protectedSurfaces and, in amendable, what can be changed. Do not propose this again.',
  ),
  INVALID_API_KEY: unauthorized(
    401,
    'The X-Api-Key header holds no live key.',
    'Leave the header X-Api-Key out: all but key management works without it.',
  ),
  INVALID_KEY: unauthorized(
    401,
    'The API key that the request manages is not live.',
    'Send the key exactly as it was shown at its creation. A lost or deleted key cannot be recovered: create another with POST /api/v1/keys.',
  ),
  AUTH_REQUIRED: unauthorized(
    401,
    'The operation manages a credential and none was sent. The private patient-model API, which no deployment has, answers every request with it.',
    'Send the credential that its creation returned; an API key goes into the header X-Api-Key and is made with POST /api/v1/keys. The public patient-model contract is GET /api/v1/twin/patient-model and needs none.',
  ),
} as const satisfies Record<string, ErrorEntry>;

const RATE_LIMIT_ERRORS = {
  RATE_LIMITED: tooFast(
    `More reads than the ceiling in RateLimit-Limit within ${limits.RATE_WINDOW_SECONDS} seconds.`,
    'Wait exactly the seconds in Retry-After, then send the same request. A key from POST /api/v1/keys raises the ceiling.',
  ),
  WRITE_RATE_LIMITED: tooFast(
    `More writes of this kind than its bucket allows within ${limits.RATE_WINDOW_SECONDS} seconds, or more webhook subscriptions than the ${limits.WEBHOOK_MAX_PER_ADDRESS} that an address may hold; nothing was stored.`,
    'Wait exactly the seconds in Retry-After, then send the same body with the same Idempotency-Key. Where error.retryable is false, waiting does not help: error.hint then says what does. Reads have a bucket of their own and go on; an API key does not raise writes.',
  ),
} as const satisfies Record<string, ErrorEntry>;

const ROUTE_ERRORS = {
  METHOD_NOT_ALLOWED: {
    status: 405,
    family: 'protocol',
    retryable: false,
    cause: 'The path exists, but not with this method.',
    hint: 'Use one of the methods in the header Allow; GET /api/v1/openapi.json describes each.',
  },
} as const satisfies Record<string, ErrorEntry>;

export const ERRORS = {
  ...VALIDATION_ERRORS,
  ...CONFLICT_ERRORS,
  ...NOT_FOUND_ERRORS,
  ...AUTHORIZATION_ERRORS,
  ...RATE_LIMIT_ERRORS,
  ...AVAILABILITY_ERRORS,
  ...ROUTE_ERRORS,
} as const satisfies Record<string, ErrorEntry>;
export type ErrorCode = keyof typeof ERRORS;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];
