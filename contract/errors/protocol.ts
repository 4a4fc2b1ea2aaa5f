import * as limits from '../limits/limits.ts';

/** What GET /api/v1/errors shows beside the catalogue: the JSON-RPC codes and the idempotency contract. */

export interface ProtocolError {
  readonly code: number;
  readonly name: string;
  readonly definedBy: 'JSON-RPC 2.0' | 'A2A 0.3.0';
  /** The specification's words; an answer may add more after them. */
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  readonly when: string;
}

/**
 * Codes of an A2A envelope that is rejected before any skill runs; the HTTP status is 200, as JSON-RPC has it. A skill
 * that runs and fails carries a code of the catalogue instead. Source: A2A specification 0.3.0, section on errors.
 */
export const PROTOCOL_ERRORS = [
  {
    code: -32700,
    name: 'ParseError',
    definedBy: 'JSON-RPC 2.0',
    message: 'Invalid JSON payload',
    hint: 'Send one JSON object as UTF-8.',
    when: 'The body is not JSON.',
  },
  {
    code: -32600,
    name: 'InvalidRequest',
    definedBy: 'JSON-RPC 2.0',
    message: 'Request payload validation error',
    hint: 'Send one object with jsonrpc "2.0", an id and a method, not a list of them. After a task has ended, send the next message without its taskId.',
    when: 'The body is JSON but not a JSON-RPC 2.0 request, or a message continues a task that has already ended.',
  },
  {
    code: -32601,
    name: 'MethodNotFound',
    definedBy: 'JSON-RPC 2.0',
    message: 'Method not found',
    hint: 'Use message/send, tasks/get or tasks/cancel.',
    when: 'The method is not part of A2A.',
  },
  {
    code: -32602,
    name: 'InvalidParams',
    definedBy: 'JSON-RPC 2.0',
    message: 'Invalid parameters',
    hint: 'Correct every problem in error.data.issues. A message with no parts at all returns the skill directory, with an example message for each skill.',
    when: 'The params do not have the shape of the method, for example a message without messageId, role or parts. An empty parts list is no error: it returns the skill directory.',
  },
  {
    code: -32603,
    name: 'InternalError',
    definedBy: 'JSON-RPC 2.0',
    message: 'Internal error',
    hint: 'Send the same message again with the same messageId: a write that was carried out is not carried out twice.',
    when: 'The service failed in an unforeseen way; the same request may be sent again.',
  },
  {
    code: -32001,
    name: 'TaskNotFound',
    definedBy: 'A2A 0.3.0',
    message: 'Task not found',
    hint: 'Send the message without taskId; it begins a new task.',
    when: 'No task has this id, or it is too old to be kept.',
  },
  {
    code: -32002,
    name: 'TaskNotCancelable',
    definedBy: 'A2A 0.3.0',
    message: 'Task cannot be canceled',
    hint: 'Read its result with tasks/get.',
    when: 'The task has already ended; a routed skill ends within its own call.',
  },
  {
    code: -32003,
    name: 'PushNotificationNotSupported',
    definedBy: 'A2A 0.3.0',
    message: 'Push Notification is not supported',
    hint: 'Leave pushNotificationConfig out; subscribe with POST /api/v1/webhooks, or read GET /api/v1/changes, which is also the skill changes.',
    when: 'A push notification method was called. Use webhooks (POST /api/v1/webhooks) or GET /api/v1/changes instead.',
  },
  {
    code: -32004,
    name: 'UnsupportedOperation',
    definedBy: 'A2A 0.3.0',
    message: 'This operation is not supported',
    hint: 'Use message/send: its answer is complete when it comes.',
    when: 'A streaming method was called (message/stream, tasks/resubscribe); use message/send.',
  },
  {
    code: -32005,
    name: 'ContentTypeNotSupported',
    definedBy: 'A2A 0.3.0',
    message: 'Incompatible content types',
    hint: 'Accept application/json or text/plain, and send data parts or text parts.',
    when: 'None of the accepted output modes is application/json or text/plain, or a part has a media type that no skill reads.',
  },
  {
    code: -32006,
    name: 'InvalidAgentResponse',
    definedBy: 'A2A 0.3.0',
    message: 'Invalid agent response',
    hint: 'Send the request again.',
    when: "Defined for an agent whose reply is malformed. It is listed for completeness: this service's own faults are InternalError.",
  },
  {
    code: -32007,
    name: 'AuthenticatedExtendedCardNotConfigured',
    definedBy: 'A2A 0.3.0',
    message: 'Authenticated Extended Card is not configured',
    hint: 'Read the public card at GET /.well-known/agent-card.json.',
    when: 'Defined for an agent without an extended card. It is listed for completeness: agent/getAuthenticatedExtendedCard answers here, without any credential.',
  },
] as const satisfies readonly ProtocolError[];
export type ProtocolErrorName = (typeof PROTOCOL_ERRORS)[number]['name'];

/** The promise behind the header Idempotency-Key, in the words that the service publishes. */
export const IDEMPOTENCY_CONTRACT = {
  header: 'Idempotency-Key',
  minCharacters: limits.IDEMPOTENCY_KEY_MIN_CHARACTERS,
  maxCharacters: limits.IDEMPOTENCY_KEY_MAX_CHARACTERS,
  keptHours: limits.IDEMPOTENCY_KEPT_HOURS,
  replayHeader: 'Idempotency-Replayed',
  conflictCode: 'IDEMPOTENCY_KEY_REUSED',
  invalidCode: 'INVALID_IDEMPOTENCY_KEY',
  appliesTo: 'Every POST on the coordination surface; the key is optional.',
  form: `${limits.IDEMPOTENCY_KEY_MIN_CHARACTERS} to ${limits.IDEMPOTENCY_KEY_MAX_CHARACTERS} characters, bare or in double quotes, which are not counted. Use a random UUID (version 4): only under a key that holds one does a replay show a one-time token again.`,
  scope:
    'A key belongs to its caller (the API key that was sent, or else the address group: IPv4 by /24, IPv6 by /48), its method and its path. Strangers share no key, and the same key on another path is another key.',
  sameBody: `The same key with the same body returns the first answer, with its status and the header Idempotency-Replayed: true, for ${limits.IDEMPOTENCY_KEPT_HOURS} hours. A one-time token is in it where the key holds a random UUID; otherwise _meta.withheld names what is left out.`,
  differentBody: 'The same key with a different body is refused with 409 IDEMPOTENCY_KEY_REUSED and changes nothing.',
  failures: 'Refused and failed requests are not kept: a corrected or repeated request may use the same key.',
  afterwards: `After ${limits.IDEMPOTENCY_KEPT_HOURS} hours a repeat is carried out as a new request. Claims, messages, findings and links are also recognised by the hash of their content, with or without a key, so nothing is stored twice; one-time tokens are not shown again.`,
} as const;
