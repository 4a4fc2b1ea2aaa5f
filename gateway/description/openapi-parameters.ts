import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { callerQuery } from '../../contract/interfaces/view.ts';
import {
  IDEMPOTENCY_KEPT_HOURS,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_KEY_MIN_CHARACTERS,
} from '../../contract/limits/limits.ts';
import type { Operation, ParameterShape } from '../../contract/operation.ts';
import { jsonSchemaOf } from '../../contract/parameters.ts';

type Parameter = oas31.ParameterObject;

function header(name: string, description: string, schema: oas31.SchemaObject = { type: 'string' }): Parameter {
  return { name, in: 'header', required: false, description, schema };
}

/** Request headers that several operations read, by the name of their component. */
export const HEADER_PARAMETERS = {
  CorrelationId: header(
    'X-Correlation-Id',
    'Your own id for this request, 8 to 128 letters, digits, dots, dashes and underscores; the answer and the log carry it. One is made if none is sent.',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    `A random UUID, bare or in double quotes. The same key with the same body returns the first answer for ${IDEMPOTENCY_KEPT_HOURS} hours instead of a second write.`,
    { type: 'string', minLength: IDEMPOTENCY_KEY_MIN_CHARACTERS, maxLength: IDEMPOTENCY_KEY_MAX_CHARACTERS + 2 },
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'ETag of the answer that you hold; 304 without a body if it is still current. The tag stands for address, data and state of the sources. correlationId and generatedAt of _meta, and ages in it, are of the single answer, so two answers with one tag can differ in these bytes; files have their SHA-256 as tag.',
  ),
  Range: header('Range', 'One range of bytes, such as bytes=0-1023; several give the whole file.'),
  IfRange: header('If-Range', 'ETag of the part that you hold; if the file has changed since, all of it is sent.'),
  LastEventId: header('Last-Event-ID', 'With Accept: text/event-stream: id of the last event that was received.'),
  ReleaseToken: header(
    'X-Release-Token',
    'The releaseToken of the creation answer; takes precedence over the one in the body.',
  ),
  WithdrawToken: header(
    'X-Withdraw-Token',
    'The withdrawToken of the creation answer; takes precedence over the one in the body.',
  ),
  WebhookSecret: header('X-Webhook-Secret', 'The secret of the subscription, begins with whsec_.'),
  PredictionToken: header(
    'X-Prediction-Token',
    'The predictionToken of your first prediction; takes precedence over the one in the body.',
  ),
} as const;
type HeaderName = keyof typeof HEADER_PARAMETERS;

/** A credential in the body can be sent as a header instead. */
const HEADER_OF_BODY_FIELD: Record<string, HeaderName> = {
  releaseToken: 'ReleaseToken',
  withdrawToken: 'WithdrawToken',
  secret: 'WebhookSecret',
  predictionToken: 'PredictionToken',
};

/** Components of the request headers that an operation reads. */
export function headersOf(operation: Operation): HeaderName[] {
  const fields = operation.body instanceof z.ZodObject ? Object.keys(operation.body.shape) : [];
  const own = Object.values(operation.headers ?? {}).map(({ header: sent }) => sent);
  const declared = (Object.keys(HEADER_PARAMETERS) as HeaderName[]).filter((name) =>
    own.includes(HEADER_PARAMETERS[name].name.toLowerCase()),
  );
  return [
    'CorrelationId',
    ...(operation.errors.includes('INVALID_IDEMPOTENCY_KEY') ? (['IdempotencyKey'] as const) : []),
    ...(operation.cache === undefined ? [] : (['IfNoneMatch'] as const)),
    ...(operation.streams?.includes('text/event-stream') ? (['LastEventId'] as const) : []),
    ...fields.flatMap((field) => HEADER_OF_BODY_FIELD[field] ?? []),
    ...declared,
  ];
}

/**
 * Query parameters that are equal in several operations, by the name of their component. The component has the name of
 * the parameter, followed by `Parameter` if a schema has that name, and by a number if it is taken.
 */
export function sharedParameters(
  operations: readonly Operation[],
  schemas: ReadonlySet<string>,
): Record<string, Parameter> {
  const uses = Map.groupBy(operations.flatMap(queryOf), (parameter) => JSON.stringify(parameter));
  const shared: Record<string, Parameter> = {};
  for (const [parameter, ...others] of uses.values()) {
    if (parameter === undefined || others.length === 0) continue;
    const own = `${parameter.name.charAt(0).toUpperCase()}${parameter.name.slice(1)}`;
    const plain = schemas.has(own) ? `${own}Parameter` : own;
    let name = plain;
    for (let number = 2; name in shared; number += 1) name = `${plain}${number}`;
    shared[name] = parameter;
  }
  return shared;
}

/** Path, query and header parameters of an operation, in this order. */
export function parametersOf(
  operation: Operation,
  shared: Record<string, Parameter>,
): (Parameter | oas31.ReferenceObject)[] {
  const query = withShared(queryOf(operation), shared);
  return [...pathParameters(operation.params), ...query, ...headersOf(operation).map(componentRef)];
}

function pathParameters(params: ParameterShape = {}): Parameter[] {
  return Object.entries(params).map(([name, schema]): Parameter => {
    const { description, ...json } = jsonSchemaOf(schema);
    return { name, in: 'path', required: true, description: String(description), schema: json };
  });
}

/** Path and query parameters of a door that reads some itself. */
export function doorParameters(
  { params, query = {} }: Pick<Operation, 'params' | 'query'>,
  shared: Record<string, Parameter>,
): (Parameter | oas31.ReferenceObject)[] {
  const ofQuery = withShared(
    Object.entries(query).map(([name, schema]) => queryParameter(name, schema, undefined)),
    shared,
  );
  return [...pathParameters(params), ...ofQuery];
}

/** Parameters that are a component are named as it. */
function withShared(
  parameters: readonly Parameter[],
  shared: Record<string, Parameter>,
): (Parameter | oas31.ReferenceObject)[] {
  const names = new Map(Object.entries(shared).map(([name, parameter]) => [JSON.stringify(parameter), name]));
  return parameters.map((parameter) => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : componentRef(name);
  });
}

function componentRef(name: string): oas31.ReferenceObject {
  return { $ref: `#/components/parameters/${name}` };
}

function queryOf(operation: Operation): Parameter[] {
  const examples = exampleQuery(operation.example);
  return Object.entries(callerQuery(operation)).map(([name, schema]) =>
    queryParameter(name, schema, examples.get(name)),
  );
}

function queryParameter(name: string, schema: z.ZodType, sent: string | undefined): Parameter {
  const { description, ...json } = jsonSchemaOf(schema);
  return {
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    description: String(description),
    ...(json.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: json,
    ...(sent === undefined ? {} : { example: typed(sent, json.type) }),
  };
}

/** Query of an operation's example; placeholders for ids are left out. */
function exampleQuery(example: string): Map<string, string> {
  const query = new URLSearchParams(example.split('?')[1] ?? '');
  return new Map([...query].filter(([, value]) => !/[{}]/.test(value)));
}

function typed(text: string, type: unknown): string | number | boolean | string[] {
  if (type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'array' ? text.split(',') : text;
}
