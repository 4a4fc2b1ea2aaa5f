import type { H3, H3Event } from 'h3';
import { HTTPResponse } from 'h3';
import type { Logger } from 'pino';
import { doorOf } from '../../contract/interfaces/doors.ts';
import { MCP_BATCH_ANSWER_MAX_BYTES, MCP_BATCH_MAX_MESSAGES } from '../../contract/limits/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { noteAnswerSize } from '../../server-kit/answer/answer-size.ts';
import { receivedBytes } from '../../server-kit/body.ts';
import { enteredJson, JsonFault, TOO_DEEP } from '../../server-kit/entered-json.ts';
import { correlationIdOf } from '../../server-kit/mount.ts';
import { Problem, problemAnswer } from '../../server-kit/problem.ts';
import type { Admission } from '../admission/admission.ts';
import { type AllowedHosts, checkHostAndPage } from '../admission/allowed-hosts.ts';
import type { Invoke } from '../invoke.ts';
import { plainObject } from '../plain-arguments.ts';
import { isObject } from '../view/json.ts';
import { Dispatcher } from './dispatcher.ts';
import { type Toolbox, toolboxOf } from './toolbox.ts';

interface McpOptions {
  operations: readonly Operation[];
  invoke: Invoke;
  admission: Pick<Admission, 'admitAs' | 'turn'>;
  allowedHosts: AllowedHosts;
  log: Logger;
}

/** The largest body of an operation, plus room for the message around it. */
const MESSAGE_MAX_BYTES = 65_536;
const ALLOW = 'POST, OPTIONS';
const INVALID_REQUEST = -32600;
const PARSE_ERROR = -32700;
/** The protocol has no code for a refusal by HTTP. */
const REFUSED = -32000;

/**
 * MCP over streamable HTTP, both eras at one path, every answer in one piece. A tool call is charged as the operation
 * that it runs; every other message is charged as a read.
 */
export function mountMcp(app: H3, options: McpOptions): void {
  const door = new McpDoor(options, new Dispatcher(options));
  const { path } = doorOf('mcp');
  app.post(path, (event) => door.answer(event));
  // The protocol prescribes its own refusal of other methods.
  app.all(path, (event) => door.answer(event));
}

class McpDoor {
  readonly #options: McpOptions;
  readonly #dispatcher: Dispatcher;
  readonly #toolbox: Toolbox;

  constructor(options: McpOptions, dispatcher: Dispatcher) {
    this.#options = options;
    this.#dispatcher = dispatcher;
    this.#toolbox = toolboxOf(options.operations);
  }

  async answer(event: H3Event): Promise<Response | HTTPResponse> {
    const { method } = event.req;
    if (method === 'OPTIONS') return new HTTPResponse(null, { status: 204, headers: { allow: ALLOW } });
    if (method !== 'POST') return this.#otherMethod(event);
    const read = await this.#read(event);
    const response =
      read instanceof Response ? await this.#chargedAsRead(event, read) : await this.#carryOut(event, read);
    response.headers.set('cache-control', 'no-store');
    return response;
  }

  /** GET would open a stream and DELETE would end a session; this server has neither. */
  async #otherMethod(event: H3Event): Promise<HTTPResponse> {
    await this.#charge(event);
    const problem = new Problem('METHOD_NOT_ALLOWED', { message: `This path answers ${ALLOW} only.` });
    const { status, headers, body } = problemAnswer(problem, correlationIdOf(event));
    return new HTTPResponse(JSON.stringify(body), { status, headers: { ...headers, allow: ALLOW } });
  }

  /** The parsed body, or the answer to a body that is not a message. Throws a Problem, charged as a read. */
  async #read(event: H3Event): Promise<Received | Response> {
    try {
      checkHostAndPage(event, this.#options.allowedHosts);
      if (!acceptsBoth(event.req.headers.get('accept'))) return notAcceptable();
      const bytes = await receivedBytes(event, MESSAGE_MAX_BYTES);
      return { body: withPlainArguments(enteredJson(bytes).value) };
    } catch (error) {
      if (error instanceof JsonFault && error.kind === 'too-deep')
        return failure(400, INVALID_REQUEST, `The message is ${TOO_DEEP}.`);
      if (!(error instanceof Problem)) return failure(400, PARSE_ERROR, 'The body could not be read as JSON.');
      await this.#charge(event);
      throw error;
    }
  }

  async #carryOut(event: H3Event, { body }: Received): Promise<Response | HTTPResponse> {
    const legacy = await this.#dispatcher.isLegacy(event, body);
    if (legacy && Array.isArray(body)) return this.#batch(event, body);
    const runs = runsOperation(body, this.#toolbox);
    if (!runs) await this.#charge(event);
    const kind = legacy ? 'legacy' : 'modern';
    const {
      status,
      headers,
      body: answered,
      invoked,
    } = await this.#dispatcher.dispatch(event, this.#toolbox, body, kind);
    // It would have run an operation but was refused before that could charge for it.
    if (runs && !invoked) await this.#charge(event);
    // The answer of an operation is charged with the operation.
    if (Buffer.isBuffer(answered) && !invoked) noteAnswerSize(event, answered.length);
    return new HTTPResponse(answered, { status, headers });
  }

  /**
   * A batch of the revision 2025-03-26. It is charged as far as possible before any message runs, so that a refusal
   * comes first. Other requests have their turn after two messages. Once the answer is large enough, the messages that
   * are left are charged and refused.
   */
  async #batch(event: H3Event, messages: unknown[]): Promise<Response | HTTPResponse> {
    const toolbox = this.#toolbox;
    if (messages.length > MCP_BATCH_MAX_MESSAGES) {
      const response = failure(400, INVALID_REQUEST, `A batch holds at most ${MCP_BATCH_MAX_MESSAGES} messages.`);
      return this.#chargedAsRead(event, response);
    }
    for (const message of messages) if (!runsOperation(message, toolbox)) await this.#charge(event);
    const answers: Buffer[] = [];
    let [bytes, ownBytes] = [0, 0];
    for (const [place, message] of messages.entries()) {
      if (place > 0) await this.#options.admission.turn(event);
      const full = bytes >= MCP_BATCH_ANSWER_MAX_BYTES;
      const { body, invoked } = full
        ? leftOut(message)
        : await this.#dispatcher.dispatch(event, toolbox, message, 'batched');
      if (runsOperation(message, toolbox) && !invoked) await this.#chargeSilently(event);
      if (!Buffer.isBuffer(body)) continue;
      answers.push(body);
      bytes += body.length;
      // The answer of an operation is charged with the operation.
      if (!invoked) ownBytes += body.length;
    }
    noteAnswerSize(event, ownBytes);
    return answers.length === 0 ? new Response(null, { status: 202 }) : listOf(answers);
  }

  async #chargedAsRead(event: H3Event, response: Response): Promise<Response> {
    await this.#charge(event);
    return response;
  }

  /** Charges a read. Throws RATE_LIMITED, which is answered as over REST, since there may be no message to answer. */
  async #charge(event: H3Event): Promise<void> {
    await this.#options.admission.admitAs(event, 'read');
  }

  /**
   * Charges a message in a batch without refusing it, so that other answers are not lost; the next request meets the
   * limit.
   */
  async #chargeSilently(event: H3Event): Promise<void> {
    await this.#charge(event).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
    });
  }
}

interface Received {
  body: unknown;
}

/** Whether the message has an operation run, which is then charged by itself. */
function runsOperation(message: unknown, toolbox: Toolbox): boolean {
  if (message === null || typeof message !== 'object') return false;
  const { method, params } = message as { method?: unknown; params?: Record<string, unknown> | null };
  const { name, arguments: given } = params ?? {};
  if (method !== 'tools/call' || typeof name !== 'string') return false;
  return 'operation' in (toolbox.targetOf(name, (given ?? {}) as Record<string, unknown>) ?? {});
}

/** The protocol asks clients to accept both JSON and a stream. */
function acceptsBoth(accept: string | null): boolean {
  const ranges = new Set((accept ?? '').split(',').map((range) => range.split(';')[0]!.trim().toLowerCase()));
  const takes = (type: string): boolean => ranges.has(`${type.split('/')[0]}/*`) || ranges.has(type);
  return ranges.has('*/*') || (takes('application/json') && takes('text/event-stream'));
}

function notAcceptable(): Response {
  return failure(406, REFUSED, 'Send the header Accept: application/json, text/event-stream. Both are needed.');
}

/** The messages with the arguments of their calls as objects, also where a client sends null or the JSON text of an object. */
function withPlainArguments(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withPlainArguments);
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return body;
  const { arguments: given } = body.params;
  const plain = given === undefined ? undefined : plainObject(given);
  return plain === undefined ? body : { ...body, params: { ...body.params, arguments: plain } };
}

/** The answer to a message for which its batch has no room; nothing to a notification. */
function leftOut(message: unknown): { body: Buffer | null; invoked: false } {
  const { id } = (message ?? {}) as { id?: unknown };
  if (typeof id !== 'string' && typeof id !== 'number') return { body: null, invoked: false };
  const text = `The answer to this batch has reached ${MCP_BATCH_ANSWER_MAX_BYTES} bytes, so this message was not carried out. Send it by itself or in a smaller batch.`;
  return {
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: { code: REFUSED, message: text } })),
    invoked: false,
  };
}

function listOf(answers: readonly Buffer[]): HTTPResponse {
  const comma = Buffer.from(',');
  const parts = answers.flatMap((answer, place) => (place === 0 ? [answer] : [comma, answer]));
  const body = Buffer.concat([Buffer.from('['), ...parts, Buffer.from(']')]);
  return new HTTPResponse(body, { headers: { 'content-type': 'application/json' } });
}

function failure(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
