import { expect, it } from 'vitest';
import { outlined } from './schema-outline.ts';

const leaf = (words: string) => ({ type: 'string', description: words });
const nested = (levels: number): Record<string, unknown> =>
  levels === 0
    ? leaf('x'.repeat(200))
    : {
        type: 'object',
        properties: { a: nested(levels - 1), b: { type: 'array', items: nested(levels - 1) } },
        required: ['a', 'b'],
      };

it('leaves a schema that fits as it is', () => {
  const schema = nested(2);
  expect(outlined(schema)).toEqual({ outputSchema: schema, outputOutlined: false });
});

it('keeps the upper levels of one that does not, and of the lower ones the type', () => {
  const { outputSchema, outputOutlined } = outlined(nested(6));
  expect(outputOutlined).toBe(true);
  expect(JSON.stringify(outputSchema).length).toBeLessThanOrEqual(6_000);
  const text = JSON.stringify(outputSchema);
  expect(text).toContain('"b":{"type":"array","items":{"type":"object"}}');
  expect(text).not.toContain('xxx');
  expect(outputSchema).toMatchObject({
    required: ['a', 'b'],
    properties: { a: { properties: { b: { type: 'array' } } } },
  });
});

it('keeps one level of a schema whatever its length', () => {
  const wide = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, leaf('y'.repeat(300))]));
  const { outputSchema } = outlined({ type: 'object', properties: wide });
  expect(Object.keys(outputSchema.properties as object)).toHaveLength(50);
});
