import { z } from 'zod';

/**
 * The shapes of A2A 0.3.0, written from its specification and stricter: an unknown member is a fault here.
 */

const metadata = z.record(z.string(), z.unknown()).optional();
const id = z.string().min(1);

export const partShape = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), metadata }),
  z.strictObject({ kind: z.literal('data'), data: z.record(z.string(), z.unknown()), metadata }),
  z.strictObject({
    kind: z.literal('file'),
    file: z.union([
      z.strictObject({ name: z.string().optional(), mimeType: z.string().optional(), bytes: z.string() }),
      z.strictObject({ name: z.string().optional(), mimeType: z.string().optional(), uri: z.string() }),
    ]),
    metadata,
  }),
]);

export const messageShape = z.strictObject({
  kind: z.literal('message'),
  messageId: id,
  role: z.enum(['user', 'agent']),
  parts: z.array(partShape),
  taskId: id.optional(),
  contextId: id.optional(),
  referenceTaskIds: z.array(z.string()).optional(),
  extensions: z.array(z.string()).optional(),
  metadata,
});

export const taskShape = z.strictObject({
  kind: z.literal('task'),
  id: z.uuid(),
  contextId: id,
  status: z.strictObject({
    state: z.enum(['input-required', 'completed', 'failed', 'canceled']),
    timestamp: z.iso.datetime(),
    message: messageShape.optional(),
  }),
  artifacts: z
    .array(
      z.strictObject({
        artifactId: id,
        name: z.string().optional(),
        description: z.string().optional(),
        parts: z.array(partShape).min(1),
        extensions: z.array(z.string()).optional(),
        metadata,
      }),
    )
    .optional(),
  history: z.array(messageShape).optional(),
  metadata,
});

const rpcId = z.union([z.string(), z.int(), z.null()]);

export const rpcErrorShape = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: rpcId,
  error: z.strictObject({
    code: z.int(),
    message: z.string().min(1),
    data: z.strictObject({
      code: z.string().min(1),
      hint: z.string().min(1),
      correlationId: z.string().min(8),
      issues: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
    }),
  }),
});

export const rpcResultShape = z.strictObject({ jsonrpc: z.literal('2.0'), id: rpcId, result: taskShape });

const mode = z.string().regex(/^[a-z]+\/[a-z0-9.+-]+$/);

export const cardShape = z.strictObject({
  protocolVersion: z.literal('0.3.0'),
  name: z.string().min(1),
  description: z.string().min(1),
  url: z.url(),
  preferredTransport: z.literal('JSONRPC'),
  additionalInterfaces: z.array(z.strictObject({ url: z.url(), transport: z.literal('JSONRPC') })).min(1),
  // Members of A2A 1.0 on the same card.
  supportedInterfaces: z
    .array(
      z.strictObject({
        url: z.url(),
        protocolBinding: z.literal('JSONRPC'),
        protocolVersion: z.enum(['1.0', '0.3.0']),
      }),
    )
    .min(1),
  provider: z.strictObject({ organization: z.string().min(1), url: z.url() }),
  version: z.string().min(1),
  documentationUrl: z.url(),
  capabilities: z.strictObject({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    stateTransitionHistory: z.boolean(),
    extendedAgentCard: z.boolean(),
  }),
  defaultInputModes: z.array(mode).min(1),
  defaultOutputModes: z.array(mode).min(1),
  skills: z
    .array(
      z.strictObject({
        id,
        name: z.string().min(1),
        description: z.string().min(1),
        tags: z.array(z.string().min(1)).min(1),
        examples: z.array(z.string().min(1)).min(1),
      }),
    )
    .min(1),
  supportsAuthenticatedExtendedCard: z.literal(true),
});
