import type { Artifact, Message, Part, Task } from './task.ts';

/**
 * The forms of A2A 1.0, whose clients name the methods otherwise (SendMessage), write roles and states as constants, and tell kinds of
 * parts by their member. They are turned into those of 0.3.0 and back, so that one door answers both.
 */

type Members = Record<string, unknown>;

const ROLES: Readonly<Record<string, string>> = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

/** Parameters of SendMessage as those of message/send. What has another form stays, and is refused where 0.3.0 is checked. */
export function sendParamsOf(params: unknown): unknown {
  if (!isObject(params) || !isObject(params.message)) return params;
  const { message, configuration } = params;
  const role =
    typeof message.role === 'string' && Object.hasOwn(ROLES, message.role) ? ROLES[message.role] : message.role;
  const parts = Array.isArray(message.parts) ? message.parts.map(partOf) : message.parts;
  const { taskPushNotificationConfig, ...asked } = isObject(configuration) ? configuration : {};
  return {
    ...params,
    message: { ...withoutBlanks(message), kind: 'message', role, parts },
    ...(isObject(configuration) && {
      configuration: { ...asked, ...(taskPushNotificationConfig != null && { pushNotificationConfig: {} }) },
    }),
  };
}

function partOf(part: unknown): unknown {
  if (!isObject(part) || 'kind' in part) return part;
  const { text, data, raw, url, filename, mediaType, metadata } = part;
  const more = metadata === undefined ? {} : { metadata };
  if (text !== undefined) return { kind: 'text', text, ...more };
  if (data !== undefined) return { kind: 'data', data, ...more };
  const content = raw === undefined ? { uri: url } : { bytes: raw };
  return { kind: 'file', file: { ...content, name: filename, mimeType: mediaType }, ...more };
}

/** An empty text of the wire format is a member that is not set. */
function withoutBlanks(message: Members): Members {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== ''));
}

const METHOD_NAMES: readonly (readonly [of03: string, of1: string])[] = [
  ['message/send', 'SendMessage'],
  ['message/stream', 'SendStreamingMessage'],
  ['tasks/get', 'GetTask'],
  ['tasks/cancel', 'CancelTask'],
  ['tasks/resubscribe', 'SubscribeToTask'],
];

/** Whether a method has a name of 1.0, all of which begin with a capital. */
export function isOfVersion1(method: unknown): boolean {
  return typeof method === 'string' && /^[A-Z]/.test(method);
}

/** A text of the service, such as a hint, with the methods as 1.0 names them. */
export function withMethodsOfVersion1(text: string): string {
  return METHOD_NAMES.reduce((so, [of03, of1]) => so.replaceAll(of03, of1), text);
}

/** The directory of skills is the service's own text; what a skill answered may quote others. */
function directoryInVersion1<Value>(directory: Value): Value {
  return JSON.parse(withMethodsOfVersion1(JSON.stringify(directory))) as Value;
}

/** A task in the form of 1.0. */
export function taskInVersion1(given: Task): Members {
  const { kind: _kind, status, history, ...task } = given;
  const artifacts = status.state === 'input-required' ? directoryInVersion1(task.artifacts) : task.artifacts;
  const { state, timestamp, message } = status;
  return {
    ...task,
    status: {
      state: `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}`,
      timestamp,
      ...(message && { message: messageInVersion1(message) }),
    },
    ...(artifacts && { artifacts: artifacts.map(artifactInVersion1) }),
    history: history.map(messageInVersion1),
  };
}

function artifactInVersion1({ parts, ...artifact }: Artifact): Members {
  return { ...artifact, parts: parts.map(partInVersion1) };
}

function messageInVersion1({ kind: _kind, role, parts, ...message }: Message): Members {
  return { ...message, role: role === 'agent' ? 'ROLE_AGENT' : 'ROLE_USER', parts: parts.map(partInVersion1) };
}

function partInVersion1(part: Part): Members {
  const { kind: _kind, ...members } = part as Part & { file?: Members };
  if (!isObject(members.file)) return members;
  const { file, ...rest } = members;
  const { bytes, uri, name, mimeType } = file;
  return {
    ...rest,
    ...(bytes === undefined ? { url: uri } : { raw: bytes }),
    ...(name !== undefined && { filename: name }),
    ...(mimeType !== undefined && { mediaType: mimeType }),
  };
}

function isObject(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
