import fc from 'fast-check';
import type { JsonSchema } from '../../contract/parameters.ts';

/** Values that a JSON Schema allows, and values that no sane sender would send. */

/** Names that every plain object answers to, so that a look-up by them finds what nobody stored. */
export const PROTOTYPE_NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const;

/** Texts that have broken somebody's parser, store or page. */
export const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\u0001\u001b[31m\u007f\u0085',
  'line\r\nSet-Cookie: a=b',
  '\ud800',
  'tail\udc00',
  '\u202eevil\u2066',
  '\u200b\u200d\ufeff',
  '👩‍👩‍👧‍👦💊🇬🇧',
  'مرحبا שלום',
  'e\u0301\u0301\u0301',
  '\uffff\ufffe',
  '%',
  '%00',
  '%ff',
  '../../etc/passwd',
  '..',
  '.',
  '"',
  '"unclosed',
  "'; DROP TABLE claims; --",
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '<script>alert(1)</script>',
  ...PROTOTYPE_NAMES,
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '9007199254740993',
  '0x10',
  '١٢',
  'true',
  '[]',
  '{}',
  '*',
  'NEAR(a b) OR "c" AND NOT d^',
  'a:b* -c',
  '2026-02-30',
  '2026-13-01T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-19T23:59:59.999Z',
  'x'.repeat(81),
  'x'.repeat(501),
  'é'.repeat(4_100),
] as const;

export const EDGE_NUMBERS = [
  ...[0, -0, -1, 1, 0.5, 1e-320, 1e21, 1e308, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, 2 ** 53],
  ...[8.64e15, 8.64e15 + 1, -62_167_219_200_001],
] as const;

const WORDS = [
  'diabetes',
  'insulin',
  'heart',
  'cell',
  'a',
  'of',
  'NCT90000183',
  'é',
  '東京',
  '"type 1"',
  'map',
  '-',
  '3',
];

export const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...EDGE_NUMBERS, null, true, false, [], {}, [null], [[[]]], { $gt: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 20, max: 1_500 }).map(nested),
);

/** Arrays nested to a depth. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

/**
 * Values that a JSON Schema allows, for the keywords that the contract uses. Values with a meaning, such as ids, come
 * from `planted.ts`.
 */
export function fittingValue(schema: JsonSchema): fc.Arbitrary<unknown> {
  const {
    anyOf,
    oneOf,
    enum: values,
    const: only,
    type,
  } = schema as {
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    enum?: unknown[];
    const?: unknown;
    type?: string | string[];
  };
  if (only !== undefined) return fc.constant(only);
  if (values) return fc.constantFrom(...values);
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return fc.oneof(...alternatives.map(fittingValue));
  if (Array.isArray(type)) return fc.oneof(...type.map((name) => fittingValue({ ...schema, type: name })));
  return fittingOfType(type, schema);
}

function fittingOfType(type: string | undefined, schema: JsonSchema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -1_000), max: Number(schema.maximum ?? 1_000_000) });
    case 'number':
      return fc.double({ min: Number(schema.minimum ?? -1e6), max: Number(schema.maximum ?? 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(fittingValue((schema.items as JsonSchema) ?? {}), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.max(4, Number(schema.minItems ?? 0)),
      });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, fittingValue(part)]));
  return fc.record(parts, { requiredKeys: (schema.required ?? []) as string[] });
}

function textOf({ minLength = 0, maxLength = 400, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date') return fc.constantFrom('2010-01-01', '2024-02-29', '2026-11-21', '1899-12-31');
  return fc
    .tuple(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }), fc.nat(99))
    .map(([words, number]) =>
      `${words.join(' ')} ${number}`.padEnd(Number(minLength), ' more').slice(0, Number(maxLength)),
    );
}
