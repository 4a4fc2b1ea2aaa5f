import { exampleArguments } from '../../contract/examples.ts';
import type { Operation } from '../../contract/operation.ts';
import { curlOf } from './curl.ts';

type JsonRpc = { jsonrpc: '2.0'; id: number; method: string; params: Record<string, unknown> };

/** The operation's example through every door; null if a door does not offer it. */
export interface ExampleCalls {
  curl: string;
  mcp: JsonRpc;
  a2a: JsonRpc | null;
  sdk: string | null;
}

export function exampleCalls(operation: Operation, baseUrl: string): ExampleCalls {
  const { a2a, sdk } = operation.names ?? {};
  const given = exampleArguments(operation);
  const { tool, arguments: toolArguments } = toolCall(operation, given);
  const message = {
    kind: 'message',
    role: 'user',
    messageId: '<a random UUID>',
    parts: [{ kind: 'data', data: { skill: a2a, ...given } }],
  };
  return {
    curl: curlOf(operation, baseUrl),
    mcp: request('tools/call', { name: tool, arguments: toolArguments }),
    a2a: a2a === undefined ? null : request('message/send', { message }),
    sdk:
      sdk === undefined ? null : `await client.${sdk}(${Object.keys(given).length > 0 ? JSON.stringify(given) : ''})`,
  };
}

/** The call of a tool that carries the operation out: its own, or the one that reaches every operation. */
export function toolCall({ id, names }: Operation, given: Record<string, unknown>) {
  return names?.mcp === undefined
    ? { tool: 'call_operation', arguments: { id, arguments: given } }
    : { tool: names.mcp, arguments: given };
}

function request(method: string, params: Record<string, unknown>): JsonRpc {
  return { jsonrpc: '2.0', id: 1, method, params };
}
