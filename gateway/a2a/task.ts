import type { ErrorBody } from '../../server-kit/problem.ts';
import type { Envelope } from '../envelope.ts';

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

export interface Artifact {
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
  | { state: 'input-required'; why: string; likeliest?: string[] }
  | { state: 'canceled' };

/** What is kept of a task. `task-answer.ts` makes the protocol's form from it on request. */
export interface KeptTask {
  id: string;
  contextId: string;
  /** When it took its current state; ISO 8601. */
  changedAt: string;
  /** The caller's messages, oldest first. */
  history: Message[];
  outcome: Outcome;
}
