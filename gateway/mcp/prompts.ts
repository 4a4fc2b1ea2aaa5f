import {
  type GetPromptResult,
  type ListPromptsResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { WORKFLOWS, type Workflow, type WorkflowStep } from '../../contract/declared/workflows.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { toolCall } from '../description/example-calls.ts';
import type { Toolbox } from './toolbox.ts';

/** The workflows of the contract as prompts: each is the piece of work in the words of the tools. */

export function listedPrompts(toolbox: Toolbox): ListPromptsResult {
  return {
    prompts: offered(toolbox).map(({ id, title, when, asks = [] }) => ({
      name: id,
      title,
      description: when,
      arguments: asks.map(({ name, description }) => ({ name, description, required: false })),
    })),
  };
}

/** Those whose every step can be called at this address. */
function offered(toolbox: Toolbox): Workflow[] {
  return WORKFLOWS.filter(({ steps }) => steps.every(({ operation }) => toolbox.operationOf(operation) !== undefined));
}

export function promptOf(name: string, given: Readonly<Record<string, string>>, toolbox: Toolbox): GetPromptResult {
  const prompts = offered(toolbox);
  const workflow = prompts.find(({ id }) => id === name);
  if (workflow === undefined) {
    const near = nearestNames(
      name.slice(0, 100),
      prompts.map(({ id }) => id),
    ).join(', ');
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No prompt has this name. The nearest are ${near}.`);
  }
  const text = workText(workflow, given, toolbox);
  return { description: workflow.when, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function workText(
  { title, when, asks = [], steps }: Workflow,
  given: Record<string, string>,
  toolbox: Toolbox,
): string {
  const known = asks.filter(({ name }) => (given[name] ?? '').trim() !== '');
  const skipped = new Set(known.flatMap(({ insteadOf = [] }) => insteadOf));
  const values = new Map(known.map(({ name, standsFor }) => [standsFor, given[name]!.trim()]));
  const shown = steps.filter((step) => step.as === undefined || !skipped.has(step.as));
  return [
    `${title}. ${when}`,
    'Call these tools in order. $name.path stands for a value in `data` of the answer to the step called name; change what is only an example.',
    ...shown.map((step, place) => `${place + 1}. ${stepText(step, values, toolbox)}`),
  ].join('\n');
}

function stepText(step: WorkflowStep, values: ReadonlyMap<string, string>, toolbox: Toolbox): string {
  const given = filled(step.arguments, values) as Record<string, unknown>;
  const { tool, arguments: called } = toolCall(toolbox.operationOf(step.operation)!, given);
  const name = step.as === undefined ? '' : ` (call it ${step.as})`;
  return `${tool} ${JSON.stringify(called)}${name}: ${step.why}`;
}

/** The arguments of a step with the caller's values where examples stood. */
function filled(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return values.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, values)]));
}
