import { z } from 'zod';

/**
 * Schemas for query and path parameters. Each takes the one string that was sent and carries in its metadata what is
 * `expected`, in words that a caller can act on; the refusal of a bad value quotes exactly that.
 */

/** What a refusal says was expected. */
export function expectedOf(schema: z.ZodType): string {
  return metaOf(schema, 'expected');
}

/** What the parameter means. */
export function descriptionOf(schema: z.ZodType): string {
  return metaOf(schema, 'description');
}

/** Metadata of the schema itself or of what `optional` and `default` wrap. */
function metaOf(schema: z.ZodType, key: 'expected' | 'description'): string {
  let current: z.ZodType = schema;
  for (;;) {
    const value = current.meta()?.[key];
    if (typeof value === 'string') return value;
    if (current instanceof z.ZodOptional || current instanceof z.ZodDefault) current = current.unwrap() as z.ZodType;
    else throw new Error(`a parameter schema without \`${key}\`: make it with contract/parameters.ts`);
  }
}

function refined<Output>(read: (text: string) => Output | undefined, expected: string, description: string) {
  return z
    .string()
    .transform((text, context): Output => {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `expected ${expected}` });
      return z.NEVER;
    })
    .meta({ expected, description });
}

// A line break or tab inside a search text is harmless; every other control character is a mistake or an attack.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/** Free text of 1 to `max` characters with something other than white space in it. */
export function textParameter(max: number, description: string, pattern?: { test: RegExp; words: string }) {
  const expected = pattern?.words ?? `text of 1 to ${max} characters without control characters`;
  return refined(
    (text) => {
      const value = text.trim();
      if (value === '' || text.length > max || CONTROL.test(text) || !text.isWellFormed()) return undefined;
      return pattern && !pattern.test.test(value) ? undefined : value;
    },
    expected,
    description,
  );
}

/** A whole number from `min` to `max`, plain decimal digits. */
export function integerParameter(min: number, max: number, description: string) {
  return refined(
    (text) => {
      if (!/^-?\d{1,15}$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    },
    `a whole number from ${min} to ${max}`,
    description,
  );
}

export function booleanParameter(description: string) {
  return refined(
    (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
    'true or false',
    description,
  );
}

/** One of `values`, exactly as written. */
export function enumParameter<const Value extends string>(values: readonly Value[], description: string) {
  return refined((text) => values.find((value) => value === text), `one of ${values.join(', ')}`, description);
}

/** One of `values`, for the handler to check: its refusal of any other text has a code of its own. */
export function codedParameter(values: readonly string[], description: string) {
  return z.string().meta({ expected: `one of ${values.join(', ')}`, description });
}

/** One or more of `values`, comma-separated; repeats are dropped. */
export function listParameter<const Value extends string>(values: readonly Value[], description: string) {
  return refined(
    (text) => {
      const parts = text.split(',').map((part) => part.trim());
      const known = parts.map((part) => values.find((value) => value === part));
      return known.every((value) => value !== undefined) ? ([...new Set(known)] as Value[]) : undefined;
    },
    `one or more of ${values.join(', ')}, separated by commas`,
    description,
  );
}

/** A real calendar day, given as the number of days since 1970-01-01 UTC. */
export function dayParameter(description: string) {
  return refined(
    (text) => {
      const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
      if (!match) return undefined;
      const instant = Date.parse(`${text}T00:00:00Z`);
      if (Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== text) return undefined;
      return instant / 86_400_000;
    },
    'a calendar day as YYYY-MM-DD',
    description,
  );
}
