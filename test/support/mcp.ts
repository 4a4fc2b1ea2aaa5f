import type { TestOrigin } from './origin.ts';

/** Tool calls of MCP as JSON-RPC over HTTP, without a client of the protocol. */

export const MCP_PATH = '/api/v1/mcp';
export const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export interface ToolAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  structuredContent: any;
  content: { text: string }[];
  isError?: boolean;
}

export function toolCall(name: string, given: unknown = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
}

export async function callTool(
  origin: TestOrigin,
  name: string,
  given: unknown = {},
  headers: Record<string, string> = {},
): Promise<ToolAnswer> {
  const { body } = await origin.send(MCP_PATH, toolCall(name, given), { ...MCP_HEADERS, ...headers });
  if (body.result === undefined) throw new Error(`${name} was refused: ${JSON.stringify(body)}`);
  return body.result;
}
