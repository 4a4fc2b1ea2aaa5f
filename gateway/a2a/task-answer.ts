import { A2A_HISTORY_MAX_BYTES, A2A_HISTORY_MAX_MESSAGES } from '../../contract/limits.ts';
import { inWordsOf } from '../door-words/in-words-of.ts';
import { OUTPUT_MODES, type OutputMode } from './params.ts';
import { AUTHENTICATION, directoryParts } from './skills.ts';
import type { Artifact, KeptTask, Message, Outcome, Part, Task } from './task.ts';

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
    case 'completed': {
      const envelope = inWordsOf('a2a', outcome.envelope);
      return [
        { kind: 'data', data: { ...envelope } },
        { kind: 'text', text: JSON.stringify(envelope) },
      ];
    }
    case 'failed': {
      const { error } = inWordsOf('a2a', { error: outcome.error });
      const { code, message, hint } = error;
      return [
        { kind: 'data', data: { ...error } },
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
