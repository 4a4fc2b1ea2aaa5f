import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Invoked } from '../invoke.ts';

/**
 * An operation's answer as a tool result: the REST body as structured content, and as text for models that read only
 * text. The text is made from the structured content, so that the two always agree.
 */
export function toolResult(invoked: Invoked): CallToolResult {
  const body = invoked.ok ? { ...invoked.envelope } : { error: invoked.error };
  return {
    content: [{ type: 'text', text: JSON.stringify(body) }],
    structuredContent: body,
    ...(invoked.ok ? {} : { isError: true }),
  };
}
