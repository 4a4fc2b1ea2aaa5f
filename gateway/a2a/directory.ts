import { A2A_TASK_KEPT_HOURS } from '../../contract/limits.ts';
import { SKILLS, type Skill } from './skills.ts';
import type { Part } from './types.ts';

export const AUTHENTICATION = 'none required';

const HOW_TO_CALL = `Send message/send with one data part that has the name of a skill under "skill" and its inputs beside it, as in the examples; put your own values where an example has angle brackets. With the taskId of this task the message completes it; without one it begins a task of its own. A task is kept ${A2A_TASK_KEPT_HOURS} hours for tasks/get.`;
const HOW_TO_WRITE =
  'Give every message a random UUID as messageId: the same message sent again does not write a second time. An idempotencyKey among the inputs goes before it.';

/** The answer to a message that names no skill: a data part and a text part with the same content. */
export function directoryParts(why: string): Part[] {
  const skills = [...SKILLS.values()].map(entryOf);
  const data = { authentication: AUTHENTICATION, why, howToCall: HOW_TO_CALL, howToWrite: HOW_TO_WRITE, skills };
  const lines = skills.map(
    ({ skill, summary, writes, example }) =>
      `- ${skill}: ${summary}${writes ? ' (writes)' : ''}. ${JSON.stringify(example.parts[0]!.data)}`,
  );
  const text = [why, `Authentication: ${AUTHENTICATION}.`, HOW_TO_CALL, HOW_TO_WRITE, 'Skills:', ...lines].join('\n');
  return [
    { kind: 'text', text },
    { kind: 'data', data },
  ];
}

function entryOf({ name, operation, writes, inputSchema, example }: Skill) {
  return {
    skill: name,
    summary: operation.summary,
    description: operation.description,
    writes,
    sameAs: `${operation.method} ${operation.path}`,
    inputSchema,
    example: {
      kind: 'message',
      role: 'user',
      messageId: '<a random UUID>',
      parts: [{ kind: 'data', data: example }],
    },
  };
}
