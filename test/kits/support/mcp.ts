import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/**
 * The official clients: the current one with the newest revision and with the handshake, and the older one that most
 * programs still use.
 */
export const MCP_CLIENTS = ['modern', 'legacy', 'sdk-1'] as const;
export type McpClientKind = (typeof MCP_CLIENTS)[number];

export const MODERN_REVISION = '2026-07-28';

export interface McpTool {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown> | undefined;
  annotations?: Record<string, unknown> | undefined;
}

export interface McpResult {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  structuredContent: any;
  isError: boolean;
  /** The text of the only content block. */
  text: string;
}

type OnProgress = (progress: { progress: number; message?: string | undefined }) => void;

export interface McpConnection extends AsyncDisposable {
  /** The protocol revision that both sides agreed on. */
  revision: string | undefined;
  server: { name: string; version: string } | undefined;
  instructions: string | undefined;
  listTools(): Promise<McpTool[]>;
  /** Rejects when the protocol fails, or when the answer does not fit the tool's output schema. */
  callTool(name: string, given?: Record<string, unknown>, onprogress?: OnProgress): Promise<McpResult>;
  close(): Promise<void>;
}

/**
 * The client's own validator, but with each schema compiled once. To compile all tools' schemas again would cost a
 * second for each connection.
 */
class EachSchemaOnce extends AjvJsonSchemaValidator {
  readonly #validators = new Map<string, JsonSchemaValidator<unknown>>();

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const validator = this.#validators.get(text) ?? super.getValidator<unknown>(schema);
    this.#validators.set(text, validator);
    return validator as JsonSchemaValidator<T>;
  }
}

const firstValidator = new EachSchemaOnce();

/**
 * Connects one of the official clients to an MCP endpoint. It lists the tools, so that the client checks answers by
 * their schemas.
 */
export async function connectMcp(
  url: string,
  kind: McpClientKind,
  headers: Record<string, string> = {},
): Promise<McpConnection> {
  const info = { name: 'test', version: '1.0.0' };
  const address = new URL(url);
  const requestInit = { headers };
  const client =
    kind === 'sdk-1'
      ? new FirstClient(info, { jsonSchemaValidator: firstValidator })
      : new Client(info, { versionNegotiation: { mode: kind === 'modern' ? { pin: MODERN_REVISION } : 'legacy' } });
  let revision: string | undefined;
  if (client instanceof FirstClient) {
    const transport = new FirstTransport(address, { requestInit });
    await client.connect(transport as Transport);
    revision = transport.protocolVersion;
  } else {
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
    revision = client.getNegotiatedProtocolVersion();
  }
  const listTools = async (): Promise<McpTool[]> => (await client.listTools()).tools as McpTool[];
  await listTools();
  const close = (): Promise<void> => client.close();
  return {
    revision,
    server: client.getServerVersion(),
    instructions: client.getInstructions(),
    listTools,
    async callTool(name, given = {}, onprogress = undefined) {
      const params = { name, arguments: given };
      const options = onprogress && { onprogress };
      const result = await (client instanceof FirstClient
        ? client.callTool(params, undefined, options)
        : client.callTool(params, options));
      const content = result.content as { type: string; text: string }[];
      if (content.length !== 1 || content[0]!.type !== 'text') throw new Error('expected one block of text');
      return { structuredContent: result.structuredContent, isError: result.isError === true, text: content[0]!.text };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
