import { takeSecrets } from '../../contract/one-time-secrets.ts';
import { enteredJson } from '../../server-kit/entered-json.ts';
import type { KeptTask, Message, Outcome, Part } from './task.ts';

/** Inputs that prove whose an object is; the answers that show them once name them likewise. */
const SECRET_INPUTS = ['releaseToken', 'withdrawToken', 'predictionToken', 'secret', 'webhookSecret'];
const WITHHELD_INPUT = '(withheld)';
const WHY =
  'A one-time token stands only in the answer to the message that created its object, and again where that message is sent again and its messageId or idempotencyKey is a random UUID (version 4).';

/** A task as it is kept and read later: without the tokens that its answer showed and its messages sent. */
export function withoutSecrets(task: KeptTask): KeptTask {
  const history = task.history.map((message) => ({ ...message, parts: message.parts.map(withoutInput) }) as Message);
  return { ...task, history, outcome: withoutTokens(task.outcome) };
}

/** Whether a kept task lacks a token that its first answer showed. */
export function lacksSecrets({ outcome }: KeptTask): boolean {
  return outcome.state === 'completed' && outcome.envelope._meta.withheld !== undefined;
}

/** A kept task with the tokens of the board's replay; as it is kept where that shows none. */
export function withSecrets(task: KeptTask, replay: Outcome): KeptTask {
  if (task.outcome.state !== 'completed' || replay.state !== 'completed') return task;
  const { withheld: still, idempotencyReplayed } = replay.envelope._meta;
  if (idempotencyReplayed !== true || still !== undefined) return task;
  const { withheld: _, ...meta } = task.outcome.envelope._meta;
  return { ...task, outcome: { ...task.outcome, envelope: { data: replay.envelope.data, _meta: meta } } };
}

function withoutTokens(outcome: Outcome): Outcome {
  if (outcome.state !== 'completed') return outcome;
  const data = structuredClone(outcome.envelope.data) as Record<string, unknown>;
  const { names: fields } = takeSecrets(data);
  if (fields.length === 0) return outcome;
  const meta = { ...outcome.envelope._meta, withheld: { fields, why: WHY } };
  return { ...outcome, envelope: { data, _meta: meta } };
}

/** Inputs stand in a data part, or as the same object in the JSON of a text part. */
function withoutInput(part: Part): Part {
  if (part.kind === 'data') return { ...part, data: withheld(part.data) };
  if (part.kind !== 'text' || !SECRET_INPUTS.some((name) => part.text.includes(name))) return part;
  try {
    const { value } = enteredJson(part.text);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return isObject ? { ...part, text: JSON.stringify(withheld(value as Record<string, unknown>)) } : part;
  } catch {
    return part;
  }
}

function withheld(data: Record<string, unknown>): Record<string, unknown> {
  const changed = SECRET_INPUTS.filter((name) => typeof data[name] === 'string');
  return changed.length === 0
    ? data
    : { ...data, ...Object.fromEntries(changed.map((name) => [name, WITHHELD_INPUT])) };
}
