import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { H3Event } from 'h3';
import type { Logger } from 'pino';
import { API_NAME, COORDINATION_CONTRACT_VERSION } from '../../contract/version.ts';
import { correlationIdOf } from '../../server-kit/mount.ts';
import { problemAnswer } from '../../server-kit/problem.ts';
import type { Invoke, Invoked } from '../invoke.ts';
import type { Target } from './call-operation.ts';
import { begun, progressTokenOf, reporting } from './progress.ts';
import { withShapeFault } from './shape-fault.ts';
import type { Toolbox } from './toolbox.ts';
import { toolResult } from './tools.ts';

/** The list changes only with a new version of the service. */
const LIST_KEPT_MS = 3_600_000;
const CACHE_HINT = { ttlMs: LIST_KEPT_MS, cacheScope: 'public' } as const;
/** Results that are equal until the next version of the service. */
const KEPT_RESULTS = ['tools/list', 'server/discover'] as const;
/** The package's transport requires both types; this server's own check is more lenient. */
const ACCEPT_BOTH = 'application/json, text/event-stream';

/** The package validates and serialises this list; the finished one takes its place in the text. */
const NO_TOOLS = '"tools":[]';

/** One message being answered: the request it came with, and what became of it. */
interface Exchange {
  readonly event: H3Event;
  readonly toolbox: Toolbox;
  /** Whether an operation ran, which is charged by itself. */
  invoked: boolean;
  listed: boolean;
}

interface Dispatched {
  status: number;
  headers: Headers;
  /** Null if there is nothing to answer. A stream only where the protocol prescribes one. */
  body: Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  invoked: boolean;
}

/** `batched` messages are of the older revisions, and answered as JSON whatever they ask for. */
type MessageKind = 'modern' | 'legacy' | 'batched';

interface DispatcherOptions {
  invoke: Invoke;
  log: Logger;
}

/**
 * Answers one protocol message of either era. There are no sessions: a server object lives for one message, and
 * everything independent of the message is made here once.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #exchanges = new WeakMap<Request, Exchange>();
  // Only elicitation would use it; made once, because otherwise each server object makes its own.
  readonly #jsonSchemaValidator = new AjvJsonSchemaValidator();
  readonly #modern;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#modern = createMcpHandler(({ requestInfo }) => this.#server(requestInfo), {
      legacy: 'reject',
      onerror: (err) => options.log.debug({ err }, 'an MCP message was refused'),
    });
  }

  /** Whether a message, or each message of a batch, uses the handshake era. */
  async isLegacy(event: H3Event, body: unknown): Promise<boolean> {
    return isLegacyRequest(event.req, body);
  }

  async dispatch(event: H3Event, toolbox: Toolbox, message: unknown, kind: MessageKind): Promise<Dispatched> {
    const request = requestOf(event);
    const exchange: Exchange = { event, toolbox, invoked: false, listed: false };
    this.#exchanges.set(request, exchange);
    const options = { parsedBody: message };
    // The older revisions have no answer that becomes a stream when there is progress to tell: it is one from the start.
    const streams = kind === 'legacy' && progressTokenOf(message) !== undefined;
    const response =
      kind === 'modern' ? await this.#modern.fetch(request, options) : await this.#legacy(request, options, streams);
    const { status, headers } = response;
    return { status, headers, body: await this.#bodyOf(response, exchange), invoked: exchange.invoked };
  }

  async #bodyOf(response: Response, { listed, toolbox }: Exchange): Promise<Dispatched['body']> {
    if (response.body === null || !isJson(response.headers)) return response.body;
    const text = withShapeFault(Buffer.from(await response.arrayBuffer()));
    const at = listed ? text.indexOf(NO_TOOLS) : -1;
    return at < 0 ? text : Buffer.concat([text.subarray(0, at), toolbox.text, text.subarray(at + NO_TOOLS.length)]);
  }

  /** Answers with one JSON body, where the package's own legacy path would open a stream. */
  async #legacy(request: Request, options: { parsedBody: unknown }, streams: boolean): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
    const server = this.#server(request);
    await server.connect(transport);
    let open = false;
    try {
      const response = await transport.handleRequest(request, options);
      if (!streams || isJson(response.headers)) return response;
      open = true;
      return await begun(response, () => server.close());
    } finally {
      if (!open) await server.close();
    }
  }

  #server(request: Request | undefined): Server {
    const exchange = request && this.#exchanges.get(request);
    if (exchange === undefined) throw new Error('a message without its exchange');
    const { toolbox } = exchange;
    const server = new Server(
      { name: API_NAME, title: 'Research coordination board', version: COORDINATION_CONTRACT_VERSION },
      {
        capabilities: { tools: {} },
        instructions: toolbox.instructions,
        jsonSchemaValidator: this.#jsonSchemaValidator,
        cacheHints: Object.fromEntries(KEPT_RESULTS.map((method) => [method, CACHE_HINT])),
      },
    );
    server.setRequestHandler('tools/list', ({ params }) => {
      refuseCursor(params);
      exchange.listed = true;
      return { tools: [] };
    });
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => this.#call(exchange, params, mcpReq));
    return server;
  }

  async #call(
    exchange: Exchange,
    { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
    { _meta, notify }: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>,
  ): Promise<CallToolResult> {
    const target = exchange.toolbox.targetOf(name, given);
    if (target === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, exchange.toolbox.unknown(name.slice(0, 60)));
    }
    const carryOut = () => this.#carriedOut(exchange, target);
    if ('refused' in target) return toolResult(await carryOut(), { id: name });
    const { operation } = target;
    return toolResult(await reporting(_meta?.progressToken, operation, notify, carryOut), operation);
  }

  async #carriedOut(exchange: Exchange, target: Target): Promise<Invoked> {
    const { event } = exchange;
    try {
      if ('refused' in target) throw target.refused;
      exchange.invoked = true;
      return await this.#options.invoke(event, target.operation, target.given);
    } catch (error) {
      const correlationId = correlationIdOf(event);
      const { status, body, unexpected } = problemAnswer(error, correlationId);
      if (unexpected) this.#options.log.error({ correlationId, err: error }, 'a tool failed unexpectedly');
      return { ok: false, status, error: body.error };
    }
  }
}

function refuseCursor(params: { cursor?: string | undefined } | undefined): void {
  if (params?.cursor === undefined) return;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The list has one page: leave cursor out.');
}

function isJson(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false;
}

/** The request as the package's transports read it: their headers and the client's abort signal. */
function requestOf(event: H3Event): Request {
  const headers = new Headers(event.req.headers);
  headers.set('accept', ACCEPT_BOTH);
  return new Request(event.req.url, { method: 'POST', headers, signal: event.req.signal });
}
