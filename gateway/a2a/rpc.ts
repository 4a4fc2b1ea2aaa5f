import { z } from 'zod';
import { PROTOCOL_ERRORS, type ProtocolErrorName } from '../../contract/errors/protocol.ts';
import { hintWithPage } from '../../contract/interfaces/pages.ts';
import { enteredJson, JsonFault } from '../../server-kit/entered-json.ts';
import { illFormedPaths, WELL_FORMED } from '../../server-kit/well-formed.ts';
import { isOfVersion1, withMethodsOfVersion1 } from './version-1.ts';

/** JSON-RPC 2.0 as A2A uses it: one request object, one response object. */

export type RpcId = string | number | null;

interface RpcRequest {
  id: RpcId;
  method: string;
  params: unknown;
}

interface RpcError {
  code: number;
  message: string;
  data: { code: ProtocolErrorName; hint: string; correlationId: string; issues?: RpcIssue[] };
}

interface RpcIssue {
  path: string;
  message: string;
}

/** Issues that an answer lists; a body may have thousands. */
const ISSUES_SHOWN_MAX = 20;

const BY_NAME = new Map(PROTOCOL_ERRORS.map((entry) => [entry.name, entry]));

/** A request refused before any skill runs. */
export class RpcFault extends Error {
  readonly protocolError: ProtocolErrorName;
  readonly issues: RpcIssue[] | undefined;

  /** `detail` is appended to the text of the specification. */
  constructor(name: ProtocolErrorName, detail?: string, issues?: RpcIssue[]) {
    const { message } = BY_NAME.get(name)!;
    super(detail === undefined ? message : `${message}: ${detail}`);
    this.name = 'RpcFault';
    this.protocolError = name;
    this.issues = issues;
  }
}

/** The `error` of a JSON-RPC response, in words of the protocol whose `method` was called. */
export function rpcErrorOf(
  { protocolError, message, issues }: RpcFault,
  correlationId: string,
  method: unknown,
): RpcError {
  const { code, hint: worded } = BY_NAME.get(protocolError)!;
  const hint = isOfVersion1(method) ? withMethodsOfVersion1(worded) : worded;
  const data = { code: protocolError, hint: hintWithPage(protocolError, hint), correlationId };
  return { code, message, data: issues === undefined ? data : { ...data, issues } };
}

/** Parses a body. Throws ParseError, or InvalidRequest if it is nested too deeply or a text is not Unicode. */
export function readJson(bytes: Uint8Array): unknown {
  const { text, value } = messageJson(bytes);
  const [path] = illFormedPaths(text, value);
  if (path !== undefined) throw new RpcFault('InvalidRequest', `${path}: ${WELL_FORMED}`);
  return value;
}

function messageJson(bytes: Uint8Array): { text: string; value: unknown } {
  try {
    return enteredJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new RpcFault(error.kind === 'not-json' ? 'ParseError' : 'InvalidRequest', `the body ${error.message}`);
  }
}

const idSchema = z.union([z.string(), z.int(), z.null()]);

/** The id for the answer; null if it is absent or invalid. */
export function idOf(value: unknown): RpcId {
  const id = value !== null && typeof value === 'object' && 'id' in value ? value.id : null;
  return idSchema.safeParse(id).data ?? null;
}

const requestSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: idSchema.optional(),
  method: z.string().min(1),
  params: z.unknown().optional(),
});

/** Throws InvalidRequest. A request without an id is answered with the id null, since HTTP answers every request. */
export function requestOf(value: unknown): RpcRequest {
  if (Array.isArray(value))
    throw new RpcFault('InvalidRequest', 'a list of requests is not supported; send them singly');
  const { id = null, method, params } = checked(requestSchema, value, 'InvalidRequest');
  return { id, method, params };
}

/** The value as the schema reads it. Throws the named error with its issues. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  name: ProtocolErrorName,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issues = result.error.issues.slice(0, ISSUES_SHOWN_MAX).map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  throw new RpcFault(name, issues.map(({ path, message }) => `${path || 'request'}: ${message}`).join('; '), issues);
}
