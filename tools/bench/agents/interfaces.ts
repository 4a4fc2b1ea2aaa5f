import type { Operation } from '../../../contract/operation.ts';
import { OPERATIONS } from '../../../contract/operations.ts';
import { TrialBoardClient, TrialBoardError } from '../../../sdk/client.ts';

/** The three interfaces by which a program calls operations, each as plainly as its protocol allows. */

// biome-ignore lint/suspicious/noExplicitAny: the scripts read answers of every shape
export type Json = any;

export interface Called {
  ok: boolean;
  /** `data` of an answer, or the error. */
  data: Json;
  meta: Json;
  /** What a model that reads texts reads, and one that reads structured content. */
  tokens: { text: number; structured: number };
}

export type InterfaceName = 'MCP' | 'A2A' | 'SDK';

export interface Interface {
  name: InterfaceName;
  call(operation: string, given: Record<string, unknown>, address: string): Promise<Called>;
}

const CHARACTERS_A_TOKEN = 4;

export function tokensOf(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}

function operationOf(id: string): Operation {
  const operation = OPERATIONS.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation has the id ${id}`);
  return operation;
}

/** Sends one JSON-RPC message as the client of an address; the gateway trusts one proxy. */
export async function rpc(
  url: string,
  method: string,
  params: Json,
  address: string,
  headers: object = {},
): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-forwarded-for': address,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const body = (await response.json()) as Json;
  if (body.result === undefined) throw new Error(`${method} was answered with ${JSON.stringify(body).slice(0, 500)}`);
  return body.result;
}

/** Tools of the default set by their names; every other operation through `call_operation`. */
export function mcpInterface(origin: string, listed: ReadonlySet<string>): Interface {
  return {
    name: 'MCP',
    async call(id, given, address) {
      const { names } = operationOf(id);
      const isListed = names?.mcp !== undefined && listed.has(names.mcp);
      const params = isListed
        ? { name: names.mcp, arguments: given }
        : { name: 'call_operation', arguments: { id, arguments: given } };
      const result = await rpc(`${origin}/api/v1/mcp`, 'tools/call', params, address);
      const { structuredContent: structured, content } = result;
      const tokens = { text: tokensOf(content[0].text), structured: tokensOf(structured) };
      if (result.isError === true) return { ok: false, data: structured.error, meta: {}, tokens };
      return { ok: true, data: structured.data, meta: structured._meta, tokens };
    },
  };
}

/** Null for an operation that is no skill. */
function skillOf(id: string): string | null {
  return operationOf(id).names?.a2a ?? null;
}

export function a2aInterface(origin: string): Interface {
  return {
    name: 'A2A',
    async call(id, given, address) {
      const skill = skillOf(id);
      if (skill === null) throw new Error(`${id} is no skill`);
      const message = {
        kind: 'message',
        role: 'user',
        messageId: crypto.randomUUID(),
        parts: [{ kind: 'data', data: { skill, ...given } }],
      };
      const task = await rpc(`${origin}/api/v1/a2a`, 'message/send', { message }, address);
      const parts = task.artifacts[0].parts as { kind: string; data?: Json; text?: string }[];
      const structured = parts.find(({ kind }) => kind === 'data')!.data;
      const text = parts.find(({ kind }) => kind === 'text')!.text!;
      const tokens = { text: tokensOf(text), structured: tokensOf(structured) };
      if (task.status.state !== 'completed') return { ok: false, data: structured, meta: {}, tokens };
      return { ok: true, data: structured.data, meta: structured._meta, tokens };
    },
  };
}

/** A program reads the whole answer, so that its tokens are those of the envelope. */
export function sdkInterface(origin: string): Interface {
  return {
    name: 'SDK',
    async call(id, given, address) {
      const name = operationOf(id).names?.sdk;
      if (name === undefined) throw new Error(`${id} is no method of the SDK`);
      const send: typeof fetch = (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('x-forwarded-for', address);
        return fetch(input, { ...init, headers });
      };
      const client = new TrialBoardClient({ baseUrl: origin, fetch: send });
      try {
        const answer = (await client.call(name as never, given as never)) as { data: Json; _meta: Json };
        const size = tokensOf(answer);
        return { ok: true, data: answer.data, meta: answer._meta, tokens: { text: size, structured: size } };
      } catch (error) {
        if (!(error instanceof TrialBoardError)) throw error;
        const { code, message, hint } = error;
        const data = { code, message, hint };
        const size = tokensOf(data);
        return { ok: false, data, meta: {}, tokens: { text: size, structured: size } };
      }
    },
  };
}

/** What one task cost one agent. */
export interface Cost {
  calls: number;
  refused: number;
  /** Tokens of all answers, read as texts and read as structured content. */
  text: number;
  structured: number;
}

/** What an agent may know before it begins, besides the address. */
export interface Known {
  yesterday: string;
  /** The version of the snapshot that it read when it was here before. */
  earlierVersion: string;
}

/** One agent over one interface: it knows the names of tools and what its answers told it, and nothing else. */
export class Agent {
  readonly cost: Cost = { calls: 0, refused: 0, text: 0, structured: 0 };
  readonly known: Known;
  readonly #interface: Interface;

  constructor(over: Interface, known: Known) {
    this.#interface = over;
    this.known = known;
  }

  get interface(): InterfaceName {
    return this.#interface.name;
  }

  /** Calls an operation by the interface's name for it. A refusal counts, and ends the task with its text. */
  async call(operation: string, given: Record<string, unknown>, address = '10.1.1.1'): Promise<Called> {
    const called = await this.#interface.call(operation, given, address);
    this.cost.calls += 1;
    this.cost.text += called.tokens.text;
    this.cost.structured += called.tokens.structured;
    if (called.ok) return called;
    this.cost.refused += 1;
    throw new Error(`${operation} was refused: ${JSON.stringify(called.data)}`);
  }
}
