import type { Tool } from '@modelcontextprotocol/server';
import { LISTED_OPERATIONS } from '../../contract/interfaces/listed-tools.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import type { Operation } from '../../contract/operation.ts';
import { namesOf } from '../description/tool-names.ts';
import { CALL_OPERATION, callOperationTool, type Target, targetOf } from './call-operation.ts';
import { type Described, listedSchema } from './tool-schema.ts';
import { INSTRUCTIONS, toolOf, withDefaults } from './tools.ts';

const made = new WeakMap<readonly Operation[], Toolbox>();

/** Kept by the list of operations, since the list of tools is equal in every gateway of a process. */
export function toolboxOf(operations: readonly Operation[]): Toolbox {
  const toolbox = made.get(operations) ?? new Toolbox(operations);
  made.set(operations, toolbox);
  return toolbox;
}

/** The tools of MCP, and the operations that their names call. */
export class Toolbox {
  /** In the order of the list. */
  readonly tools: readonly Tool[];
  /** `"tools":[…]`, as it stands in an answer. */
  readonly text: Buffer;
  readonly instructions = INSTRUCTIONS;
  readonly #byName: ReadonlyMap<string, Operation>;

  constructor(operations: readonly Operation[], listed: readonly string[] = LISTED_OPERATIONS) {
    this.#byName = new Map(operations.flatMap((operation) => namesOf(operation).map((name) => [name, operation])));
    const described: Described = new Map();
    const tools = listed.flatMap((id) => {
      const operation = operations.find((one) => one.id === id);
      const name = operation?.names?.mcp;
      return name === undefined ? [] : [toolOf(name, operation!, listedSchema(name, operation!, described))];
    });
    const place = tools.findIndex(({ name }) => name === 'describe_tool') + 1;
    this.tools = tools.toSpliced(place, 0, callOperationTool(operations));
    this.text = Buffer.from(`"tools":${JSON.stringify(this.tools)}`);
  }

  /** The operation that a name calls: any name of it, also of one that is not listed. */
  operationOf(name: string): Operation | undefined {
    return this.#byName.get(name);
  }

  /** What a call of a tool is carried out by; undefined where no tool has the name. */
  targetOf(name: string, given: Record<string, unknown>): Target | undefined {
    if (name === CALL_OPERATION) return targetOf(given, this);
    const operation = this.operationOf(name);
    return operation && { operation, given: withDefaults(operation, given) };
  }

  /** The message about a name that calls nothing. */
  unknown(name: string): string {
    const near = nearestNames(name, [...this.#byName.keys(), CALL_OPERATION]).join(', ');
    return `No tool and no operation has this name.${near === '' ? '' : ` The nearest names are ${near}.`} \`list_capabilities\` with query finds one by what it does.`;
  }
}
