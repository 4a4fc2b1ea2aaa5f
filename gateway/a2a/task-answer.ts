import { A2A_HISTORY_MAX_BYTES, A2A_HISTORY_MAX_MESSAGES } from '../../contract/limits/limits.ts';
import { inWordsOf } from '../door-words/in-words-of.ts';
import type { Envelope } from '../envelope.ts';
import { readableError, readableText } from '../view/readable-text.ts';
import { directoryOf } from './directory.ts';
import { OUTPUT_MODES, type OutputMode } from './params.ts';
import { AUTHENTICATION, SKILLS } from './skills.ts';
import type { Artifact, KeptTask, Message, Outcome, Part, Task } from './task.ts';

interface Shown {
  modes?: readonly OutputMode[];
  /** How many of the newest messages to show; all if null. */
  historyLength?: number | null;
}

/** A task in the form of the protocol. */
export function taskOf(kept: KeptTask, { modes = OUTPUT_MODES, historyLength = null }: Shown = {}): Task {
  const { id, contextId, changedAt, history, outcome } = kept;
  const { artifact: parts, said } = partsOf(outcome, modes);
  const skill = 'skill' in outcome ? outcome.skill : null;
  return {
    kind: 'task',
    id,
    contextId,
    status: {
      state: outcome.state,
      timestamp: changedAt,
      // The result of a completed task is its artifact. In any other state, the status says what the caller may do.
      ...(said.length === 0 ? {} : { message: reply(kept, said) }),
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

interface TaskParts {
  artifact: Part[];
  /** What the status says; nothing beside a result. */
  said: Part[];
}

/** The text is made from the data, so that the two always agree. */
function partsOf(outcome: Outcome, modes: readonly OutputMode[]): TaskParts {
  const wanted = (parts: Part[]): Part[] =>
    parts.filter(({ kind }) => modes.includes(kind === 'text' ? 'text/plain' : 'application/json'));
  switch (outcome.state) {
    case 'completed': {
      const envelope = inWordsOf('a2a', outcome.envelope);
      const text = textOf(outcome.skill, envelope);
      return { artifact: wanted([dataPart({ ...envelope }), textPart(text)]), said: [] };
    }
    case 'failed': {
      const { error } = inWordsOf('a2a', { error: outcome.error });
      const parts = wanted([dataPart({ ...error }), textPart(readableError(error))]);
      return { artifact: parts, said: parts };
    }
    case 'input-required': {
      const { data, text, listed } = directoryOf(outcome.why, outcome.likeliest);
      // Each caller gets the list once: as data where it takes data, and as text where it does not.
      const hasData = modes.includes('application/json');
      const [said] = wanted([textPart(text), dataPart({ why: outcome.why })]);
      return { artifact: [hasData ? dataPart(data) : textPart(listed)], said: [said!] };
    }
    case 'canceled':
      return { artifact: [], said: [] };
  }
}

function textOf(skill: string, envelope: Envelope): string {
  return readableText(SKILLS.get(skill)!.operation, envelope);
}

function dataPart(data: Record<string, unknown>): Part {
  return { kind: 'data', data };
}

function textPart(text: string): Part {
  return { kind: 'text', text };
}

function reply({ id, contextId, changedAt }: KeptTask, parts: Part[]): Message {
  return { kind: 'message', messageId: `${id}-${changedAt}`, role: 'agent', parts, taskId: id, contextId };
}

function artifactOf(taskId: string, skill: string | null, { state }: Outcome, parts: Part[]): Artifact {
  const artifactId = `${taskId}-${state}`;
  if (state === 'completed') return { artifactId, name: `${skill} result`, parts };
  return { artifactId, name: state === 'failed' ? `${skill} error` : 'skill directory', parts };
}
