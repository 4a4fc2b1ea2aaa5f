import type { Part, Task } from '../../gateway/a2a/task.ts';
import type { Envelope } from '../../gateway/envelope.ts';
import type { ErrorBody } from '../../server-kit/problem.ts';

/** An answer of the A2A door: a JSON-RPC response, or a refusal as over REST. */
export interface A2aAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

/** The result of a skill: the envelope or the error, as over REST. */
export interface SkillResult {
  state: Task['status']['state'];
  envelope?: Envelope;
  error?: ErrorBody['error'];
  /** Null when the door itself refused. */
  task: Task | null;
}

let messages = 0;

/** A messageId of the form of a random UUID that is unique in this test run. */
export function messageId(): string {
  messages += 1;
  const [first, last] = [process.pid, messages].map((number, place) =>
    String(number).padStart(place === 0 ? 8 : 12, '0'),
  );
  return `${first}-7425-40de-944b-${last}`;
}

export function textPart(text: string): Part {
  return { kind: 'text', text };
}

export function dataPart(data: Record<string, unknown>): Part {
  return { kind: 'data', data };
}

/** Params of message/send. `change` overrides members of the message. */
export function messageOf(parts: unknown, change: Record<string, unknown> = {}): { message: Record<string, unknown> } {
  return { message: { kind: 'message', messageId: messageId(), role: 'user', parts, ...change } };
}

/** Posts a body; a string is sent unchanged, anything else as JSON. */
export async function postA2a(url: string, body: unknown, headers: Record<string, string> = {}): Promise<A2aAnswer> {
  const response = await fetch(`${url}/api/v1/a2a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** One JSON-RPC request with the id 1. */
export async function callA2a(
  url: string,
  method: string,
  params: unknown,
  headers: Record<string, string> = {},
): Promise<A2aAnswer> {
  return postA2a(url, { jsonrpc: '2.0', id: 1, method, params }, headers);
}

/**
 * Calls a skill through message/send with a new messageId. A refusal of the door itself (429, 401) is a failed state
 * without a task.
 */
export async function sendSkill(
  url: string,
  skill: string,
  inputs: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<SkillResult> {
  const { body } = await callA2a(url, 'message/send', messageOf([dataPart({ skill, ...inputs })]), headers);
  if (body.result === undefined) {
    if (typeof body.error?.code === 'string') return { state: 'failed', error: body.error, task: null };
    throw new Error(`the skill ${skill} was not understood: ${JSON.stringify(body)}`);
  }
  return resultOf(body.result);
}

/** The result of a task. */
export function resultOf(task: Task): SkillResult {
  const { state } = task.status;
  const data = task.artifacts?.[0]?.parts.find((part) => part.kind === 'data')?.data;
  if (state === 'completed') return { state, envelope: data as unknown as Envelope, task };
  return state === 'failed' ? { state, error: data as unknown as ErrorBody['error'], task } : { state, task };
}
