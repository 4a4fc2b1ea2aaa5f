import { z } from 'zod';
import { nearNote } from './nearest-names.ts';

/**
 * Schemas for query and path parameters. Each takes the one string that was sent. Its metadata says in words what is
 * `expected`, and the refusal of a bad value quotes exactly these words.
 */

/** What a refusal says was expected. */
export function expectedOf(schema: z.ZodType): string {
  return metaOf(schema, 'expected');
}

const EXPECTED = 'expected ';

/** What the refusal of one value says was expected: the words of `expectedOf`, and the known values that are near. */
export function expectedOfFault(schema: z.ZodType, { issues: [issue] }: z.ZodError): string {
  return issue?.code === 'custom' ? issue.message.slice(EXPECTED.length) : expectedOf(schema);
}

/** What the parameter means. */
export function descriptionOf(schema: z.ZodType): string {
  return metaOf(schema, 'description');
}

/** The value as JSON Schema, for callers that send typed values: an array for a list, a number for a number. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const value = found(schema, 'json') as JsonSchema | undefined;
  const fallback = schema instanceof z.ZodDefault ? { default: schema.def.defaultValue } : {};
  const examples = found(schema, 'examples');
  return {
    ...(value ?? { type: 'string' }),
    description: descriptionOf(schema),
    ...fallback,
    ...(examples !== undefined && { examples }),
  };
}

/** A JSON Schema, as plain data. */
export type JsonSchema = Record<string, unknown>;

function metaOf(schema: z.ZodType, key: 'expected' | 'description'): string {
  const value = found(schema, key);
  if (typeof value === 'string') return value;
  throw new Error(`a parameter schema without \`${key}\`: make it with contract/parameters.ts`);
}

/** Metadata of the schema itself or of what `optional` and `default` wrap. */
function found(schema: z.ZodType, key: string): unknown {
  let current: z.ZodType = schema;
  for (;;) {
    const value = current.meta()?.[key];
    if (value !== undefined) return value;
    if (!(current instanceof z.ZodOptional || current instanceof z.ZodDefault)) return undefined;
    current = current.unwrap() as z.ZodType;
  }
}

function refined<Output>(
  read: (text: string) => Output | undefined,
  {
    near,
    expected,
    description,
    json,
  }: { expected: string; description: string; json: JsonSchema; near?: (text: string) => string },
) {
  return z
    .string()
    .transform((text, context): Output => {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue({ code: 'custom', message: `${EXPECTED}${expected}${near?.(text) ?? ''}` });
      return z.NEVER;
    })
    .meta({ expected, description, json });
}

// A line break or tab inside a search text is harmless; every other control character is a mistake or an attack.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/u;

/** What a text must look like; `asked` turns other writings of it into the one that is known. */
interface TextPattern {
  test: RegExp;
  words: string;
  asked?: (text: string) => string;
}

/** Free text of 1 to `max` characters with something other than white space in it. */
export function textParameter(max: number, description: string, pattern?: TextPattern) {
  const expected = pattern?.words ?? `text of 1 to ${max} characters without control characters`;
  return refined(
    (text) => {
      const value = text.trim();
      if (value === '' || text.length > max || CONTROL.test(text) || !text.isWellFormed()) return undefined;
      if (pattern === undefined) return value;
      const asked = pattern.asked?.(value) ?? value;
      return pattern.test.test(asked) ? asked : undefined;
    },
    { expected, description, json: { type: 'string', minLength: 1, maxLength: max } },
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
    {
      expected: `a whole number from ${min} to ${max}`,
      description,
      json: { type: 'integer', minimum: min, maximum: max },
    },
  );
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** `true` or `false`, in any case: Python writes True. */
export function booleanParameter(description: string) {
  return refined((text) => BOOLEANS.get(text.trim().toLowerCase()), {
    expected: 'true or false',
    description,
    json: { type: 'boolean' },
  });
}

/** Case, and a blank, hyphen or underscore between words, tell no two values of a parameter apart. */
function foldValue(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '-');
}

/** Longest text that is looked up as one value. The longest value has 30 characters, and no other writing of one is much longer. */
const VALUE_MAX_CHARACTERS = 100;

/** Finds the value that a text writes in this or another case. */
function readerOf<Value extends string>(values: readonly Value[]): (text: string) => Value | undefined {
  const byFold = new Map(values.toReversed().map((value) => [foldValue(value), value]));
  const exact = new Map(values.map((value) => [value as string, value]));
  return (text) => (text.length > VALUE_MAX_CHARACTERS ? undefined : (exact.get(text) ?? byFold.get(foldValue(text))));
}

/** One of `values`, in any case. */
export function enumParameter<const Value extends string>(values: readonly Value[], description: string) {
  return refined(readerOf(values), {
    expected: `one of ${values.join(', ')}`,
    description,
    json: { type: 'string', enum: values },
  });
}

/** One of `values`. The handler checks it, because the refusal of any other text has a code of its own. */
export function codedParameter(values: readonly string[], description: string) {
  const json = { type: 'string', enum: values };
  return z.string().meta({ expected: `one of ${values.join(', ')}`, description, json });
}

/** From this many values on, a refusal names those that are near. */
const NEAR_FROM_VALUES = 6;

/** Most commas within one value: `Active, not recruiting` has one. */
const COMMAS_IN_VALUE = 1;

/**
 * Most parts of any list. The longest set of values has 26, so that a list may still name each of them in two spellings. A longer
 * list is refused before any part is looked up.
 */
export const LIST_MAX_PARTS = 60;

/** The texts between the commas; null where there are more than `most`: then none of them is read. */
function piecesOf(text: string, most: number): string[] | null {
  // One more than may be there says enough.
  const pieces = text.split(',', most + 1);
  return pieces.length > most ? null : pieces.map((part) => part.trim());
}

/** The parts of a list; a text with a comma that is itself a value is one part. */
function partsOf(pieces: readonly string[], isKnown: (part: string) => boolean): string[] {
  const parts: string[] = [];
  for (let at = 0; at < pieces.length; ) {
    const joined = pieces.slice(at, at + 1 + COMMAS_IN_VALUE).join(', ');
    const takesComma = joined !== pieces[at] && isKnown(joined);
    parts.push(takesComma ? joined : (pieces[at] as string));
    at += takesComma ? 1 + COMMAS_IN_VALUE : 1;
  }
  return parts;
}

/** How a list reads words: `asked` turns other words for a value into it, and `meant` has everyday words for the refusal. */
interface ListWords {
  asked?: (text: string) => string;
  meant?: Readonly<Record<string, readonly string[]>>;
}

/** One or more of `values`, comma-separated; repeats are dropped. */
export function listParameter<const Value extends string>(
  values: readonly Value[],
  description: string,
  { asked = (text) => text, meant = {} }: ListWords = {},
) {
  const readValue = readerOf(values);
  const knownOf = (part: string): Value | undefined =>
    part.length > VALUE_MAX_CHARACTERS ? undefined : readValue(asked(part));
  const isKnown = (part: string): boolean => knownOf(part) !== undefined;
  const offersNear = values.length >= NEAR_FROM_VALUES || Object.keys(meant).length > 0;
  const near = (text: string): string => {
    const pieces = piecesOf(text, LIST_MAX_PARTS);
    if (pieces === null) return `; at most ${LIST_MAX_PARTS} values can be listed`;
    const wrong = partsOf(pieces, isKnown).find((part) => !isKnown(part)) ?? text;
    return offersNear ? nearNote(wrong, values, { meant }) : '';
  };
  return refined(
    (text) => {
      const pieces = piecesOf(text, LIST_MAX_PARTS);
      if (pieces === null) return undefined;
      const known = partsOf(pieces, isKnown).map(knownOf);
      return known.every((value) => value !== undefined) ? ([...new Set(known)] as Value[]) : undefined;
    },
    {
      near,
      expected: `one or more of ${values.join(', ')}, separated by commas`,
      description,
      json: { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
    },
  );
}

/** One to `items` texts of 1 to `max` characters, comma-separated, each with a letter or digit; repeats are dropped. */
export function textListParameter({ items, max }: { items: number; max: number }, description: string) {
  return refined(
    (text) => {
      const pieces = piecesOf(text, LIST_MAX_PARTS);
      if (pieces === null) return undefined;
      const parts = [...new Set(pieces)];
      const fits = parts.every(
        (part) => part.length <= max && /[\p{L}\p{N}]/u.test(part) && !CONTROL.test(part) && part.isWellFormed(),
      );
      return fits && parts.length <= items ? parts : undefined;
    },
    {
      expected: `from 1 to ${items} texts of at most ${max} characters with a letter or digit each, separated by commas`,
      description,
      json: { type: 'array', items: { type: 'string', minLength: 1, maxLength: max }, minItems: 1, maxItems: items },
    },
  );
}

/** A real calendar day, given as the number of days since 1970-01-01 UTC. */
export function dayParameter(description: string) {
  return refined(dayNumber, {
    near: daysMeant,
    expected: 'a calendar day as YYYY-MM-DD',
    description,
    json: { type: 'string', format: 'date' },
  });
}

function dayNumber(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const instant = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(instant) || new Date(instant).toISOString().slice(0, 10) !== text) return undefined;
  return instant / DAY_MS;
}

const DAY_MS = 86_400_000;

/** Year, and where they follow month and day, in this order, and a time. Other orders are read differently in different places. */
const DATE = /^\s*(\d{4})(?:([-/.]?)(\d{1,2})(?:\2(\d{1,2})(?:[T\s].*)?)?)?\s*$/;

/**
 * The day that another writing of a date names, or the first and the last of a month or year. A refusal offers them; they are not
 * read, since "after 2024" can mean from its first day on or from the day after its last.
 */
function daysMeant(text: string): string {
  const [, year = '', , month, day] = DATE.exec(text) ?? [];
  const dayOf = (theMonth: string | number, theDay: string | number): string =>
    [year, String(theMonth).padStart(2, '0'), String(theDay).padStart(2, '0')].join('-');
  const real = (days: string[]): string[] => (days.every((one) => dayNumber(one) !== undefined) ? days : []);
  if (year === '') return '';
  const lastOfMonth = new Date(Date.UTC(Number(year), Number(month ?? 12), 0)).getUTCDate();
  const [first, last] =
    day === undefined ? real([dayOf(month ?? 1, 1), dayOf(month ?? 12, lastOfMonth)]) : real([dayOf(month ?? 1, day)]);
  if (first === undefined) return '';
  if (last === undefined) return `; perhaps ${first}`;
  return `; ${month === undefined ? 'the year' : 'the month'} begins on ${first} and ends on ${last}`;
}
