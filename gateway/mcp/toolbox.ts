import type { Tool } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { TOOLSETS, type ToolsetId } from '../../contract/interfaces/toolsets.ts';
import { nearestNames } from '../../contract/nearest-names.ts';
import { isWrite, type Operation } from '../../contract/operation.ts';
import { Problem } from '../../server-kit/problem.ts';
import { namesOf } from '../description/tool-names.ts';
import { CALL_OPERATION, callOperationTool, type Target, targetOf } from './call-operation.ts';
import { type Described, listedSchema } from './tool-schema.ts';
import { instructionsFor, toolOf, withDefaults } from './tools.ts';

/** What one address offers to one client. */
export interface Offer {
  readonly toolset: ToolsetId;
  /** Leaves out every operation that writes, from the list and from all calls. */
  readonly readonly: boolean;
  /** Names of tools that the client wants neither listed nor called. */
  readonly excluded: readonly string[];
}

/** Lists for clients that exclude tools; each is made anew when it is not kept. */
const EXCLUDING_KEPT = 50;

interface Kept {
  readonly whole: Map<string, Toolbox>;
  readonly excluding: LRUCache<string, Toolbox>;
}
const kept = new WeakMap<readonly Operation[], Kept>();

/** Kept by the list of operations, since the list of tools is equal in every gateway of a process. Throws a Problem. */
export function toolboxOf(
  operations: readonly Operation[],
  { toolset = 'default', readonly = false, excluded = [] }: Partial<Offer> = {},
): Toolbox {
  const known = kept.get(operations) ?? { whole: new Map(), excluding: new LRUCache({ max: EXCLUDING_KEPT }) };
  kept.set(operations, known);
  const cache = excluded.length === 0 ? known.whole : known.excluding;
  const key = [toolset, readonly, ...[...new Set(excluded)].sort()].join(' ');
  const toolbox = cache.get(key) ?? new Toolbox(operations, { toolset, readonly, excluded });
  cache.set(key, toolbox);
  return toolbox;
}

export class Toolbox {
  readonly offer: Offer;
  readonly #operations: readonly Operation[];
  readonly #byName: ReadonlyMap<string, Operation>;
  readonly #excluded: ReadonlySet<string>;
  #tools: Tool[] | undefined;
  #text: Buffer | undefined;
  #instructions: string | undefined;

  constructor(operations: readonly Operation[], offer: Offer) {
    this.#operations = operations;
    this.#byName = new Map(operations.flatMap((operation) => namesOf(operation).map((name) => [name, operation])));
    this.offer = offer;
    this.#excluded = new Set(offer.excluded.map((name) => this.#excludable(name)));
  }

  /** The tools in the order of the set. */
  get tools(): readonly Tool[] {
    this.#tools ??= this.#listed();
    return this.#tools;
  }

  /** `"tools":[…]`, as it stands in an answer. */
  get text(): Buffer {
    this.#text ??= Buffer.from(`"tools":${JSON.stringify(this.tools)}`);
    return this.#text;
  }

  get instructions(): string {
    this.#instructions ??= instructionsFor(this.tools, this.offer.readonly);
    return this.#instructions;
  }

  /** The operation that a name calls here: any name of it, also one that this set does not list. */
  operationOf(name: string): Operation | undefined {
    const operation = this.#byName.get(name);
    return operation !== undefined && this.#offers(operation) ? operation : undefined;
  }

  /** What a call of a tool is carried out by; undefined where no tool of this address has the name. */
  targetOf(name: string, given: Record<string, unknown>): Target | undefined {
    if (name === CALL_OPERATION) return this.#excluded.has(name) ? undefined : targetOf(given, this);
    const operation = this.operationOf(name);
    return operation && { operation, given: withDefaults(operation, given) };
  }

  /** What is said of a name that calls nothing here. */
  unknown(name: string): string {
    const operation = this.#byName.get(name);
    if (operation !== undefined) {
      const why = this.#excluded.has(operation.id)
        ? 'X-Mcp-Exclude-Tools leaves it out'
        : 'it writes, and this address only reads';
      return `${name} is not offered here: ${why}.`;
    }
    const near = this.#near(name).join(', ');
    return `No tool and no operation has this name.${near === '' ? '' : ` The nearest names are ${near}.`} \`find_tools\` finds one by what it does.`;
  }

  #near(name: string): string[] {
    return nearestNames(name, [...[...this.#byName.keys()].filter((known) => this.operationOf(known)), CALL_OPERATION]);
  }

  #offers(operation: Operation): boolean {
    return !this.#excluded.has(operation.id) && !(this.offer.readonly && isWrite(operation));
  }

  /** What the name stands for: the id of an operation, or call_operation. */
  #excludable(name: string): string {
    const operation = this.#byName.get(name);
    if (operation !== undefined) return operation.id;
    if (name === CALL_OPERATION) return name;
    const near = nearestNames(name, [...this.#byName.keys(), CALL_OPERATION]);
    const expected = `names of tools, separated by commas; nearest to the one that is unknown: ${near.join(', ')}`;
    throw new Problem('INVALID_PARAM', {
      message: `The header X-Mcp-Exclude-Tools names a tool that does not exist: expected ${expected}.`,
      parameter: 'X-Mcp-Exclude-Tools',
      expected,
      issues: [{ path: 'X-Mcp-Exclude-Tools', message: `expected ${expected}` }],
    });
  }

  #listed(): Tool[] {
    const { operations: ids } = TOOLSETS.find(({ id }) => id === this.offer.toolset)!;
    const byId = new Map(this.#operations.map((operation) => [operation.id, operation]));
    const described: Described = new Map();
    const tools = ids.flatMap((id) => {
      const operation = byId.get(id);
      const name = operation?.names?.mcp;
      if (operation === undefined || name === undefined || !this.#offers(operation)) return [];
      return [toolOf(name, operation, listedSchema(name, operation, described))];
    });
    if (this.#excluded.has(CALL_OPERATION)) return tools;
    const place = tools.findIndex(({ name }) => name === 'describe_tool') + 1;
    return tools.toSpliced(
      place,
      0,
      callOperationTool(this.#operations.filter((operation) => this.#offers(operation))),
    );
  }
}
