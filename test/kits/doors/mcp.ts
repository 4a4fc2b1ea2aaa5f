import { expect } from 'vitest';
import type { Envelope, Failure } from '../../cases/case.ts';
import type { DoorKind } from '../../cases/doors/door.ts';
import { openOrigin } from '../../support/origin.ts';
import { connectMcp, type McpClientKind } from '../support/mcp.ts';

/** Tools by one of the official clients, which checks each result by the tool's own schema. */
export function mcpDoor(client: McpClientKind): DoorKind {
  const kind: DoorKind = {
    name: `MCP (${client})`,
    words: 'mcp',
    offers: ({ names }) => names?.mcp !== undefined,
    async open() {
      const origin = await openOrigin();
      const address = `${origin.url}/api/v1/mcp`;
      const anonymous = await connectMcp(address, client);
      return {
        kind,
        origin,
        async call({ names, envelope }, given, apiKey) {
          const connection =
            apiKey === undefined ? anonymous : await connectMcp(address, client, { 'x-api-key': apiKey });
          const { structuredContent, isError, text } = await connection.callTool(
            names?.mcp ?? '',
            envelope === false ? given : { detail: 'full', ...given },
          );
          if (connection !== anonymous) await connection.close();
          expect(text.length).toBeGreaterThan(0);
          if (isError) return { ok: false, status: null, error: structuredContent.error as Failure };
          return { ok: true, status: null, envelope: structuredContent as Envelope };
        },
        async [Symbol.asyncDispose]() {
          await anonymous.close();
          await origin[Symbol.asyncDispose]();
        },
      };
    },
  };
  return kind;
}
