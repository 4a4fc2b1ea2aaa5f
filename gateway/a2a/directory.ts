import { exampleArguments } from '../../contract/examples.ts';
import { argumentsOf } from '../../contract/interfaces/arguments.ts';
import { A2A_TASK_KEPT_HOURS } from '../../contract/limits/limits.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { AUTHENTICATION, SKILLS, type Skill } from './skills.ts';

/** What a message that names no skill is answered with: data for programs, and a text that says what to do. */
export interface Answer {
  data: Record<string, unknown>;
  text: string;
  /** The whole as text, for callers who take no data. */
  listed: string;
}

const HOW_TO_CALL =
  'Send message/send with a data part {"skill": "<name>", ...its inputs}; your own values stand where an example has angle brackets. The skill describe_tool has the inputs of each.';
const HOW_TO_WRITE = `Give every message a random UUID as messageId: the same message sent again does not write a second time; an idempotencyKey among the inputs takes precedence. With the taskId of this task the message completes it. A task is kept ${A2A_TASK_KEPT_HOURS} hours for tasks/get.`;
const WHOLE = 'A message without parts gets all skills.';

/** The three likeliest skills where the message says what it wants, otherwise all by name. */
export function directoryOf(why: string, likeliest: readonly string[] = []): Answer {
  const likely = likeliest.flatMap((name) => SKILLS.get(name) ?? []);
  return likely.length > 0 ? likelyAnswer(why, likely) : wholeAnswer(why);
}

/** A line a skill, because a list of all with a field for each would take half as much again. */
function wholeAnswer(why: string): Answer {
  const skills = [...SKILLS.values()].map(
    ({ name, operation, writes }) => `${name}${writes ? ' (writes)' : ''}: ${titleOf(operation)}`,
  );
  const data = { authentication: AUTHENTICATION, why, howToCall: HOW_TO_CALL, howToWrite: HOW_TO_WRITE, skills };
  const text = `${why} Authentication: ${AUTHENTICATION}. ${HOW_TO_CALL} Start with hello.`;
  return { data, text, listed: [text, HOW_TO_WRITE, ...skills.map((line) => `- ${line}`)].join('\n') };
}

function likelyAnswer(why: string, likely: readonly Skill[]): Answer {
  const skills = likely.map(({ name, operation }) => ({
    skill: name,
    does: titleOf(operation),
    example: exampleOf(name, operation),
  }));
  const data = { authentication: AUTHENTICATION, why, howToCall: HOW_TO_CALL, skills };
  const names = likely.map(({ name }) => name);
  const text = `The likeliest skills: ${names.join(', ')}. ${WHOLE}`;
  const lines = skills.map((skill) => `- ${skill.does}: ${JSON.stringify(skill.example)}`);
  return { data, text, listed: [text, HOW_TO_CALL, ...lines].join('\n') };
}

function titleOf({ tool, summary }: Operation): string {
  return tool?.title ?? summary;
}

/** Characters of an example that is shown as it is. */
const EXAMPLE_MAX_CHARACTERS = 240;
const VALUE_MAX_CHARACTERS = 60;

/** A data part that calls a skill. Of a long one what it cannot do without, the caller's own words as places to fill. */
function exampleOf(skill: string, operation: Operation): { skill: string } & Record<string, unknown> {
  const whole = exampleArguments(operation);
  if (JSON.stringify(whole).length <= EXAMPLE_MAX_CHARACTERS) return { skill, ...whole };
  const required = new Set(argumentsOf(operation).flatMap(({ name, required }) => (required ? [name] : [])));
  const kept = Object.entries(whole).filter(
    ([name]) => !isWrite(operation) || required.has(name) || name.endsWith('Id'),
  );
  const short = kept.map(([name, value]) => {
    return [name, JSON.stringify(value).length <= VALUE_MAX_CHARACTERS ? value : `<${name}>`];
  });
  return { skill, ...Object.fromEntries(short) };
}
