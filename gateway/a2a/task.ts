import { A2A_HISTORY_MAX_BYTES, A2A_HISTORY_MAX_MESSAGES } from '../../contract/limits.ts';
import type { ErrorBody } from '../../server-kit/problem.ts';
import type { Envelope } from '../invoke.ts';
import { OUTPUT_MODES, type OutputMode } from './params.ts';
import { AUTHENTICATION, directoryParts } from './skills.ts';

interface Shown {
  modes?: readonly OutputMode[];
  /** How many of the newest messages to show; all if null. */
  historyLength?: number | null;
}

/** A task in the form of the protocol. */
export function taskOf(kept: KeptTask, { modes = OUTPUT_MODES, historyLength = null }: Shown = {}): Task {
  const { id, contextId, changedAt, history, outcome } = kept;
  const parts = partsOf(outcome).filter(({ kind }) =>
    modes.includes(kind === 'text' ? 'text/plain' : 'application/json'),
  );
  const skill = 'skill' in outcome ? outcome.skill : null;
  return {
    kind: 'task',
    id,
    contextId,
    status: {
      state: outcome.state,
      timestamp: changedAt,
      // The result of a completed task is its artifact. In any other state, the status says what the caller may do.
      ...(outcome.state === 'completed' || parts.length === 0 ? {} : { message: reply(kept, parts) }),
    },
    ...(parts.length === 0 ? {} : { artifacts: [artifactOf(id, skill, outcome, parts)] }),
    history: historyLength === null ? history : history.slice(Math.max(0, history.length - historyLength)),
    metadata: { authentication: AUTHENTICATION, ...(skill === null ? {} : { skill }) },
  };
}

/** Adds a message to a history, and drops the oldest messages beyond its bounds. */
export function withMessage(history: readonly Message[], message: Message): Message[] {
  const all = [...history, message].slice(-A2A_HISTORY_MAX_MESSAGES);
  let bytes = 0;
  const tooOld = all.findLastIndex((each) => {
    bytes += Buffer.byteLength(JSON.stringify(each));
    return bytes > A2A_HISTORY_MAX_BYTES;
  });
  return all.slice(tooOld + 1);
}

/** The text is made from the data, so that the two always agree. */
function partsOf(outcome: Outcome): Part[] {
  switch (outcome.state) {
    case 'completed':
      return [
        { kind: 'data', data: { ...outcome.envelope } },
        { kind: 'text', text: JSON.stringify(outcome.envelope) },
      ];
    case 'failed': {
      const { code, message, hint } = outcome.error;
      return [
        { kind: 'data', data: { ...outcome.error } },
        { kind: 'text', text: `${code}: ${message} ${hint}` },
      ];
    }
    case 'input-required':
      return directoryParts(outcome.why);
    case 'canceled':
      return [];
  }
}

function reply({ id, contextId, changedAt }: KeptTask, parts: Part[]): Message {
  return { kind: 'message', messageId: `${id}-${changedAt}`, role: 'agent', parts, taskId: id, contextId };
}

function artifactOf(taskId: string, skill: string | null, { state }: Outcome, parts: Part[]): Artifact {
  const artifactId = `${taskId}-${state}`;
  if (state === 'completed') return { artifactId, name: `${skill} result`, parts };
  return { artifactId, name: state === 'failed' ? `${skill} error` : 'skill directory', parts };
}

/** The types of A2A 0.3.0 that this service sends (specification/json/a2a.json of its tag v0.3.0). */

type Metadata = Record<string, unknown>;

interface TextPart {
  kind: 'text';
  text: string;
  metadata?: Metadata;
}

interface DataPart {
  kind: 'data';
  data: Record<string, unknown>;
  metadata?: Metadata;
}

interface FilePart {
  kind: 'file';
  file: { name?: string; mimeType?: string } & ({ bytes: string } | { uri: string });
  metadata?: Metadata;
}

export type Part = TextPart | DataPart | FilePart;

export interface Message {
  kind: 'message';
  messageId: string;
  role: 'user' | 'agent';
  parts: Part[];
  taskId?: string;
  contextId?: string;
  referenceTaskIds?: string[];
  extensions?: string[];
  metadata?: Metadata;
}

interface Artifact {
  artifactId: string;
  name: string;
  description?: string;
  parts: Part[];
}

/** The states of a task here. None is ever `working`, because a skill ends within its own call. */
type TaskState = 'input-required' | 'completed' | 'failed' | 'canceled';

export interface Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: { state: TaskState; timestamp: string; message?: Message };
  artifacts?: Artifact[];
  history: Message[];
  metadata: Metadata;
}

/** The result of a task so far. */
export type Outcome =
  | { state: 'completed'; skill: string; envelope: Envelope }
  | { state: 'failed'; skill: string; error: ErrorBody['error'] }
  | { state: 'input-required'; why: string }
  | { state: 'canceled' };

/** What is stored of a task. `task.ts` makes the protocol's form from it on request. */
export interface KeptTask {
  id: string;
  contextId: string;
  /** When it took its current state; ISO 8601. */
  changedAt: string;
  /** The caller's messages, oldest first. */
  history: Message[];
  outcome: Outcome;
}
