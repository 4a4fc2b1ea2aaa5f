import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Invoked } from '../invoke.ts';

/**
 * The answer of an operation as the result of a tool: the REST body as structured content, and the same as text for
 * models that read only text. The text is made of the structured content, so that the two never differ.
 */
export function toolResult(invoked: Invoked): CallToolResult {
  const body = invoked.ok ? { ...invoked.envelope } : { error: invoked.error };
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
    ...(invoked.ok ? {} : { isError: true }),
  };
}
