import type { oas31, ZodOpenApiOperationObject, ZodOpenApiPathItemObject } from 'zod-openapi';
import type { ErrorCode } from '../../contract/errors/errors.ts';
import type { Door } from '../../contract/interfaces/doors.ts';
import { doorParameters } from './openapi-parameters.ts';
import { commonHeaders, errorResponses, headerRefs } from './openapi-responses.ts';

/**
 * The doors of other protocols as paths. Their own specifications describe their messages; only the HTTP around the
 * messages is described here.
 */

export const DOOR_TAG = 'doors';

const REQUEST: oas31.SchemaObject = {
  type: 'object',
  description: 'A JSON-RPC 2.0 request, or a notification if it has no id.',
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { type: ['string', 'number', 'null'] },
    method: { type: 'string' },
    params: { type: ['object', 'array'], additionalProperties: {}, items: {} },
  },
  required: ['jsonrpc', 'method'],
};

const RESPONSE: oas31.SchemaObject = {
  type: 'object',
  description: 'A JSON-RPC 2.0 response: it has either result or error.',
  properties: {
    jsonrpc: { type: 'string', const: '2.0' },
    id: { type: ['string', 'number', 'null'] },
    result: {},
    error: {
      type: 'object',
      properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} },
      required: ['code', 'message'],
    },
  },
  required: ['jsonrpc'],
};

/** An object whose members the protocol describes. */
const OPEN_OBJECT: oas31.SchemaObject = { type: 'object', additionalProperties: {} };

const AGENT_CARD: oas31.SchemaObject = {
  type: 'object',
  description: 'An agent card of A2A 0.3.0 and 1.0.',
  properties: {
    protocolVersion: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    url: { type: 'string', format: 'uri' },
    version: { type: 'string' },
    capabilities: OPEN_OBJECT,
    defaultInputModes: { type: 'array', items: { type: 'string' } },
    defaultOutputModes: { type: 'array', items: { type: 'string' } },
    skills: { type: 'array', items: OPEN_OBJECT },
    preferredTransport: { type: 'string' },
    additionalInterfaces: { type: 'array', items: OPEN_OBJECT },
    supportedInterfaces: { type: 'array', items: OPEN_OBJECT },
    provider: OPEN_OBJECT,
    documentationUrl: { type: 'string', format: 'uri' },
    supportsAuthenticatedExtendedCard: { type: 'boolean' },
  },
  required: [
    'protocolVersion',
    'name',
    'description',
    'url',
    'version',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ],
};

const DOOR_FAULT: readonly ErrorCode[] = ['INTERNAL_ERROR'];
/** Codes with which a door that counts requests can refuse a read. */
const COUNTED_DOOR_CODES: readonly ErrorCode[] = ['INVALID_API_KEY', 'FORBIDDEN', 'RATE_LIMITED', ...DOOR_FAULT];

/** Components that the doors use. */
export const DOOR_SCHEMAS: Record<string, oas31.SchemaObject> = {
  AgentCard: AGENT_CARD,
  JsonRpcRequest: REQUEST,
  JsonRpcResponse: RESPONSE,
};

/** The door as a path of the document. */
export function doorPath(door: Door, shared: Record<string, oas31.ParameterObject>): ZodOpenApiPathItemObject {
  return Object.fromEntries(
    door.methods.map((method) => [
      method.toLowerCase(),
      method === 'POST' ? messages(door) : reading(door, door.methods.length > 1 ? `${door.id}-card` : door.id, shared),
    ]),
  );
}

/** Codes that a GET of the door may answer. */
export function doorCodes({ bucket, errors = [] }: Door): readonly ErrorCode[] {
  return [...errors, ...(bucket === 'none' ? DOOR_FAULT : COUNTED_DOOR_CODES)];
}

function common(
  { summary }: Door,
  operationId: string,
  query: readonly (oas31.ParameterObject | oas31.ReferenceObject)[] = [],
): Omit<ZodOpenApiOperationObject, 'responses'> {
  return {
    operationId,
    tags: [DOOR_TAG],
    summary: summary.split(/[:;]/)[0]!,
    description: `${summary}.`,
    parameters: [...query, { $ref: '#/components/parameters/CorrelationId' }],
  };
}

function ref(name: string): oas31.ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

function reading(
  door: Door,
  operationId: string,
  shared: Record<string, oas31.ParameterObject>,
): ZodOpenApiOperationObject {
  const counted = door.bucket !== 'none';
  const text = door.mediaType.startsWith('text/') ? { type: 'string' as const } : {};
  const schema = door.mediaType === 'application/json' ? ref('AgentCard') : text;
  return {
    ...common(door, operationId, doorParameters(door, shared)),
    responses: {
      200: {
        description: 'Success.',
        headers: headerRefs(commonHeaders(counted)),
        content: Object.fromEntries(
          [door.mediaType, ...(door.furtherMediaTypes ?? [])].map((type) => [type, { schema }]),
        ),
      },
      ...(counted ? { 304: { description: 'The answer that you hold is still current; there is no body.' } } : {}),
      ...errorResponses(doorCodes(door), counted),
    },
  };
}

/** A refusal may come from the protocol, as JSON-RPC, or from the door itself. */
const REFUSAL: oas31.SchemaObject = {
  anyOf: [ref('JsonRpcResponse'), { type: 'object', properties: { error: ref('Error') }, required: ['error'] }],
};

/** One message; for MCP also a batch of messages, which its revision 2025-03-26 has. */
function messageOf(door: Door, name: string): oas31.SchemaObject | oas31.ReferenceObject {
  return door.protocol === 'mcp' ? { anyOf: [ref(name), { type: 'array', items: ref(name) }] } : ref(name);
}

function messages(door: Door): ZodOpenApiOperationObject {
  const headers = headerRefs(commonHeaders(false));
  const answer = { 'application/json': { schema: messageOf(door, 'JsonRpcResponse') } };
  // MCP streams a subscription, which ends at once because nothing here changes while the service runs, and a call that
  // reports its progress.
  const stream = door.protocol === 'mcp' ? { 'text/event-stream': { schema: { type: 'string' as const } } } : {};
  const refusal = (description: string) => ({
    description,
    headers,
    content: { 'application/json': { schema: REFUSAL } },
  });
  return {
    ...common(door, door.id),
    requestBody: { required: true, content: { 'application/json': { schema: messageOf(door, 'JsonRpcRequest') } } },
    responses: {
      200: {
        description: 'The answer of the protocol, including its errors.',
        headers,
        content: { ...answer, ...stream },
      },
      202: { description: 'A notification was accepted; there is no body.', headers },
      '4XX': refusal('The message was refused before any operation ran.'),
      '5XX': refusal('A fault of the service.'),
    },
  };
}
