import type { ErrorBody } from '../../server-kit/problem.ts';
import type { Envelope } from '../invoke.ts';

/** The shapes of A2A 0.3.0 that this service sends (specification/json/a2a.json of its tag v0.3.0). */

type Metadata = Record<string, unknown>;

export interface TextPart {
  kind: 'text';
  text: string;
  metadata?: Metadata;
}

export interface DataPart {
  kind: 'data';
  data: Record<string, unknown>;
  metadata?: Metadata;
}

export interface FilePart {
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

/** The states that a task here can be in; a skill ends within its own call, so none is ever working. */
export type TaskState = 'input-required' | 'completed' | 'failed' | 'canceled';

export interface Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: { state: TaskState; timestamp: string; message?: Message };
  artifacts?: Artifact[];
  history: Message[];
  metadata: Metadata;
}

/** How far a task has come. */
export type Outcome =
  | { state: 'completed'; skill: string; envelope: Envelope }
  | { state: 'failed'; skill: string; error: ErrorBody['error'] }
  | { state: 'input-required'; why: string }
  | { state: 'canceled' };

/** What is kept of a task. What it is shown as is made of this when it is asked for: `task.ts`. */
export interface KeptTask {
  id: string;
  contextId: string;
  /** ISO 8601; when it took its present state. */
  changedAt: string;
  /** The caller's messages, oldest first. */
  history: Message[];
  outcome: Outcome;
}
