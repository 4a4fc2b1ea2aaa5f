import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { rejectionHint } from '../../../contract/declared/submission-guides.ts';
import {
  ERRORS,
  type ErrorCode,
  EXPECTED_ALONE_HINT,
  UNKNOWN_PARAMETER_HINT,
} from '../../../contract/errors/errors.ts';
import type { Operation } from '../../../contract/operation.ts';
import { DOOR_CODES, errorSchema, metaSchema } from '../../../contract/schemas/envelope.ts';
import { inWordsOf } from '../../../gateway/door-words/in-words-of.ts';

/**
 * Faults of an answer against its operation. Uses JSON Schema and not zod, so that a field which no schema names is a
 * fault and not silently dropped.
 */

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

const compiled = new Map<string, ValidateFunction>();

function validator(name: string, schema: () => z.ZodType): ValidateFunction {
  const known = compiled.get(name);
  if (known) return known;
  const validate = ajv.compile(z.toJSONSchema(schema(), { io: 'output', unrepresentable: 'any' }));
  compiled.set(name, validate);
  return validate;
}

function faultsBy(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${instancePath || 'answer'} ${message} ${JSON.stringify(params)}`;
  });
}

/** Faults of a success: `data` against the operation's schema, `_meta` against the schema of every answer. */
export function successFaults(operation: Operation, body: unknown): string[] {
  const validate = validator(operation.id, () =>
    operation.envelope === false ? operation.output : z.object({ data: operation.output, _meta: metaSchema }),
  );
  return faultsBy(validate, body);
}

/** What may be refused: an operation, or a door with codes of its own. */
type Declaring = Pick<Operation, 'id' | 'errors'>;

/** Faults of a refusal: its shape, and a code that neither the operation nor any door declares. */
export function failureFaults(
  operation: Declaring | null,
  status: number | null,
  body: unknown,
  words: 'mcp' | 'a2a' | 'rest' = 'rest',
): string[] {
  const shape = faultsBy(
    validator('a failure', () => z.object({ error: errorSchema })),
    body,
  );
  if (shape.length > 0) return shape;
  const { code, retryable, hint, correlationId } = (body as { error: Record<string, unknown> & { code: ErrorCode } })
    .error;
  const entry = ERRORS[code];
  // Where subscriptions or keys are full, waiting does not help, and the answer's own hint says what does.
  const isFull = code === 'WRITE_RATE_LIMITED' && retryable === false;
  return [
    ...(status === null || status === entry.status ? [] : [`${code} came with the status ${status}`]),
    ...(isFull || retryable === entry.retryable ? [] : [`${code} is not retryable: ${retryable}`]),
    // A parameter that is itself unknown has a hint of its own.
    ...(isFull || hint === hintOf(operation, code, words) || isOfUnknown(code, hint)
      ? []
      : [`${code} came without its hint`]),
    ...(correlationId === '' ? ['an empty correlation id'] : []),
    ...(isDeclared(operation, code) ? [] : [`${operation?.id ?? 'no operation'} does not declare ${code}`]),
  ];
}

/** The hint of a code at an operation, in the words of a door. */
export function hintOf(
  operation: Pick<Operation, 'id'> | null,
  code: ErrorCode,
  words: 'mcp' | 'a2a' | 'rest' = 'rest',
): string {
  const hint = rejectionHint(code, operation?.id) ?? ERRORS[code].hint;
  return inWordsOf(words, { error: { hint: `${hint} More: /docs/errors/${code}` } }).error.hint;
}

function isDeclared(operation: Declaring | null, code: ErrorCode): boolean {
  return (DOOR_CODES as readonly ErrorCode[]).includes(code) || (operation?.errors.includes(code) ?? false);
}

function isOfUnknown(code: ErrorCode, hint: unknown): boolean {
  const hints = [UNKNOWN_PARAMETER_HINT, EXPECTED_ALONE_HINT];
  return code === 'INVALID_PARAM' && hints.some((one) => String(hint).startsWith(one));
}
