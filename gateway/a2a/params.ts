import { z } from 'zod';
import { checked, RpcFault } from './rpc.ts';
import type { Message } from './task.ts';

/**
 * Parameters of the methods. Members unknown to A2A 0.3.0 are dropped; null counts as absent where the member is
 * optional.
 */

/** Media types that answers are given in. */
export const OUTPUT_MODES = ['application/json', 'text/plain'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

interface SendParams {
  message: Message;
  /** Media types that the client accepts; all if it named none. */
  modes: readonly OutputMode[];
  /** How many of the newest messages the answer holds; all if null. */
  historyLength: number | null;
}

const object = z.custom<Record<string, unknown>>(
  (value) => value !== null && typeof value === 'object' && !Array.isArray(value),
  'expected an object',
);
const metadata = object.nullish();
const id = z.string().min(1);
const historyLength = z.int().nonnegative().nullish();
const fileFields = { name: z.string().nullish(), mimeType: z.string().nullish() };

const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), metadata }),
  z.object({ kind: z.literal('data'), data: object, metadata }),
  z.object({
    kind: z.literal('file'),
    file: z.union([z.object({ ...fileFields, bytes: z.string() }), z.object({ ...fileFields, uri: z.string() })]),
    metadata,
  }),
]);

const messageSchema = z.object({
  kind: z.literal('message'),
  messageId: id,
  role: z.enum(['user', 'agent']),
  parts: z.array(partSchema),
  taskId: id.nullish(),
  contextId: id.nullish(),
  referenceTaskIds: z.array(z.string()).nullish(),
  extensions: z.array(z.string()).nullish(),
  metadata,
});

const sendSchema = z.object({
  message: messageSchema,
  configuration: z
    .object({
      acceptedOutputModes: z.array(z.string()).nullish(),
      historyLength,
      blocking: z.boolean().nullish(),
      pushNotificationConfig: object.nullish(),
    })
    .nullish(),
  metadata,
});

const taskSchema = z.object({ id, metadata });
const querySchema = taskSchema.extend({ historyLength });

/** Throws InvalidParams, ContentTypeNotSupported, PushNotificationNotSupported. */
export function sendParams(params: unknown): SendParams {
  const { message, configuration } = checked(sendSchema, params, 'InvalidParams');
  if (configuration?.pushNotificationConfig != null) throw new RpcFault('PushNotificationNotSupported');
  const unread = message.parts.find((part) => part.kind === 'file' && !isRead(part.file.mimeType));
  if (unread)
    throw new RpcFault('ContentTypeNotSupported', `no skill reads files other than ${OUTPUT_MODES.join(' or ')}`);
  return {
    message: withoutNulls(message) as unknown as Message,
    modes: acceptedModes(configuration?.acceptedOutputModes ?? []),
    historyLength: configuration?.historyLength ?? null,
  };
}

/** Throws InvalidParams. */
export function taskParams(params: unknown): { id: string } {
  return checked(taskSchema, params, 'InvalidParams');
}

/** Throws InvalidParams. */
export function queryParams(params: unknown): { id: string; historyLength: number | null } {
  const { id, historyLength = null } = checked(querySchema, params, 'InvalidParams');
  return { id, historyLength };
}

function isRead(mimeType: string | null | undefined): boolean {
  return mimeType == null || OUTPUT_MODES.some((mode) => mode === essence(mimeType));
}

function acceptedModes(accepted: readonly string[]): readonly OutputMode[] {
  if (accepted.length === 0) return OUTPUT_MODES;
  const wanted = accepted.map(essence);
  const modes = OUTPUT_MODES.filter((mode) =>
    wanted.some((each) => each === mode || each === '*/*' || each === `${mode.split('/')[0]}/*`),
  );
  if (modes.length > 0) return modes;
  throw new RpcFault('ContentTypeNotSupported', `answers are ${OUTPUT_MODES.join(' and ')}`);
}

/** A media type without its parameters. */
function essence(mode: string): string {
  return mode.split(';')[0]!.trim().toLowerCase();
}

/** The message without members that are null. */
function withoutNulls(value: Record<string, unknown>): Record<string, unknown> {
  const parts = (value.parts as Record<string, unknown>[] | undefined)?.map(withoutNulls);
  const file = value.file === undefined ? undefined : withoutNulls(value.file as Record<string, unknown>);
  const kept = Object.entries({ ...value, parts, file }).filter(
    ([, member]) => member !== undefined && member !== null,
  );
  return Object.fromEntries(kept);
}
